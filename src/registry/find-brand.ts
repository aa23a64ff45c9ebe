// The brand.json of a domain, for code that builds something in a brand's name, at the location given by the
// registry's best reference: the verified document, or a copy fetched from that location or the well-known one,
// following pointers (spec 2.1, 4.1).

import { wellKnownUrl } from '../protocol/domain-authority.ts'
import type { ManifestReference } from '../protocol/manifest-reference.ts'
import type { BrandStore } from './brands/store.ts'
import { followManifest } from './fetch-manifest.ts'
import { lookupManifestRef } from './lookup-manifest-ref.ts'
import type { ReferenceStore } from './store.ts'
import type { ReadManifest, VerifyPorts } from './verification.ts'

export interface FindBrandPorts
  extends Pick<VerifyPorts, 'fetch' | 'allowHttp' | 'maxManifestBytes'> {
  references: Pick<ReferenceStore, 'bestJson'>
  /** What was verified of brands. */
  brands: Pick<BrandStore, 'get'>
  readManifest: ReadManifest
}

const REQUEST_MS = 10_000

/** The document as served, for the caller to parse; undefined when there is none, or it is invalid. */
export async function findBrand(
  domain: string,
  ports: FindBrandPorts,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  // The verified copy is at most a day old, and it is the one that everybody else reads.
  const record = await ports.brands.get(domain)
  const known = record?.manifest?.document
  if (known) return Buffer.from(known)
  const question = { type: 'brand.json', allowHttp: ports.allowHttp } as const
  const { end } = await followManifest(
    await manifestUrlOf(domain, ports),
    async (bytes) => {
      const reading = await ports.readManifest(bytes, question)
      return reading.ok ? { ...reading, bytes } : reading
    },
    { ...ports, signal, timeoutMs: () => REQUEST_MS },
  )
  return end.ok ? end.reading.bytes : undefined
}

/** Only a document that the domain vouches for may speak in its name. */
async function manifestUrlOf(domain: string, { references }: FindBrandPorts): Promise<string> {
  const found = await lookupManifestRef({ references }, { domain, type: 'brand.json' })
  const body = found.ok ? (JSON.parse(found.json) as { reference?: ManifestReference }) : {}
  const isProved = body.reference?.verification_status === 'valid'
  const proved = isProved ? body.reference?.manifest_url : undefined
  return proved ?? wellKnownUrl(domain, 'brand.json')
}

// The brand.json of a domain, for whoever builds something in a brand's name: where the best
// reference of the registry says, or at its well-known place; pointers followed (spec 2.1, 4.1).

import { checkBrandJson } from '../protocol/brand-json.ts'
import { lookupManifestRef } from './lookup-manifest-ref.ts'
import type { ReferenceStore } from './store.ts'
import { fetchManifest } from './verify-manifest.ts'
import type { VerifyPorts } from './verify-reference.ts'

export interface FindBrandPorts extends Pick<VerifyPorts, 'fetch' | 'allowHttp'> {
  references: Pick<ReferenceStore, 'bestJson'>
}

/** Pointers followed from the first file. */
const MAX_POINTERS = 3

/** Undefined when there is none, or it is not a valid one. */
export async function findBrand(
  domain: string,
  ports: FindBrandPorts,
  signal: AbortSignal,
): Promise<unknown> {
  let url = await manifestUrlOf(domain, ports)
  for (let step = 0; step <= MAX_POINTERS; step++) {
    const fetched = await fetchManifest(url, { ...ports, signal })
    if (!fetched.ok) return undefined
    const check = checkBrandJson(fetched.document, { allowHttp: ports.allowHttp })
    if (!check.ok) return undefined
    if (check.redirectTo === undefined) return fetched.document
    url = check.redirectTo
  }
  return undefined
}

async function manifestUrlOf(domain: string, { references }: FindBrandPorts): Promise<string> {
  const found = await lookupManifestRef(references, { domain, type: 'brand.json' })
  const body = found.ok ? (JSON.parse(found.json) as { reference?: Reference }) : {}
  return body.reference?.manifest_url ?? `https://${domain}/.well-known/brand.json`
}

interface Reference {
  manifest_url: string | null
}

// The brand that a request speaks of, from wherever it is described (spec 2.4, 4.2): an object, the
// address of one, or the domain of a brand.json. What stands in the request counts first.

import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { parseStrictJson } from '../../lib/strict-json.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Promoted } from '../../protocol/schemas/field-map.ts'
import { type BrandContext, mergeBrands, NO_BRAND, readBrand } from './brand-context.ts'

export interface BrandPorts {
  egress: Pick<Egress, 'fetch'>
  /** The brand.json of a domain, redirects followed; undefined when there is none to be had. */
  lookupBrand(domain: string, signal: AbortSignal): Promise<unknown>
}

const MAX_MANIFEST_BYTES = 256 * 1_024
const FETCH_TIMEOUT_MS = 10_000

export async function resolveBrand(
  { brand_manifest, brand }: Promoted,
  ports: BrandPorts,
  signal: AbortSignal,
): Promise<BrandContext> {
  const described =
    typeof brand_manifest === 'string'
      ? await fetchBrand(brand_manifest, ports, signal)
      : (readBrand(brand_manifest) ?? NO_BRAND)
  if (!brand) return described
  const published = readBrand(await ports.lookupBrand(brand.domain, signal), brand.brand_id)
  if (!published && brand_manifest === undefined) throw unknownBrand(brand)
  const home = { ...NO_BRAND, url: `https://${brand.domain}` }
  return mergeBrands(mergeBrands(described, published ?? NO_BRAND), home)
}

async function fetchBrand(
  url: string,
  { egress }: BrandPorts,
  signal: AbortSignal,
): Promise<BrandContext> {
  const answer = await egress.fetch({
    url,
    headers: { accept: 'application/json' },
    maxBytes: MAX_MANIFEST_BYTES,
    totalTimeoutMs: FETCH_TIMEOUT_MS,
    redirects: 'same-site',
    signal,
  })
  if (!answer.ok) {
    if (signal.aborted) throw new Error('the fetch was aborted')
    throw inaccessible(answer.message)
  }
  if (answer.status !== 200) throw inaccessible(`its server answered ${answer.status}`)
  const json = parseStrictJson(answer.body)
  const brand = json.ok ? readBrand(json.value) : undefined
  if (!brand) throw inaccessible('it is no JSON that describes a brand')
  return brand
}

function inaccessible(reason: string): ProtocolError {
  const message = `the brand_manifest cannot be read: ${reason}`
  return new ProtocolError('CREATIVE_INACCESSIBLE', message, {
    suggestion: 'give the brand manifest as an object, or an https address that serves it',
  })
}

function unknownBrand({ domain, brand_id }: NonNullable<Promoted['brand']>): ProtocolError {
  const which = brand_id === undefined ? '' : ` with the brand ${brand_id}`
  return new ProtocolError(
    'REFERENCE_NOT_FOUND',
    `no brand.json${which} was found for ${domain}: publish one, or describe the brand in brand_manifest`,
    { field: '/brand' },
  )
}

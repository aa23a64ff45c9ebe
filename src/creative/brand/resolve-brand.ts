// The brand of a request, from wherever it is described (spec 2.4, 4.2): an object, the URL of one, or the domain of
// a brand.json. Fetched here, and read in the worker pool.

import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import type { CreativeWorkerPool, OnBehalf } from '../jobs/creative-worker-pool.ts'
import { costlyBecause } from '../jobs/too-costly.ts'
import { MAX_BRAND_BYTES } from '../limits.ts'
import { NO_BRAND } from './brand-context.ts'
import type { NamedBrand } from './named-brand.ts'
import { inaccessibleBrand, type ReadBrand } from './read-brand.ts'

export interface BrandPorts {
  egress: Pick<Egress, 'fetch'>
  /** The brand.json of a domain as it was served, redirects followed; undefined when it cannot be fetched. */
  lookupBrand(
    domain: string,
    by: OnBehalf & { signal: AbortSignal },
  ): Promise<Uint8Array | undefined>
  workerPool: CreativeWorkerPool
  /** Whether a missing brand is an error if the request refers to one. Default false. */
  isBrandRequired?: boolean
}

const FETCH_TIMEOUT_MS = 10_000

/** Throws a ProtocolError for a brand that cannot be resolved. */
export async function resolveBrand(
  { described, manifestUrl, brand }: NamedBrand,
  ports: BrandPorts,
  by: OnBehalf & { signal: AbortSignal },
): Promise<ReadBrand> {
  const manifest =
    manifestUrl === undefined ? undefined : await fetchManifest(manifestUrl, ports, by.signal)
  if (!manifest && !brand) return { brand: described ?? NO_BRAND, notes: [] }
  const published = brand && (await ports.lookupBrand(brand.domain, by))
  const { isBrandRequired: isRequired = false } = ports
  const request = { described, manifest, brand, published, isRequired }
  return ports.workerPool
    .run('read_brand', request, by)
    .catch(costlyBecause((reason) => inaccessibleBrand(`reading it failed: ${reason}`)))
}

async function fetchManifest(
  url: string,
  { egress }: BrandPorts,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const answer = await egress.fetch({
    url,
    headers: { accept: 'application/json' },
    maxBytes: MAX_BRAND_BYTES,
    totalTimeoutMs: FETCH_TIMEOUT_MS,
    redirects: 'same-site',
    signal,
  })
  if (!answer.ok) {
    if (signal.aborted) throw new Error('the fetch was aborted')
    throw inaccessibleBrand(answer.message)
  }
  if (answer.status !== 200) throw inaccessibleBrand(`its server answered ${answer.status}`)
  return answer.body
}

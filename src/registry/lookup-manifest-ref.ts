// `GET /api/manifest-refs/lookup` (spec 4.1): the best reference for a domain, or none.

import { normaliseDomain } from '../lib/host-name.ts'
import type { ManifestReference } from '../protocol/manifest-reference.ts'
import type { CrawledDomain, CrawlStore } from './crawler/store.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { ReferenceStore } from './store.ts'

/** The response body as it is sent: a LookupBody in JSON. */
export type Lookup = { ok: true; json: string } | Refusal

export type LookupBody =
  | { success: true; found: true; reference: ManifestReference }
  | { success: false; found: false }

const NOT_FOUND = '{"success":false,"found":false}'

/** Longer than any real name, including schemes and paths. */
const MAX_DOMAIN_CHARS = 2_048

export interface LookupPorts {
  references: Pick<ReferenceStore, 'bestJson'>
  /** Crawled data; without it only references are used. */
  crawl?: Pick<CrawlStore, 'get'>
}

export async function lookupManifestRef(
  { references, crawl }: LookupPorts,
  query: { domain: string | undefined; type: string | undefined },
): Promise<Lookup> {
  const given = query.domain
  if (given === undefined || given === '') return refuse(400, 'domain parameter required')
  if (given.length > MAX_DOMAIN_CHARS) {
    return refuse(400, `domain is ${given.length} characters long: a domain has at most 253`)
  }
  const named = normaliseDomain(given)
  if (!named.ok) return refuse(400, named.reason)

  const manifestType = query.type === undefined || query.type === '' ? 'brand.json' : query.type
  // An unknown type has no references: not an error (spec 7.4), and no query is needed.
  if (manifestType !== 'brand.json' && manifestType !== 'adagents.json') {
    return { ok: true, json: NOT_FOUND }
  }

  const { domain } = named
  const best = await references.bestJson(domain, manifestType)
  if (best !== undefined || manifestType === 'brand.json') {
    return { ok: true, json: lookupBody(best) }
  }
  const crawled = await crawl?.get(domain)
  return { ok: true, json: lookupBody(crawled && crawledFile(crawled)) }
}

/** The adagents.json that the domain itself says speaks for it, in JSON. */
function crawledFile({ file_id, location }: CrawledDomain): string | undefined {
  if (file_id === null || location === null) return undefined
  const reference: ManifestReference = {
    reference_type: 'url',
    manifest_url: location,
    agent_url: null,
    agent_id: null,
    verification_status: 'valid',
  }
  return JSON.stringify(reference)
}

/** The body for a reference in JSON, or for none. */
export function lookupBody(reference: string | undefined): string {
  return reference === undefined
    ? NOT_FOUND
    : `{"success":true,"found":true,"reference":${reference}}`
}

// A publisher as readers of the registry see it: the content of its site, when that was last read, and the resulting
// state.

import type { Clock } from '../../../lib/clock.ts'
import { isInEffect } from '../../../registry/authorizations/authorization.ts'
import { AUTHORIZATION_LIMITS } from '../../../registry/authorizations/limits.ts'
import type {
  AuthorizationStore,
  FileStore,
  ReadAuthorization,
  StoredProperty,
} from '../../../registry/authorizations/store.ts'
import type { BrandStore } from '../../../registry/brands/store.ts'
import { wellKnownUrl } from '../../../registry/crawler/find-file.ts'
import { STALE_MS } from '../../../registry/crawler/limits.ts'
import type { CrawledDomain, CrawlStore } from '../../../registry/crawler/store.ts'
import { savedProperty } from '../../../registry/publishers/resolve-property.ts'
import type { SavedStore } from '../../../registry/saved/store.ts'

export interface PublisherViewPorts {
  authorizations: AuthorizationStore
  crawl: Pick<CrawlStore, 'get'>
  files: Pick<FileStore, 'get'>
  brands: Pick<BrandStore, 'get'>
  saved: Pick<SavedStore, 'get'>
  clock: Clock
}

const isoOf = (time: number) => (time === 0 ? null : new Date(time).toISOString())

export async function publisherView(
  { authorizations, crawl, brands, saved, clock }: PublisherViewPorts,
  domain: string,
) {
  const mostAgents = AUTHORIZATION_LIMITS.agentsOfPublisher.value
  const mostProperties = AUTHORIZATION_LIMITS.propertiesOfPublisher.value
  const now = clock.now()
  const [known, rows, properties, brand, entry] = await Promise.all([
    crawl.get(domain),
    authorizations.ofPublisher(domain, mostAgents),
    authorizations.properties(domain, { limit: mostProperties }),
    brands.get(domain),
    saved.get('property', domain),
  ])
  const isSpokenFor = known?.file_id != null || properties.length > 0
  const isSaved = !isSpokenFor && entry?.review_status === 'approved'
  const resolved = known?.location ?? null
  return {
    domain,
    member: null,
    adagents_valid: validity(known),
    discovery_method: known?.discovery_method ?? null,
    manager_domain: known?.manager_domain ?? null,
    hosting: {
      mode: hostingMode(known),
      expected_url: wellKnownUrl(domain),
      resolved_url: resolved,
      last_validated: isoOf(known?.verified_at ?? 0),
      last_http_status: known?.last_http_status ?? null,
      last_bytes: known?.last_bytes ?? null,
    },
    crawl: crawlView(known, now),
    files: {
      adagents_json: {
        status: known?.file_id
          ? ('valid' as const)
          : isUnusable(known)
            ? ('invalid' as const)
            : ('unknown' as const),
        expected_url: wellKnownUrl(domain),
      },
      brand_json: {
        status: brand?.manifest ? ('present' as const) : ('unknown' as const),
        name: brand?.manifest?.identity.brand_name ?? null,
      },
    },
    properties: isSaved
      ? savedProperty(entry).properties.map((one) => ({ ...one, source: 'community' as const }))
      : properties.map((one) => propertyView(one, known)),
    authorized_agents: rollup(rows.filter(({ terms }) => isInEffect(terms, now))),
    rollup_truncated: rows.length >= mostAgents || properties.length >= mostProperties,
  }
}

/** A property that only another party's file describes is `discovered`. */
function propertyView(
  { property_id, property_type, name, identifiers, tags }: StoredProperty,
  known: CrawledDomain | undefined,
) {
  const source = known?.file_id ? ('adagents_json' as const) : ('discovered' as const)
  return { id: property_id, type: property_type, name, identifiers, tags, source }
}

/** The domain serves a file, but it is unusable. */
function isUnusable(known: CrawledDomain | undefined): boolean {
  return known?.status === 'invalid' || (known?.error_code === 'not_json' && !known.file_id)
}

/** Null while it is not known. */
function validity(known: CrawledDomain | undefined): boolean | null {
  if (!known || known.status === 'never') return null
  if (known.file_id !== null) return true
  return known.status === 'failed' && !isUnusable(known) ? null : false
}

function hostingMode(known: CrawledDomain | undefined) {
  if (isUnusable(known)) return 'self_invalid' as const
  if (!known?.file_id) return 'none' as const
  return known.discovery_method === 'direct' ? ('self' as const) : ('self_redirected' as const)
}

function crawlView(known: CrawledDomain | undefined, now: number) {
  if (!known) {
    return {
      status: 'never' as const,
      since: null,
      last_attempt_at: null,
      next_attempt_at: null,
      is_stale: false,
      failures: 0,
      error_code: null,
      error: null,
      held_location: null,
      faults: [],
    }
  }
  return {
    status: known.status,
    since: isoOf(known.status_since),
    last_attempt_at: isoOf(known.checked_at),
    next_attempt_at: isoOf(known.next_crawl_at),
    is_stale: known.file_id !== null && now - known.verified_at > STALE_MS,
    failures: known.failures,
    error_code: known.error_code,
    error: known.error,
    held_location: known.held_location,
    faults: known.faults.map((fault) => ({ ...fault })),
  }
}

/** One entry per agent, with the properties of all its authorizations. */
function rollup(rows: readonly ReadAuthorization[]) {
  const agents = new Map<string, ReadAuthorization[]>()
  for (const row of rows) agents.set(row.agent_url, [...(agents.get(row.agent_url) ?? []), row])
  return [...agents].map(([url, [first, ...others]]) => {
    const own = first as ReadAuthorization
    const ids = new Set([own, ...others].flatMap(({ property_ids }) => property_ids))
    return {
      url,
      authorized_for: own.terms.authorized_for,
      source: own.status === 'claimed' ? ('agent_claim' as const) : ('adagents_json' as const),
      properties_authorized: ids.size,
      properties_total: own.properties_total,
      publisher_wide: ids.size > 0 && ids.size === own.properties_total,
    }
  })
}

/** Undefined if neither is known. */
export async function publisherRollup(
  { authorizations, clock }: PublisherViewPorts,
  { domain, agent_url }: { domain: string; agent_url: string },
) {
  const now = clock.now()
  const pairs = await authorizations.ofPairs([{ agent_url, publisher_domain: domain }])
  const rows = pairs.filter(({ terms }) => isInEffect(terms, now))
  const [agent] = rollup(rows)
  if (!agent) return undefined
  const limit = AUTHORIZATION_LIMITS.propertiesOfPublisher.value
  const ids = new Set(rows.flatMap(({ property_ids }) => property_ids))
  const others = (await authorizations.properties(domain, { limit })).filter(
    ({ property_id }) => !ids.has(property_id),
  )
  return {
    publisher_domain: domain,
    agent_url,
    authorized: agent.properties_authorized,
    total: agent.properties_total,
    publisher_wide: agent.publisher_wide,
    source: agent.source,
    authorized_for: agent.authorized_for,
    unauthorized_properties: others.map((one) => ({
      id: one.property_id,
      name: one.name,
      type: one.property_type,
    })),
  }
}

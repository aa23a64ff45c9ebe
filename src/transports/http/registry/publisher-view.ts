// A publisher as the registry's readers see it: what its site says, when that was last read, and what follows.

import type { Clock } from '../../../lib/clock.ts'
import { AUTHORIZATION_LIMITS } from '../../../registry/authorizations/limits.ts'
import type {
  AuthorizationStore,
  FileStore,
  ReadAuthorization,
} from '../../../registry/authorizations/store.ts'
import { wellKnownUrl } from '../../../registry/crawler/find-file.ts'
import { STALE_MS } from '../../../registry/crawler/limits.ts'
import type { CrawledDomain, CrawlStore } from '../../../registry/crawler/store.ts'

export interface PublisherViewPorts {
  authorizations: AuthorizationStore
  crawl: Pick<CrawlStore, 'get'>
  files: Pick<FileStore, 'get'>
  clock: Clock
}

const isoOf = (time: number) => (time === 0 ? null : new Date(time).toISOString())

export async function publisherView(
  { authorizations, crawl, clock }: PublisherViewPorts,
  domain: string,
) {
  const mostAgents = AUTHORIZATION_LIMITS.agentsOfPublisher.value
  const mostProperties = AUTHORIZATION_LIMITS.propertiesOfPublisher.value
  const known = await crawl.get(domain)
  const rows = await authorizations.ofPublisher(domain, mostAgents)
  const properties = await authorizations.properties(domain, { limit: mostProperties })
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
    crawl: crawlView(known, clock.now()),
    files: {
      adagents_json: {
        status: known?.file_id
          ? ('valid' as const)
          : known?.status === 'invalid'
            ? ('invalid' as const)
            : ('unknown' as const),
        expected_url: wellKnownUrl(domain),
      },
    },
    properties: properties.map((property) => ({
      id: property.property_id,
      type: property.property_type,
      name: property.name,
      identifiers: property.identifiers,
      tags: property.tags,
      source: 'adagents_json' as const,
    })),
    authorized_agents: rollup(rows),
    rollup_truncated: rows.length >= mostAgents || properties.length >= mostProperties,
  }
}

/** Null while it is not known. */
function validity(known: CrawledDomain | undefined): boolean | null {
  if (!known || known.status === 'never') return null
  if (known.file_id !== null) return true
  return known.status === 'failed' ? null : false
}

function hostingMode(known: CrawledDomain | undefined) {
  if (known?.status === 'invalid') return 'self_invalid' as const
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

/** One for each agent, with the properties of all its authorizations. */
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

/** Undefined when nothing is known of the two. */
export async function publisherRollup(
  { authorizations }: PublisherViewPorts,
  { domain, agent_url }: { domain: string; agent_url: string },
) {
  const rows = await authorizations.ofPairs([{ agent_url, publisher_domain: domain }])
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

// Lists of publishers with a file, with counts of the file's contents.

import type { Clock } from '../../lib/clock.ts'
import { type SavedEntry, sourceOf } from '../saved/entry.ts'
import type { SavedStore } from '../saved/store.ts'
import type { PublisherStore, RegistryTotals } from './store.ts'

export interface ListedProperty {
  domain: string
  source: 'adagents_json' | 'hosted' | 'community' | 'discovered'
  property_count: number
  agent_count: number
  verified: boolean
}

export async function listProperties(
  { publishers, saved, clock }: { publishers: PublisherStore; saved: SavedStore; clock: Clock },
  { search = '', limit, offset }: { search?: string | undefined; limit: number; offset: number },
): Promise<ListedProperty[]> {
  const text = search.trim().toLowerCase()
  const most = { limit: offset + limit, offset: 0 }
  const [heads, entries, discovered] = await Promise.all([
    publishers.list({ ...most, prefix: text }),
    saved.list('property', { ...most, search: text }),
    publishers.discovered({ prefix: text, limit: most.limit }),
  ])
  // Later ones take precedence.
  const all = new Map<string, ListedProperty>(discovered.map((one) => [one.domain, described(one)]))
  for (const entry of entries) all.set(entry.domain, savedEntry(entry))
  for (const { domain } of heads) all.set(domain, crawled(domain))
  const page = [...all.values()]
    .sort((a, b) => (a.domain < b.domain ? -1 : 1))
    .slice(offset, offset + limit)
  const own = page.filter(({ source }) => source === 'adagents_json')
  const counts = await publishers.counts(
    own.map(({ domain }) => domain),
    clock.now(),
  )
  for (const one of own) {
    one.property_count = counts.get(one.domain)?.properties ?? 0
    one.agent_count = counts.get(one.domain)?.agents ?? 0
  }
  return page
}

function described({ domain, properties }: { domain: string; properties: number }): ListedProperty {
  return {
    domain,
    source: 'discovered',
    property_count: properties,
    agent_count: 0,
    verified: false,
  }
}

function savedEntry(entry: SavedEntry): ListedProperty {
  const { properties } = entry.body as { properties: unknown[] }
  return {
    domain: entry.domain,
    source: sourceOf(entry),
    property_count: properties.length,
    agent_count: 0,
    verified: entry.owner !== null,
  }
}

/** Without its counts. */
function crawled(domain: string): ListedProperty {
  return { domain, source: 'adagents_json', property_count: 0, agent_count: 0, verified: true }
}

export interface ListedPublisher {
  domain: string
  source: 'discovered'
  agent_count: number
  property_count: number
  last_validated?: string
  has_valid_adagents: true
}

export async function listPublishers(
  { publishers, clock }: { publishers: PublisherStore; clock: Clock },
  { limit }: { limit: number },
): Promise<ListedPublisher[]> {
  const heads = await publishers.list({ prefix: '', limit, offset: 0 })
  const counts = await publishers.counts(
    heads.map(({ domain }) => domain),
    clock.now(),
  )
  return heads.map(({ domain, verified_at }) => ({
    domain,
    source: 'discovered',
    agent_count: counts.get(domain)?.agents ?? 0,
    property_count: counts.get(domain)?.properties ?? 0,
    ...(verified_at > 0 ? { last_validated: new Date(verified_at).toISOString() } : {}),
    has_valid_adagents: true,
  }))
}

/** Above this number, a total is no longer counted. */
export const MOST_COUNTED = 100_000

export type RegistryStats = RegistryTotals & { brands: number; counted_up_to: number }

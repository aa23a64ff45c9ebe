// `GET /api/registry/agents/search`: searches agents by their inventory. Filters of different kinds must all match;
// of each, one matching value is enough. Results are sorted by score, then by URL, also across pages; agents that
// nobody has authorized yet share one score, so they are sorted by URL.

import type { Clock } from '../../lib/clock.ts'
import { defined } from '../../lib/defined.ts'
import { cursorOf, NO_CURSOR, readCursor } from '../../protocol/cursor.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import { summaryOf } from '../compliance/check-agent.ts'
import type { ComplianceStore, StoredCompliance } from '../compliance/store.ts'
import { type InventoryProfile, inventoryOf, MILLION } from '../profiles/profile.ts'
import type { FoundProfile, ProfileStore } from '../profiles/store.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { DirectoryReader } from './store.ts'

/** Filters that are comma-separated lists. */
export const PROFILE_FILTERS = [
  'channels',
  'property_types',
  'markets',
  'categories',
  'tags',
  'delivery_types',
] as const

type ListFilters = { [Name in (typeof PROFILE_FILTERS)[number]]?: string | undefined }

export interface AgentSearch extends ListFilters {
  type?: string | undefined
  has_tmp?: 'true' | 'false' | undefined
  min_properties?: number | undefined
  cursor?: string | undefined
  limit: number
}

/** Two shapes at once: clients read the nested one, the public description has the flat one. */
interface FoundAgent extends InventoryProfile {
  url: string
  name: string
  type: string
  inventory_profile: InventoryProfile
  match: { score: number; matched_filters: string[] }
  agent_url: string
  relevance_score: number
  matched_filters: string[]
  updated_at: string
  /** How a listed agent did in its last examination. */
  compliance_summary?: ReturnType<typeof summaryOf>
}

export interface SearchPorts {
  profiles: Pick<ProfileStore, 'search'>
  compliance: Pick<ComplianceStore, 'some'>
  clock: Clock
}

export interface AgentSearchPage {
  results: FoundAgent[]
  cursor: string | null
  has_more: boolean
}

export async function searchAgents(
  { profiles, compliance, clock }: SearchPorts,
  reader: DirectoryReader,
  search: AgentSearch,
): Promise<{ ok: true; page: AgentSearchPage } | Refusal> {
  const { type, has_tmp, min_properties, cursor, limit } = search
  for (const name of PROFILE_FILTERS) {
    const most = CATALOGUE_LIMITS.agentFilterValues.value
    if (valuesOf(search[name]).length > most) return refuse(400, `${name}: at most ${most} values`)
  }
  const list = `agents ${JSON.stringify([...filtersOf(search), type ?? null])}`
  const place = cursor ? readCursor(list, cursor, ['integer', 'text'] as const) : undefined
  if (cursor && !place) return refuse(400, NO_CURSOR)
  const lists = PROFILE_FILTERS.map((name) => [name, valuesOf(search[name])] as const)
  const { found, lookedTo } = await profiles.search({
    reader,
    type,
    has_tmp: has_tmp === undefined ? undefined : has_tmp === 'true',
    min_properties,
    lists: Object.fromEntries(lists.filter(([, values]) => values.length > 0)),
    after: place && { rank: place[0], agent_url: place[1] },
    limit: limit + 1,
  })
  const returned = found.slice(0, limit)
  const last = found.length > limit ? returned.at(-1)?.profile : lookedTo
  // Only who sees the listing of an agent sees how it does.
  const listed = returned.flatMap(({ listing, profile }) => (listing ? [profile.agent_url] : []))
  const examined =
    listed.length > 0 ? await compliance.some(listed) : new Map<string, StoredCompliance>()
  const results = returned.map((one): FoundAgent => {
    const stored = examined.get(one.profile.agent_url)
    const isKnown = stored !== undefined && stored.last_checked_at > 0
    const compliance_summary = isKnown ? summaryOf(stored, clock.now()) : undefined
    return { ...foundOf(one, search), ...defined({ compliance_summary }) }
  })
  const page: AgentSearchPage = {
    results,
    cursor: last ? cursorOf(list, [last.rank, last.agent_url]) : null,
    has_more: last !== undefined,
  }
  return { ok: true, page }
}

function foundOf({ profile, listing }: FoundProfile, search: AgentSearch): FoundAgent {
  const { agent_url } = profile
  const inventory = inventoryOf(profile)
  const matched_filters = matchedBy(search)
  const score = (matched_filters.length > 0 ? 1 : 0) + profile.rank / MILLION
  const updated_at = Math.max(profile.updated_at, listing?.updated_at ?? 0)
  return {
    url: agent_url,
    name: listing?.name ?? agent_url,
    type: listing?.type ?? 'unknown',
    inventory_profile: inventory,
    match: { score, matched_filters },
    agent_url,
    ...inventory,
    relevance_score: score,
    matched_filters,
    updated_at: new Date(updated_at).toISOString(),
  }
}

/** All filters of the request: an agent must match every one of them. */
function matchedBy(search: AgentSearch): string[] {
  const { type, has_tmp, min_properties } = search
  const lists = PROFILE_FILTERS.filter((name) => valuesOf(search[name]).length > 0)
  const others = Object.entries({ type, has_tmp, min_properties })
  return [...others.filter(([, value]) => value !== undefined).map(([name]) => name), ...lists]
}

function filtersOf(search: AgentSearch): unknown[] {
  const lists = PROFILE_FILTERS.map((name) => valuesOf(search[name]).sort())
  return [lists, search.has_tmp ?? null, search.min_properties ?? null]
}

function valuesOf(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

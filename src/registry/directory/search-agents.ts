// `GET /api/registry/agents/search`: agents by what their inventory is. Filters of several kinds must all match, one of
// the values of each is enough. The order is that of score, then of URL; what no publisher has said of an agent is not
// part of its profile, so agents that nobody has authorized yet have the same score and come in the order of their URLs.

import { cursorOf, NO_CURSOR, readCursor } from '../../protocol/cursor.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { AgentDirectory, DirectoryReader, ListedAgent } from './store.ts'

/** Filters that are lists between commas. */
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

interface InventoryProfile {
  channels: string[]
  property_types: string[]
  markets: string[]
  categories: string[]
  category_taxonomy: string | null
  tags: string[]
  delivery_types: string[]
  format_ids: string[]
  format_kinds: string[]
  property_count: number
  publisher_count: number
  has_tmp: boolean
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
}

export interface AgentSearchPage {
  results: FoundAgent[]
  cursor: string | null
  has_more: boolean
}

/** Of an agent that no publisher is known to have authorized. */
const NO_INVENTORY: InventoryProfile = {
  channels: [],
  property_types: [],
  markets: [],
  categories: [],
  category_taxonomy: null,
  tags: [],
  delivery_types: [],
  format_ids: [],
  format_kinds: [],
  property_count: 0,
  publisher_count: 0,
  has_tmp: false,
}

export async function searchAgents(
  directory: Pick<AgentDirectory, 'page'>,
  reader: DirectoryReader,
  search: AgentSearch,
): Promise<{ ok: true; page: AgentSearchPage } | Refusal> {
  const { type, cursor, limit } = search
  for (const name of PROFILE_FILTERS) {
    const most = CATALOGUE_LIMITS.agentFilterValues.value
    if (valuesOf(search[name]).length > most) return refuse(400, `${name}: at most ${most} values`)
  }
  const list = `agents ${JSON.stringify([...filtersOf(search), type ?? null])}`
  const place = cursor ? readCursor(list, cursor, ['text']) : undefined
  if (cursor && !place) return refuse(400, NO_CURSOR)
  if (asksForInventory(search)) return { ok: true, page: NOTHING }

  const found = await directory.page(reader, { type, after: place?.[0], limit: limit + 1 })
  const returned = found.slice(0, limit)
  const last = found.length > limit ? returned.at(-1) : undefined
  const page: AgentSearchPage = {
    results: returned.map((agent) => foundOf(agent, search)),
    cursor: last ? cursorOf(list, [last.url]) : null,
    has_more: last !== undefined,
  }
  return { ok: true, page }
}

const NOTHING: AgentSearchPage = { results: [], cursor: null, has_more: false }

/** Whether the search wants what `NO_INVENTORY` has not. */
function asksForInventory(search: AgentSearch): boolean {
  if (search.has_tmp === 'true' || (search.min_properties ?? 0) > 0) return true
  return PROFILE_FILTERS.some((name) => valuesOf(search[name]).length > 0)
}

function foundOf(agent: ListedAgent, search: AgentSearch): FoundAgent {
  const { url, name, type, updated_at } = agent
  const matched_filters = matchedBy(search)
  const score = matched_filters.length > 0 ? 1 : 0
  return {
    url,
    name: name ?? url,
    type,
    inventory_profile: NO_INVENTORY,
    match: { score, matched_filters },
    agent_url: url,
    ...NO_INVENTORY,
    relevance_score: score,
    matched_filters,
    updated_at,
  }
}

/** All that were requested: an agent that one of them does not match is not found. */
function matchedBy({ type, has_tmp, min_properties }: AgentSearch): string[] {
  const requested = { type, has_tmp, min_properties }
  return Object.entries(requested)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
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

// `list_creatives`: the caller's creatives, filtered, sorted and in pages (spec 4.5). Archived creatives are returned
// only if that status is requested.

import { mapPaced } from '../lib/chunks.ts'
import { defined } from '../lib/defined.ts'
import { cursorOf, pageAfter } from '../protocol/cursor.ts'
import { noteMissing } from '../protocol/note-missing.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import {
  type CreativeStatus,
  creativeStatus,
  type LibraryCreative,
} from '../protocol/schemas/creative-library.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import { formatIdRefusal } from '../protocol/schemas/generation-rules.ts'
import {
  type ListCreativesRequest,
  type ListCreativesResponse,
  listCreativesRequest,
  listCreativesResponse,
} from '../protocol/schemas/list-creatives.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { byKind } from './canonical/kind-format.ts'
import { listCost } from './library-cost.ts'
import { libraryOwner } from './library-owner.ts'
import type {
  CreativeFilter,
  CreativePage,
  CreativeQuery,
  CreativeSortField,
  CreativeStore,
  StoredAssignment,
  StoredCreative,
} from './library-store.ts'
import { MAX_LIST_ASSIGNMENTS, MAX_LIST_BYTES } from './limits.ts'
import { type FindFormat, formatKeyOf, formatNameOf } from './manifest-check/find-format.ts'

export interface ListCreativesPorts {
  findFormat: FindFormat
  library: CreativeStore
}

const DEFAULT_PAGE = 50

export function listCreatives({
  findFormat,
  library,
}: ListCreativesPorts): Task<ListCreativesRequest, ListCreativesResponse> {
  return defineTask({
    name: 'list_creatives',
    summary: 'The creatives in the caller’s library, filtered, sorted and in pages',
    area: 'creative',
    access: 'tasks',
    changes: false,
    request: listCreativesRequest,
    response: listCreativesResponse,
    refusalFor: formatIdRefusal,
    cost: listCost(library, { defaultPage: DEFAULT_PAGE }),
    handle: async (request, call) => {
      const { principal, calledOn, version } = call
      const owner = libraryOwner(principal)
      const keyOf = (formatId: FormatId) => {
        const found = findFormat(formatId, calledOn)
        return found.ok ? formatKeyOf(found.format) : undefined
      }
      const inBuys = await inBuysOf(library, owner, request)
      const query = queryOf(request, { keyOf, creative_ids: inBuys?.creative_ids })
      const shows = returnedMembers(request)
      const page = await library.list(owner, { ...query, most: mostOf(shows) })
      noteUnknown(request, page, { keyOf, call })
      noteMissing(call, {
        field: '/filters/media_buy_ids',
        ids: request.filters?.media_buy_ids,
        found: inBuys?.media_buy_ids ?? [],
        what: 'media buy',
      })
      const assignments = shows('assignments')
        ? await library.assignmentsOf(owner, page.creatives)
        : NONE
      const inKinds = hasFeature(version, 'creatives_by_kind')
      const displayed = await mapPaced(page.creatives, (creative) => {
        const own = assignments.get(creative.creative_id) ?? []
        const { format_kind, ...others } = creative.others
        const row = serializeCreative({ ...creative, others }, own, shows)
        const isByKind = inKinds && format_kind !== undefined
        return isByKind ? serializeByKind(row, creative, { findFormat, calledOn }) : row
      })
      return answerOf(request, query, { page, creatives: displayed })
    },
  })
}

/** What a filter by media buys leaves: with creative_ids beside it, those that are in both. */
async function inBuysOf(
  library: CreativeStore,
  owner: string,
  { filters = {} }: ListCreativesRequest,
): Promise<{ media_buy_ids: string[]; creative_ids: string[] } | undefined> {
  const { media_buy_ids, creative_ids } = filters
  if (media_buy_ids === undefined) return undefined
  const found = await library.inBuys(owner, media_buy_ids)
  if (creative_ids === undefined) return found
  const named = new Set(creative_ids)
  return { ...found, creative_ids: found.creative_ids.filter((id) => named.has(id)) }
}

/** A creative that another filter excluded, or that was on an earlier page, is not unknown. */
function noteUnknown(
  { filters = {}, pagination }: ListCreativesRequest,
  { creatives, hasMore }: CreativePage,
  { keyOf, call }: { keyOf: (formatId: FormatId) => string | undefined; call: CallContext },
): void {
  const formats = filters.format_ids?.map(({ id }) => id)
  const known = filters.format_ids?.flatMap((one) => (keyOf(one) === undefined ? [] : [one.id]))
  noteMissing(call, {
    field: '/filters/format_ids',
    ids: formats,
    found: known ?? [],
    what: 'format',
  })
  const isOnlyFilter = Object.keys(filters).length === 1 && pagination?.cursor === undefined
  if (!isOnlyFilter || hasMore) return
  const found = creatives.map(({ creative_id }) => creative_id)
  noteMissing(call, {
    field: '/filters/creative_ids',
    ids: filters.creative_ids,
    found,
    what: 'creative',
  })
}

const NONE: ReadonlyMap<string, readonly StoredAssignment[]> = new Map()

/** A page ends before its content or its assignments become too much for one response. */
function mostOf(shows: Shows): NonNullable<CreativeQuery['most']> {
  return {
    bytes: MAX_LIST_BYTES,
    assignments: shows('assignments') ? MAX_LIST_ASSIGNMENTS : Number.POSITIVE_INFINITY,
  }
}

function queryOf(
  { filters = {}, sort = {}, pagination = {} }: ListCreativesRequest,
  resolved: Resolved,
): CreativeQuery {
  const { field = 'created_date', direction = 'desc' } = sort
  const sorted = { field, direction }
  return {
    filter: filterOf(filters, resolved),
    sort: sorted,
    limit: pagination.max_results ?? DEFAULT_PAGE,
    ...defined({ after: readPlace(sorted, pagination.cursor) }),
  }
}

interface Resolved {
  keyOf: (formatId: FormatId) => string | undefined
  /** In place of those of the filter. */
  creative_ids: readonly string[] | undefined
}

type Filters = NonNullable<ListCreativesRequest['filters']>

function filterOf(
  filters: Filters,
  { keyOf, creative_ids = filters.creative_ids }: Resolved,
): CreativeFilter {
  const { format_ids, unassigned } = filters
  return {
    statuses: statusesOf(filters),
    ...defined({
      creative_ids,
      formatKeys: format_ids?.map(keyOf).filter((key) => key !== undefined),
      nameContains: filters.name_contains,
      tagsAll: filters.tags,
      tagsAny: filters.tags_any,
      concept_ids: filters.concept_ids,
      isAssigned: unassigned === undefined ? undefined : !unassigned,
      createdAfter: msOf(filters.created_after),
      createdBefore: msOf(filters.created_before),
      updatedAfter: msOf(filters.updated_after),
      updatedBefore: msOf(filters.updated_before),
    }),
  }
}

/** Both filters together match what both of them match. */
function statusesOf({ status, statuses }: Filters): CreativeStatus[] {
  const all = creativeStatus.options
  if (status === undefined && statuses === undefined) {
    return all.filter((one) => one !== 'archived')
  }
  return all.filter(
    (one) => (status ?? one) === one && (statuses === undefined || statuses.includes(one)),
  )
}

function msOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time)
}

type Shows = (member: string) => boolean

/** Whether an optional member is requested. */
function returnedMembers({ fields, include_assignments = true }: ListCreativesRequest): Shows {
  return (member) => {
    if (member === 'assignments' && !include_assignments) return false
    return fields === undefined || fields.includes(member)
  }
}

function serializeCreative(
  creative: StoredCreative,
  assignments: readonly StoredAssignment[],
  shows: Shows,
): LibraryCreative {
  const { creative_id, name, format_id, status, assets, tags, concept_id, concept_name } = creative
  const showsConcept = shows('concept') || shows('concept_id')
  return {
    // First, so that none of them can override a member set here.
    ...Object.fromEntries(Object.entries(creative.others).filter(([member]) => shows(member))),
    creative_id,
    name,
    format_id,
    status,
    created_date: new Date(creative.created_at).toISOString(),
    updated_date: new Date(creative.updated_at).toISOString(),
    ...defined({
      assets: shows('assets') ? (assets as LibraryCreative['assets']) : undefined,
      tags: shows('tags') && tags.length > 0 ? [...tags] : undefined,
      concept_id: showsConcept ? concept_id : undefined,
      concept_name:
        (showsConcept || shows('concept_name')) && concept_name !== undefined
          ? concept_name
          : undefined,
      assignments: shows('assignments') ? assignmentsOf(assignments) : undefined,
    }),
  }
}

/**
 * spec 4.5, as in 3.2: a creative identified by its kind is returned that way, and never with a format_id as well.
 */
function serializeByKind(
  row: LibraryCreative,
  { format_id, assets }: StoredCreative,
  { findFormat, calledOn }: { findFormat: FindFormat; calledOn: string },
): LibraryCreative {
  const named = byKind({ format_id, assets } as Parameters<typeof byKind>[0], findFormat, calledOn)
  if (!named) return row
  const { format_id: _id, assets: own, ...others } = row
  const { format_kind } = named
  return { ...others, format_kind, ...defined({ assets: own && named.assets }) } as LibraryCreative
}

function assignmentsOf(own: readonly StoredAssignment[]): LibraryCreative['assignments'] {
  return {
    assignment_count: own.length,
    ...defined({ assigned_packages: own.length === 0 ? undefined : own.map(serializeAssignment) }),
  }
}

function serializeAssignment({ package_id, weight, placement_ids, assigned_at }: StoredAssignment) {
  return {
    package_id,
    assigned_date: new Date(assigned_at).toISOString(),
    ...defined({ weight, placement_ids }),
  }
}

function answerOf(
  { filters = {} }: ListCreativesRequest,
  query: CreativeQuery,
  { page, creatives }: { page: CreativePage; creatives: LibraryCreative[] },
): ListCreativesResponse {
  const applied = Object.entries(filters).filter(([, value]) => value !== undefined)
  const byName = new Map<string, number>()
  for (const [key, count] of Object.entries(page.byFormat)) {
    const name = formatNameOf(key)
    byName.set(name, (byName.get(name) ?? 0) + count)
  }
  const format_summary = Object.fromEntries(byName)
  return {
    query_summary: {
      total_matching: page.total,
      returned: page.creatives.length,
      filters_applied: applied.map(([name]) => name).filter((name) => FILTERS.has(name)),
      sort_applied: query.sort,
    },
    pagination: {
      has_more: page.hasMore,
      ...defined({ cursor: page.hasMore ? cursorAfter(query, page) : undefined }),
      total_count: page.total,
    },
    creatives,
    format_summary,
    status_summary: page.byStatus,
  }
}

/** The members of `filters` that are read; others are allowed. */
const FILTERS: ReadonlySet<string> = new Set([
  'creative_ids',
  'statuses',
  'status',
  'format_ids',
  'name_contains',
  'tags',
  'tags_any',
  'concept_ids',
  'media_buy_ids',
  'unassigned',
  'created_after',
  'created_before',
  'updated_after',
  'updated_before',
])

function sortValueOf(creative: StoredCreative, field: CreativeSortField): string | number {
  switch (field) {
    case 'created_date':
      return creative.created_at
    case 'updated_date':
      return creative.updated_at
    case 'name':
      return creative.name.toLowerCase()
    default:
      return creative[field]
  }
}

const TEXT_FIELDS: readonly CreativeSortField[] = ['name', 'status']

/** The last creative of the page, and the sort order it applies to. */
function cursorAfter({ sort }: CreativeQuery, { creatives }: CreativePage): string | undefined {
  const last = creatives.at(-1)
  return last && cursorOf(listOf(sort), [sortValueOf(last, sort.field), last.creative_id])
}

function readPlace(
  sort: CreativeQuery['sort'],
  cursor: string | undefined,
): CreativeQuery['after'] {
  const value = TEXT_FIELDS.includes(sort.field) ? 'text' : 'integer'
  const place = pageAfter(listOf(sort), cursor, [value, 'text'])
  return place && { value: place[0], creative_id: place[1] }
}

function listOf({ field, direction }: CreativeQuery['sort']): string {
  return `list_creatives ${field} ${direction}`
}

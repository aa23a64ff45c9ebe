// `list_creative_formats`: the formats of the catalogue, filtered and optionally paginated, plus other agents that
// have more (spec 4.2). Responses depend on little, so they are cached as JSON.

import { canonicalJson } from '../lib/canonical-json.ts'
import { defined } from '../lib/defined.ts'
import { createRecentCache } from '../lib/recent-cache.ts'
import { agentUrlsAt } from '../protocol/agent-url.ts'
import { cursorOf, noCursor, pageAfter } from '../protocol/cursor.ts'
import { noteMissing } from '../protocol/note-missing.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import type { PaginationResponse } from '../protocol/schemas/common.ts'
import type { Format } from '../protocol/schemas/format.ts'
import { formatIdRefusal, NEWER_MEMBERS } from '../protocol/schemas/generation-rules.ts'
import {
  type ListCreativeFormatsRequest,
  type ListCreativeFormatsResponse,
  listCreativeFormatsRequest,
  listCreativeFormatsResponse,
} from '../protocol/schemas/list-creative-formats.ts'
import {
  type CallContext,
  defineTask,
  type Prepared,
  prepare,
  type Task,
  type TaskCost,
} from '../protocol/task.ts'
import { addressedTo, type FormatCatalogue } from './format-catalogue.ts'
import { type FormatFilters, filterFormats, type NameOf } from './format-filters.ts'
import { summaryOf } from './format-summary.ts'

export interface ListCreativeFormatsPorts {
  catalogue: FormatCatalogue
  /** The URL in every format id that is sent. Read at each call: it is unknown until the server listens. */
  publicUrl: () => string
  /** Other URLs by which format ids may refer to this server; `*` matches any. */
  ownAgentUrls: readonly string[]
  /** URLs of other agents that provide more formats. */
  creativeAgents: readonly string[]
}

export function listCreativeFormats(
  ports: ListCreativeFormatsPorts,
): Task<ListCreativeFormatsRequest, ListCreativeFormatsResponse> {
  const withMacros = createFallback(ports, (format) => format)
  const others = createFallback(ports, withMacrosInExt)
  return defineTask({
    name: 'list_creative_formats',
    summary: 'The creative formats that this agent supports, filtered',
    area: 'creative',
    access: 'public',
    changes: false,
    newerMembers: NEWER_MEMBERS.list_creative_formats,
    request: listCreativeFormatsRequest,
    response: listCreativeFormatsResponse,
    refusalFor: formatIdRefusal,
    cost: costOf(ports),
    handle: async (request, call) => {
      noteUnknown(ports, request, call)
      const { calledOn, version } = call
      const known = hasFeature(version, 'macros_of_formats') ? withMacros : others
      return known.answer(request, calledOn)
    },
  })
}

const ID_FILTERS = ['format_ids', 'output_format_ids', 'input_format_ids'] as const

function noteUnknown(
  ports: ListCreativeFormatsPorts,
  request: ListCreativeFormatsRequest,
  call: CallContext,
): void {
  if (ID_FILTERS.every((filter) => request[filter] === undefined)) return
  const nameOf = formatNames(ports, [ports.publicUrl(), call.calledOn])
  for (const filter of ID_FILTERS) {
    const named = request[filter]
    const known = named?.filter((formatId) => nameOf(formatId) !== undefined)
    noteMissing(call, {
      field: `/${filter}`,
      ids: named?.map(({ id }) => id),
      found: known?.map(({ id }) => id) ?? [],
      what: 'format',
      known: [...ports.catalogue.aliases.keys(), ...formatNamesOf(ports)],
    })
  }
}

function formatNamesOf({ catalogue }: ListCreativeFormatsPorts): string[] {
  return catalogue.formats.map(({ format_id }) => format_id.id)
}

function formatNames(
  { catalogue, ownAgentUrls }: ListCreativeFormatsPorts,
  ownUrls: readonly string[],
): NameOf {
  const urls = [...agentUrlsAt(ownUrls), ...ownAgentUrls]
  return (formatId) => {
    const meant = catalogue.find(formatId, urls)
    return meant.ok ? meant.format.format_id.id : undefined
  }
}

/** Units for each format returned, and for each one compared with an id of a filter. */
const COST = { call: 10, returned: 2, compared: 0.02 } as const

function costOf({ catalogue }: ListCreativeFormatsPorts): TaskCost<ListCreativeFormatsRequest> {
  return {
    grows: 'formats of the catalogue × ids of the filters',
    limit: 50_000,
    estimate: (request) => {
      const { format_ids, output_format_ids, input_format_ids } = request
      const formats = catalogue.formats.length
      const page = pageOfRequest(request)?.max_results ?? formats
      const ids = [format_ids, output_format_ids, input_format_ids].flatMap((list) => list ?? [])
      return (
        COST.call + COST.returned * Math.min(page, formats) + COST.compared * formats * ids.length
      )
    },
    reduce: { field: '/format_ids', advice: 'Send fewer format ids in the filters.' },
  }
}

/** What a response depends on besides the public URL. */
const COUNTED_MEMBERS = [
  'format_ids',
  'type',
  'asset_types',
  'max_width',
  'max_height',
  'min_width',
  'min_height',
  'is_responsive',
  'name_search',
  'wcag_level',
  'disclosure_positions',
  'disclosure_persistence',
  'output_format_ids',
  'input_format_ids',
  'pagination',
  'detail',
] as const

type Answer = Prepared<ListCreativeFormatsResponse>

interface Fallback {
  answer(request: ListCreativeFormatsRequest, calledOn: string): Answer
}

// A response with every format is some hundred kilobytes, so callers must not be able to make many of them stay
// cached.
const KEPT_ANSWERS = 64
const MAX_KEY_CHARS = 1_024

/** 3.x lists there only names that are not universal macros; every format supports those. */
function withMacrosInExt({ supported_macros, ...format }: Format): Format {
  if (supported_macros === undefined) return format
  return { ...format, ext: { ...format.ext, supported_macros } }
}

/** The formats and responses for the public URL; rebuilt if it changes. */
function createFallback(
  ports: ListCreativeFormatsPorts,
  displayed: (format: Format) => Format,
): Fallback {
  const kept = createRecentCache<Answer>(KEPT_ANSWERS)
  let displayUrl: string | undefined
  let formats: readonly Format[] = []
  let unfiltered: Answer | undefined
  return {
    answer: (request, calledOn) => {
      const publicUrl = ports.publicUrl()
      if (publicUrl !== displayUrl) {
        displayUrl = publicUrl
        formats = ports.catalogue.formats.map((format) => displayed(addressedTo(publicUrl, format)))
        unfiltered = undefined
        kept.clear()
      }
      const counted = COUNTED_MEMBERS.filter((name) => request[name] !== undefined)
      if (counted.length === 0) {
        unfiltered ??= prepare({ formats: [...formats], ...othersOf(ports) })
        return unfiltered
      }
      const named = counted.map((name) => [name, request[name]])
      const key = canonicalJson([calledOn, Object.fromEntries(named)])
      const known = kept.get(key)
      if (known) return known
      const answer = prepare(compute(request, formats, { ports, ownUrls: [publicUrl, calledOn] }))
      if (key.length <= MAX_KEY_CHARS) kept.set(key, answer)
      return answer
    },
  }
}

function compute(
  request: ListCreativeFormatsRequest,
  formats: readonly Format[],
  { ports, ownUrls }: { ports: ListCreativeFormatsPorts; ownUrls: readonly string[] },
): ListCreativeFormatsResponse {
  const filters: FormatFilters = request
  const found = filterFormats(formats, filters, formatNames(ports, ownUrls))
  const page = pageOfRequest(request)
  if (!page) return { formats: found, ...othersOf(ports) }
  const paged = pageOf(found, formats, page)
  const answer = request.detail === 'summary' ? summaryOf(paged) : paged
  return { ...answer, ...othersOf(ports) }
}

/** The requested page; undefined for all formats. */
function pageOfRequest({
  detail,
  pagination,
}: ListCreativeFormatsRequest): RequestedPage | undefined {
  if (detail !== 'summary' && pagination === undefined) return undefined
  const usual = detail === 'summary' ? SUMMARY_PAGE : DEFAULT_PAGE
  return { max_results: pagination?.max_results ?? usual, cursor: pagination?.cursor }
}

interface RequestedPage {
  max_results: number
  cursor: string | undefined
}

interface Page {
  formats: Format[]
  pagination: PaginationResponse
}

function othersOf({ creativeAgents }: ListCreativeFormatsPorts): {
  creative_agents?: { agent_url: string }[]
} {
  if (creativeAgents.length === 0) return {}
  return { creative_agents: creativeAgents.map((agent_url) => ({ agent_url })) }
}

const DEFAULT_PAGE = 50
const SUMMARY_PAGE = 20
const LIST = 'list_creative_formats'

/** One page of results. The cursor refers to the last format before the page. */
function pageOf(
  found: readonly Format[],
  all: readonly Format[],
  { max_results, cursor }: RequestedPage,
): Page {
  const rest = cursor === undefined ? found : after(found, all, cursor)
  const formats = rest.slice(0, max_results)
  const last = formats.at(-1)
  const next =
    last && rest.length > formats.length ? cursorOf(LIST, [last.format_id.id]) : undefined
  return {
    formats,
    pagination: {
      has_more: next !== undefined,
      ...defined({ cursor: next }),
      total_count: found.length,
    },
  }
}

/** By position in the catalogue, so that a cursor stays valid whatever the filters are. */
function after(found: readonly Format[], all: readonly Format[], cursor: string): Format[] {
  const [id] = pageAfter(LIST, cursor, ['text']) ?? []
  const last = all.findIndex(({ format_id }) => format_id.id === id)
  if (last < 0) throw noCursor()
  const passed = new Set(all.slice(0, last + 1))
  return found.filter((format) => !passed.has(format))
}

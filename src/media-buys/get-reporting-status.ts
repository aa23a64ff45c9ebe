// `get_reporting_status`: which delivery reports are pending, late or were not delivered (spec 6.2, 6.4). Windows
// that have ended but have not been processed yet are returned as pending, so nothing is missing from the response
// either.

import { mapPaced } from '../lib/chunks.ts'
import { defined } from '../lib/defined.ts'
import { oncePer } from '../lib/once-per.ts'
import { cursorOf, pageAfter } from '../protocol/cursor.ts'
import {
  type GetReportingStatusRequest,
  type GetReportingStatusResponse,
  getReportingStatusRequest,
  getReportingStatusResponse,
  type REPORTING_HEALTH,
} from '../protocol/schemas/get-reporting-status.ts'
import { defineTask, type Task, type TaskCost } from '../protocol/task.ts'
import { buyerOf } from './buyer-of.ts'
import { newWindows, nextWindowEnd } from './reporting/plan-visit.ts'
import { serializePeriod } from './reporting/report-event.ts'
import type {
  ReportState,
  ReportStore,
  ReportStream,
  ReportWindow,
  StateCounts,
} from './reporting/report-store.ts'
import { windowsIn } from './reporting/snapshot-cost.ts'
import { isEnded } from './states.ts'
import type { BuyOutline, MediaBuyStore } from './store.ts'

export interface ReportingStatusPorts {
  buys: Pick<MediaBuyStore, 'list'>
  reports: Pick<ReportStore, 'streams' | 'counts' | 'list'>
  clock: { now(): number }
}

const LIST = 'reporting_status'
const DEFAULT_PAGE = 50
const MOST_BUYS = 100
/**
 * Maximum number of a buy's windows without a row that are listed individually, the latest ones; the counts include
 * all.
 */
const MOST_UNOPENED = 50
const MISSING: readonly ReportState[] = ['owed', 'late', 'sent', 'given_up']

export function getReportingStatus(
  ports: ReportingStatusPorts,
): Task<GetReportingStatusRequest, GetReportingStatusResponse> {
  const buysOf = oncePer(async ({ media_buy_ids }: GetReportingStatusRequest, owner: string) => {
    const { buys } = await ports.buys.list(owner, { media_buy_ids, limit: MOST_BUYS })
    return buys
  })
  return defineTask({
    name: 'get_reporting_status',
    summary: 'Which delivery reports are pending, late, sent, delivered or failed permanently',
    area: 'media-buy',
    access: 'tasks',
    changes: false,
    request: getReportingStatusRequest,
    response: getReportingStatusResponse,
    cost: costOf(ports, buysOf),
    handle: async (request, call) => {
      const owner = buyerOf(call)
      return answer(ports, request, { owner, buys: await buysOf(request, owner) })
    },
  })
}

/** Windows are counted in an index: many cost one unit. */
const COUNTED = 50

function costOf(
  { clock }: ReportingStatusPorts,
  buysOf: (request: GetReportingStatusRequest, owner: string) => Promise<BuyOutline[]>,
): TaskCost<GetReportingStatusRequest> {
  return {
    grows: 'buys × windows that have ended',
    limit: 100_000,
    estimate: async (request, call) => {
      const found = await buysOf(request, buyerOf(call))
      const units = found.map((buy) => 10 + windowsOf(buy, clock.now()) / COUNTED)
      return units.reduce((sum, one) => sum + one, request.pagination?.max_results ?? DEFAULT_PAGE)
    },
    reduce: { field: '/media_buy_ids', advice: 'Send fewer media_buy_ids per call.' },
  }
}

function windowsOf(buy: BuyOutline, now: number): number {
  if (!buy.reporting) return 0
  const flight = { start: buy.start_at, end: Math.max(buy.start_at, Math.min(now, buy.end_at)) }
  return windowsIn(flight, buy.reporting.reporting_frequency)
}

interface Stood {
  buy: BuyOutline
  stream: ReportStream
  counts: StateCounts
  /** Windows that have ended and have no row yet. */
  unopened: ReportWindow[]
}

async function answer(
  { reports, clock }: ReportingStatusPorts,
  request: GetReportingStatusRequest,
  { owner, buys: found }: { owner: string; buys: readonly BuyOutline[] },
): Promise<GetReportingStatusResponse> {
  const now = clock.now()
  const { view = 'summary', pagination } = request
  const ids = found.map(({ media_buy_id }) => media_buy_id)
  const [streams, counts] = await Promise.all([reports.streams(ids), reports.counts(ids)])
  const stood = (
    await mapPaced(found, (buy): Stood[] => {
      const stream = streams.get(buy.media_buy_id)
      if (!stream) return []
      const unopened = newWindows({ stream, buy }, now)
      const counted = counts.get(buy.media_buy_id) as StateCounts
      const owed = counted.owed + unopened.length
      return [{ buy, stream, unopened, counts: { ...counted, owed } }]
    })
  ).flat()
  const states = request.states ?? (view === 'summary' ? MISSING : undefined)
  const place = pageAfter(LIST, pagination?.cursor, ['integer', 'text', 'text'])
  const page = await reports.list({
    owner,
    media_buy_ids: ids,
    states,
    limit: pagination?.max_results ?? DEFAULT_PAGE,
    after: place && {
      end: place[0],
      media_buy_id: place[1],
      kind: place[2] as ReportWindow['kind'],
    },
  })
  const last = page.windows.at(-1)
  const cursor =
    page.hasMore && last ? cursorOf(LIST, [last.end, last.media_buy_id, last.kind]) : undefined
  const zones = new Map(found.map((buy) => [buy.media_buy_id, buy.time_zone]))
  // Windows without a row come before all others, on the first page.
  const isPendingReturned = states === undefined || states.includes('owed')
  const unopened =
    !place && isPendingReturned
      ? stood.flatMap((one) => one.unopened.slice(-MOST_UNOPENED)).reverse()
      : []
  const returned = stood.map((one) => serializeStatus(one))
  return {
    ledger_as_of: new Date(now).toISOString(),
    health: worst(returned.map(({ health }) => health)),
    reporting_statuses: returned,
    periods: [...unopened, ...page.windows].map((window) =>
      serializeWindow(window, zones.get(window.media_buy_id) ?? 'UTC'),
    ),
    pagination: { has_more: page.hasMore, ...defined({ cursor }) },
  }
}

type Health = (typeof REPORTING_HEALTH)[number]

const BADNESS: readonly Health[] = ['complete', 'healthy', 'waiting', 'delayed', 'action_required']

function worst(all: readonly Health[]): Health {
  const places = all.map((health) => BADNESS.indexOf(health))
  return BADNESS[Math.max(...places)] ?? 'healthy'
}

/** Windows that failed permanently: fetch the data. Late: wait. Sent or pending: in progress. */
function healthOf({ buy, stream, counts }: Stood): Health {
  if (counts.given_up > 0) return 'action_required'
  if (counts.late > 0) return 'delayed'
  if (counts.owed + counts.sent > 0) return 'waiting'
  return stream.final_at !== undefined && isEnded(buy.status) ? 'complete' : 'healthy'
}

function serializeStatus(one: Stood): GetReportingStatusResponse['reporting_statuses'][number] {
  const { buy, stream, counts } = one
  const { opened_until, delay_ms, final_at, sequence_number } = stream
  const isWhole = counts.late + counts.owed === 0
  const nextEnd = final_at === undefined ? nextWindowEnd(stream, buy) : undefined
  return {
    media_buy_id: buy.media_buy_id,
    media_buy_status: buy.status,
    reporting_frequency: buy.reporting?.reporting_frequency ?? 'daily',
    health: healthOf(one),
    ...defined({
      data_through: isWhole ? isoOf(opened_until) : undefined,
      next_expected_at: isoOf(nextEnd === undefined ? undefined : nextEnd + delay_ms),
    }),
    last_sequence_number: sequence_number,
    obligation_counts: counts,
    is_final: final_at !== undefined,
  }
}

function isoOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}

function serializeWindow(
  window: ReportWindow,
  timeZone: string,
): GetReportingStatusResponse['periods'][number] {
  const { media_buy_id, kind, state, sequence_number, notification_types, reason } = window
  return {
    media_buy_id,
    reporting_period: serializePeriod(window, timeZone),
    state,
    ...(kind === 'final' ? { is_final_report: true } : {}),
    ...defined({ sequence_number }),
    notification_types: [...notification_types],
    ...defined({
      expected_availability: isoOf(state === 'late' ? window.expected_at : undefined),
      sent_at: isoOf(window.sent_at),
      ended_at: isoOf(window.ended_at),
      reason,
    }),
  }
}

// `get_media_buy_delivery`: what the caller's buys have delivered (spec 2.11, 4.5): in total, by package, and window
// by window with time_granularity. A window is returned as it was reported; only this task returns sums over several
// buys.

import { mapPaced } from '../lib/chunks.ts'
import { withDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { oncePer } from '../lib/once-per.ts'
import { cursorOf, pageAfter } from '../protocol/cursor.ts'
import { ManyErrors, ProtocolError, type TaskError, taskError } from '../protocol/errors.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import {
  type GetMediaBuyDeliveryRequest,
  type GetMediaBuyDeliveryResponse,
  getMediaBuyDeliveryRequest,
  getMediaBuyDeliveryResponse,
} from '../protocol/schemas/media-buys.ts'
import { defineTask, type Task, type TaskCost } from '../protocol/task.ts'
import { buyerOf } from './buyer-of.ts'
import { rangeOf } from './delivery-range.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { suggestBuys } from './near-buys.ts'
import type { ProductStore } from './product-store.ts'
import {
  type Counts,
  serializeCounts,
  serializeFigures,
  sumOfFigures,
  totalOf,
} from './reporting/figures.ts'
import { serializePeriod } from './reporting/report-event.ts'
import {
  type Snapshot,
  type SnapshotPorts,
  type SnapshotWindow,
  snapshotOf,
} from './reporting/snapshot.ts'
import { snapshotUnits } from './reporting/snapshot-cost.ts'
import type { Frequency } from './reporting/windows.ts'
import type { BuyPage, BuyQuery, MediaBuyStore } from './store.ts'

export interface GetDeliveryPorts extends SnapshotPorts {
  buys: Pick<MediaBuyStore, 'list' | 'whole' | 'productsOf'>
  products: Pick<ProductStore, 'get'>
  clock: { now(): number }
}

const DEFAULT_PAGE = 50
const LIST = 'media_buy_delivery'

export function getMediaBuyDelivery(
  ports: GetDeliveryPorts,
): Task<GetMediaBuyDeliveryRequest, GetMediaBuyDeliveryResponse> {
  const pageOf = oncePer((request: Request, owner: string) =>
    ports.buys.list(owner, queryOf(request)),
  )
  return defineTask({
    name: 'get_media_buy_delivery',
    summary: 'What media buys have delivered: in all, by package, and by hour, day or month',
    area: 'media-buy',
    access: 'tasks',
    changes: false,
    request: getMediaBuyDeliveryRequest,
    response: getMediaBuyDeliveryResponse,
    cost: costOf(ports, pageOf),
    handle: async (request, call) =>
      answer(ports, request, {
        page: await pageOf(request, buyerOf(call)),
        owner: buyerOf(call),
        signal: call.signal,
      }),
  })
}

type Request = GetMediaBuyDeliveryRequest & RequestEnvelope

/** Maximum windows × packages of one call: less than two seconds, and within the maximum size of a response. */
const MOST_UNITS = 150_000

function costOf(
  { clock }: GetDeliveryPorts,
  pageOf: (request: Request, owner: string) => Promise<BuyPage>,
): TaskCost<GetMediaBuyDeliveryRequest> {
  return {
    grows: 'windows × packages',
    limit: MOST_UNITS,
    estimate: async (request, call) => {
      const now = clock.now()
      const query = { range: rangeOf(request), granularity: granularityOf(request) }
      const { buys } = await pageOf(request, buyerOf(call))
      const units = buys.map((buy) =>
        snapshotUnits(buy, query, { now, hasReports: buy.reporting !== undefined }),
      )
      return units.reduce((sum, one) => sum + one, buys.length)
    },
    reduce: {
      field: '/start_date',
      advice:
        'Request fewer days with start_date and end_date, a coarser time_granularity, or fewer media_buy_ids: ' +
        'windows × packages must be at most about 50,000 in all.',
    },
  }
}

/** How long one call waits for the sources of all its buys; figures not received by then are not available yet. */
const ALL_SOURCES_MS = 30_000

async function answer(
  ports: GetDeliveryPorts,
  request: Request,
  { page, owner, signal }: { page: BuyPage; owner: string; signal: AbortSignal },
): Promise<GetMediaBuyDeliveryResponse> {
  const { buys, hasMore, total } = page
  const now = ports.clock.now()
  const query = { range: rangeOf(request), granularity: granularityOf(request) }
  const ids = buys.map(({ media_buy_id }) => media_buy_id)
  const missing = hasMore ? [] : await missingOf(ports, request, { owner, found: ids })
  // Without a buy, currency and period are unknown, and none is made up.
  const [first] = missing
  if (first && ids.length === 0) throw new ManyErrors([first, ...missing.slice(1)])
  await checkGranularity(ports, ids, request.time_granularity)
  const streams = await ports.reports.streams(ids)
  const returned: SerializedDelivery[] = []
  await withDeadline({ timeoutMs: ALL_SOURCES_MS, signals: [signal] }, async (within) => {
    for (const outline of buys) {
      const [whole] = await ports.buys.whole([outline])
      if (!whole) continue
      const stream = streams.get(outline.media_buy_id)
      const snapshot = await snapshotOf(ports, whole.buy, { query, now, signal: within, stream })
      returned.push({ ...summaryOf(snapshot), delivery: await serializeSnapshot(snapshot) })
    }
  })
  const currencies = new Set(buys.map(({ currency }) => currency))
  const last = buys.at(-1)
  const cursor = hasMore && last ? cursorOf(LIST, [last.created_at, last.media_buy_id]) : undefined
  return {
    reporting_period: periodOf(returned, now),
    currency: buys[0]?.currency ?? 'USD',
    media_buy_deliveries: returned.map(({ delivery }) => delivery),
    // Amounts in different currencies cannot be added.
    ...(currencies.size === 1 ? { aggregated_totals: aggregated(returned) } : {}),
    pagination: { has_more: hasMore, ...defined({ cursor, total_count: total }) },
    ...(missing.length > 0 ? { errors: missing } : {}),
  }
}

/** Ids that do not match a buy of the caller. A buy that a filter or an earlier page excluded is not missing. */
async function missingOf(
  { buys }: Pick<GetDeliveryPorts, 'buys'>,
  { media_buy_ids = [], status_filter, pagination }: Request,
  { owner, found }: { owner: string; found: readonly string[] },
): Promise<TaskError[]> {
  if (status_filter !== undefined || pagination?.cursor !== undefined) return []
  const known = new Set(found)
  const missing = media_buy_ids.flatMap((id, index) => (known.has(id) ? [] : [{ id, index }]))
  const suggestions = await suggestBuys(
    buys,
    owner,
    missing.map(({ id }) => id),
  )
  return missing.map(({ id, index }, n) =>
    taskError('MEDIA_BUY_NOT_FOUND', `no media buy ${id} belongs to you`, {
      field: `/media_buy_ids/${index}`,
      ...defined({ suggestion: suggestions[n] }),
    }),
  )
}

/** What is kept in memory of a buy once its part of the response is written. */
interface SerializedDelivery extends Pick<Snapshot, 'period'> {
  time_zone: string
  total: Counts
  delivery: GetMediaBuyDeliveryResponse['media_buy_deliveries'][number]
}

function summaryOf({ buy, period, figures }: Snapshot): Omit<SerializedDelivery, 'delivery'> {
  return { period, time_zone: buy.time_zone, total: totalOf(figures) }
}

function queryOf(request: Request): BuyQuery {
  const { media_buy_ids, status_filter, account, pagination } = request
  const wanted = typeof status_filter === 'string' ? [status_filter] : status_filter
  const unfiltered = media_buy_ids ? undefined : (['active'] as const)
  const place = pageAfter(LIST, pagination?.cursor, ['integer', 'text'])
  return {
    media_buy_ids,
    statuses: wanted ?? unfiltered,
    account_id: typeof account === 'string' ? account : account?.account_id,
    limit: pagination?.max_results ?? DEFAULT_PAGE,
    after: place && { created_at: place[0], media_buy_id: place[1] },
  }
}

function granularityOf(request: GetMediaBuyDeliveryRequest): Frequency | undefined {
  const { time_granularity, include_window_breakdown } = request
  return time_granularity ?? (include_window_breakdown ? 'daily' : undefined)
}

/** Only a granularity that every product declares can be requested (spec 6.4). */
async function checkGranularity(
  { buys, products }: Pick<GetDeliveryPorts, 'buys' | 'products'>,
  mediaBuyIds: readonly string[],
  wanted: Frequency | undefined,
): Promise<void> {
  if (!wanted) return
  const found = await products.get(await buys.productsOf(mediaBuyIds))
  const declared = [...found.values()].flatMap(
    ({ product }) => product.reporting_capabilities.windowed_pull_granularities ?? [],
  )
  const refusing = [...found.values()].find(({ product }) => {
    const granularities = product.reporting_capabilities.windowed_pull_granularities
    return granularities !== undefined && !granularities.includes(wanted)
  })
  if (!refusing) return
  const supported_granularities = [...new Set(declared)].filter((one) =>
    [...found.values()].every(({ product }) =>
      (product.reporting_capabilities.windowed_pull_granularities ?? [one]).includes(one),
    ),
  )
  throw new ProtocolError(
    'UNSUPPORTED_GRANULARITY',
    `/time_granularity: ${wanted} is not offered for ${refusing.product.product_id}: ask for ${
      supported_granularities.join(' or ') || 'none'
    }`,
    { field: '/time_granularity', details: { supported_granularities } },
  )
}

function periodOf(returned: readonly SerializedDelivery[], now: number) {
  const starts = returned.map(({ period }) => period.start)
  const ends = returned.map(({ period }) => period.end)
  const zones = new Set(returned.map(({ time_zone }) => time_zone))
  const [zone = 'UTC'] = zones
  const start = starts.length > 0 ? Math.min(...starts) : now
  const end = ends.length > 0 ? Math.max(...ends) : now
  return serializePeriod({ start, end }, zones.size > 1 ? 'UTC' : zone)
}

async function serializeSnapshot({ buy, figures, missing, is_final, windows }: Snapshot) {
  const { media_buy_id, status, currency } = buy
  return {
    media_buy_id,
    status: missing > 0 && !is_final ? ('reporting_delayed' as const) : status,
    media_buy_status: status,
    currency,
    ...serializeFigures(buy, figures),
    is_final,
    ...(windows ? { windows: await mapPaced(windows, (one) => serializeWindow(buy, one)) } : {}),
  }
}

function serializeWindow(buy: MediaBuyRecord, { start, end, figures, is_final }: SnapshotWindow) {
  return {
    window_start: new Date(start).toISOString(),
    window_end: new Date(end).toISOString(),
    // Missing figures are omitted: zeros would mean that nothing was delivered.
    ...(figures
      ? serializeFigures(buy, figures)
      : { totals: { spend: 0 }, by_package: [], status: 'reporting_delayed' }),
    is_final,
  }
}

function aggregated(returned: readonly SerializedDelivery[]) {
  const all = returned.map(({ total }) => ({ all: total }))
  return { ...serializeCounts(sumOfFigures(all).all ?? {}), media_buy_count: returned.length }
}

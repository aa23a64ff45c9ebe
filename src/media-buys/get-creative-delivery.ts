// `get_creative_delivery` (of 3.x): what each creative has delivered in each of the caller's buys.

import { withDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { oncePer } from '../lib/once-per.ts'
import type { Transact } from '../lib/transaction.ts'
import { cursorOf, pageAfter } from '../protocol/cursor.ts'
import { ProtocolError, type TaskError, taskError } from '../protocol/errors.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import {
  type CreativeDelivery,
  type GetCreativeDeliveryRequest,
  type GetCreativeDeliveryResponse,
  getCreativeDeliveryRequest,
  getCreativeDeliveryResponse,
} from '../protocol/schemas/get-creative-delivery.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { buyerOf } from './buyer-of.ts'
import { rangeOf } from './delivery-range.ts'
import { suggestBuys } from './near-buys.ts'
import type { FindOption } from './product-filters.ts'
import { divideCounts } from './reporting/creative-figures.ts'
import { type Counts, serializeCounts, sumOfFigures } from './reporting/figures.ts'
import { serializePeriod } from './reporting/report-event.ts'
import { type Snapshot, type SnapshotPorts, snapshotOf } from './reporting/snapshot.ts'
import { snapshotUnits } from './reporting/snapshot-cost.ts'
import type { BuyOutline, MediaBuyStore, PackageCreatives } from './store.ts'

export interface CreativeDeliveryPorts extends SnapshotPorts {
  transact: Transact
  buys: Pick<MediaBuyStore, 'list' | 'whole' | 'ofPackages'>
  creatives: PackageCreatives
  clock: { now(): number }
  publicUrl: () => string
  /** The formats of creatives by their canonical kinds. Default none. */
  formatOption?: FindOption
}

type Request = GetCreativeDeliveryRequest & RequestEnvelope
type BuysOf = (request: Request, owner: string) => Promise<BuyOutline[]>

const DEFAULT_PAGE = 50
const LIST = 'creative_delivery'
/** Maximum number of buys in one call; creatives may run in more. */
const MOST_BUYS = 50
const ALL_SOURCES_MS = 30_000
/** Units for a creative that a buy may have in addition to its packages. */
const CREATIVE_UNITS = 4

export function getCreativeDelivery(
  ports: CreativeDeliveryPorts,
): Task<GetCreativeDeliveryRequest, GetCreativeDeliveryResponse> {
  const buysOf: BuysOf = oncePer((request: Request, owner: string) =>
    namedBuys(ports, request, owner),
  )
  return defineTask({
    name: 'get_creative_delivery',
    summary: 'What creatives have delivered, in each media buy',
    area: 'media-buy',
    access: 'tasks',
    changes: false,
    request: getCreativeDeliveryRequest,
    response: getCreativeDeliveryResponse,
    cost: {
      grows: 'windows × packages of the media buys',
      limit: 150_000,
      estimate: async (request, call) => {
        const now = ports.clock.now()
        const query = { range: rangeOf(request) }
        const buys = await buysOf(request, buyerOf(call))
        const units = buys.map(
          (buy) =>
            snapshotUnits(buy, query, { now, hasReports: buy.reporting !== undefined }) +
            CREATIVE_UNITS * buy.package_count,
        )
        return units.reduce((sum, one) => sum + one, 20)
      },
      reduce: { field: '/media_buy_ids', advice: 'Request fewer media_buy_ids, or fewer days.' },
    },
    handle: async (request, call) =>
      answer(ports, request, { call, buys: await buysOf(request, buyerOf(call)) }),
  })
}

/** The buys that a call is about: by their ids, or by the creatives that ran in them. */
async function namedBuys(
  { transact, buys, creatives }: CreativeDeliveryPorts,
  { media_buy_ids, creative_ids = [], account }: Request,
  owner: string,
): Promise<BuyOutline[]> {
  const ids = media_buy_ids ?? (await buysWith())
  if (ids.length === 0) return []
  const account_id = typeof account === 'string' ? account : account?.account_id
  const page = await buys.list(owner, { media_buy_ids: ids, account_id, limit: MOST_BUYS })
  if (!page.hasMore) return page.buys
  const message = `these creatives ran in more than ${MOST_BUYS} media buys: name some of them`
  throw new ProtocolError('VALIDATION_ERROR', message, { field: '/media_buy_ids' })

  async function buysWith(): Promise<string[]> {
    const packages = await creatives.packagesWith(owner, creative_ids)
    if (packages.length === 0) return []
    return transact((tx) => buys.ofPackages(tx, owner, { packageIds: packages }))
  }
}

async function answer(
  ports: CreativeDeliveryPorts,
  request: Request,
  { call, buys }: { call: CallContext; buys: readonly BuyOutline[] },
): Promise<GetCreativeDeliveryResponse> {
  const owner = buyerOf(call)
  const { pagination, creative_ids } = request
  const missing = await missingOf(ports, request, { owner, found: buys })
  const [first] = buys
  if (!first) throw nothingThere(request, missing)
  const currencies = [...new Set(buys.map(({ currency }) => currency))]
  if (currencies.length > 1) {
    const message = `the media buys are in ${currencies.join(', ')}: ask for those of one currency`
    throw new ProtocolError('VALIDATION_ERROR', message, { field: '/media_buy_ids' })
  }
  const wanted = creative_ids && new Set(creative_ids)
  const { rows, divided, periods } = await rowsOf(ports, { request, owner, buys, wanted, call })
  const offset = pageAfter(LIST, pagination?.cursor, ['integer'])?.[0] ?? 0
  const limit = pagination?.max_results ?? DEFAULT_PAGE
  const has_more = offset + limit < rows.length
  const zones = new Set(buys.map(({ time_zone }) => time_zone))
  const period = {
    start: Math.min(...periods.map(({ start }) => start)),
    end: Math.max(...periods.map(({ end }) => end)),
  }
  const returned = rows.slice(offset, offset + limit)
  return {
    ...(buys.length === 1 ? { media_buy_id: first.media_buy_id } : {}),
    currency: first.currency,
    reporting_period: serializePeriod(period, zones.size > 1 ? 'UTC' : first.time_zone),
    creatives: await withFormats(ports, returned, { owner, version: call.version }),
    pagination: {
      limit,
      offset,
      has_more,
      total_count: rows.length,
      total: rows.length,
      ...defined({ cursor: has_more ? cursorOf(LIST, [offset + limit]) : undefined }),
    },
    ...(missing.length > 0 ? { errors: missing } : {}),
    ...(divided.length > 0 ? { ext: { divided_by_weight: divided } } : {}),
  }
}

interface Requested {
  request: Request
  owner: string
  buys: readonly BuyOutline[]
  wanted: ReadonlySet<string> | undefined
  call: CallContext
}

async function rowsOf(
  ports: CreativeDeliveryPorts,
  { request, owner, buys, wanted, call }: Requested,
): Promise<{ rows: Row[]; divided: string[]; periods: Snapshot['period'][] }> {
  const rows: Row[] = []
  const divided: string[] = []
  const periods: Snapshot['period'][] = []
  const now = ports.clock.now()
  const query = { range: rangeOf(request) }
  const streams = await ports.reports.streams(buys.map(({ media_buy_id }) => media_buy_id))
  await withDeadline({ timeoutMs: ALL_SOURCES_MS, signals: [call.signal] }, async (signal) => {
    for (const outline of buys) {
      const [whole] = await ports.buys.whole([outline])
      if (!whole) continue
      const { buy } = whole
      const stream = streams.get(buy.media_buy_id)
      const { figures, period } = await snapshotOf(ports, buy, { query, now, signal, stream })
      periods.push(period)
      const ids = buy.packages.map(({ package_id }) => package_id)
      const byCreative = new Map<string, Counts[]>()
      for (const [package_id, creatives] of await ports.creatives.list(owner, ids)) {
        const parts = divideCounts(figures[package_id] ?? {}, creatives)
        if (parts.isDivided) divided.push(package_id)
        for (const [id, counts] of parts.byCreative) {
          if (wanted && !wanted.has(id)) continue
          byCreative.set(id, [...(byCreative.get(id) ?? []), counts])
        }
      }
      for (const [creative_id, counts] of byCreative) {
        const sum = sumOfFigures(counts.map((all) => ({ all }))).all ?? {}
        rows.push({ creative_id, media_buy_id: buy.media_buy_id, counts: sum })
      }
    }
  })
  return { rows, divided, periods }
}

interface Row {
  creative_id: string
  media_buy_id: string
  counts: Counts
}

async function withFormats(
  { transact, creatives, formatOption, publicUrl }: CreativeDeliveryPorts,
  rows: readonly Row[],
  { owner, version }: { owner: string; version: CallContext['version'] },
): Promise<CreativeDelivery[]> {
  const ids = [...new Set(rows.map(({ creative_id }) => creative_id))]
  const formats = await transact((tx) => creatives.find(tx, owner, ids))
  const byKind = hasFeature(version, 'format_options')
  return rows.map(({ creative_id, media_buy_id, counts }) => {
    const id = formats.get(creative_id)
    const format_id = id === undefined ? undefined : { agent_url: publicUrl(), id }
    const totals = serializeCounts(counts)
    const hasRun = totals.impressions > 0 || totals.spend > 0
    return {
      creative_id,
      media_buy_id,
      ...defined(
        byKind
          ? { format_kind: format_id && formatOption?.(format_id)?.format_kind }
          : { format_id },
      ),
      totals,
      variant_count: hasRun ? 1 : 0,
      variants: hasRun ? [{ variant_id: creative_id, ...totals }] : [],
    }
  })
}

/** Ids that do not match a buy of the caller. */
async function missingOf(
  { buys }: Pick<CreativeDeliveryPorts, 'buys'>,
  { media_buy_ids = [] }: Request,
  { owner, found }: { owner: string; found: readonly BuyOutline[] },
): Promise<TaskError[]> {
  const known = new Set(found.map(({ media_buy_id }) => media_buy_id))
  const missing = media_buy_ids.flatMap((id, index) => (known.has(id) ? [] : [{ id, index }]))
  const suggestions = await suggestBuys(
    buys,
    owner,
    missing.map(({ id }) => id),
  )
  return missing.map(({ id, index }, n) =>
    taskError('MEDIA_BUY_NOT_FOUND', `there is no media buy ${id} of yours`, {
      field: `/media_buy_ids/${index}`,
      ...defined({ suggestion: suggestions[n] }),
    }),
  )
}

/** Without a buy, currency and period are unknown, and none is made up. */
function nothingThere({ media_buy_ids }: Request, [missing]: readonly TaskError[]): ProtocolError {
  if (media_buy_ids) {
    const extras = { field: '/media_buy_ids/0', ...defined({ suggestion: missing?.suggestion }) }
    return new ProtocolError('MEDIA_BUY_NOT_FOUND', 'none of these media buys is yours', extras)
  }
  const message = 'none of these creatives is in a media buy of yours'
  return new ProtocolError('CREATIVE_NOT_FOUND', message, { field: '/creative_ids/0' })
}

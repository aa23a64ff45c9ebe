// What a buy has delivered, as it is asked for (spec 2.11, 4.5). Windows that were reported are told as they were
// reported, so that a report and the answer are equal; what no report was sent of is asked of the source.

import { withDeadline } from '../../lib/deadline.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { DeliverySource, PackageMetrics } from '../delivery-source.ts'
import type { MediaBuyRecord } from '../media-buy.ts'
import { SOURCE_LIMITS } from '../sources/limits.ts'
import { askSource } from './ask-source.ts'
import { type Figures, figuresOf, sumOfFigures } from './figures.ts'
import { endOfFlight } from './plan-visit.ts'
import type { ReportStore, ReportStream, ReportWindow } from './report-store.ts'
import { boundaryBefore, type Frequency, type Window, windowsOf } from './windows.ts'

export interface SnapshotPorts {
  reports: Pick<ReportStore, 'streams' | 'list'>
  source: DeliverySource
  onFault: (error: unknown) => void
  /** Figures beside those of reports and source. Default none. */
  added?: AddedFigures | undefined
}

/** The figures by buy, which lie within what was asked for but not within the period that is told of. */
export type AddedFigures = (
  told: readonly { buy: MediaBuyRecord; period: Window; asked: Window | undefined }[],
) => Promise<ReadonlyMap<string, readonly PackageMetrics[]>>

export interface SnapshotQuery {
  /** Local dates of the buy: the first instant, and the first one after it. Default: all of the flight. */
  range?: ((buy: MediaBuyRecord) => Window) | undefined
  /** Whether to tell window by window, and in which. */
  granularity?: Frequency | undefined
}

export interface Snapshot {
  buy: MediaBuyRecord
  period: Window
  figures: Figures
  /** Of windows that have ended those whose figures are not there. */
  missing: number
  is_final: boolean
  windows: SnapshotWindow[] | undefined
}

interface SnapshotWindow extends Window {
  figures: Figures | undefined
  is_final: boolean
}

/** Windows, of reports or of the answer, that one answer holds. */
const MOST_WINDOWS = SOURCE_LIMITS.answerWindows.value
/** For one buy, and for all of an answer. */
const SOURCE_MS = 10_000
const ALL_SOURCES_MS = 30_000

export function snapshotsOf(
  ports: SnapshotPorts,
  buys: readonly MediaBuyRecord[],
  query: SnapshotQuery,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<Snapshot[]> {
  return withDeadline({ timeoutMs: ALL_SOURCES_MS, signals: [signal] }, (within) =>
    snapshotsWithin(ports, buys, query, { now, signal: within }),
  )
}

async function snapshotsWithin(
  ports: SnapshotPorts,
  buys: readonly MediaBuyRecord[],
  query: SnapshotQuery,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<Snapshot[]> {
  const streams = await ports.reports.streams(buys.map(({ media_buy_id }) => media_buy_id))
  const snapshots: Snapshot[] = []
  let left = MOST_WINDOWS
  for (const buy of buys) {
    const stream = streams.get(buy.media_buy_id)
    const facts = { buy, query, now, signal, left }
    const snapshot =
      stream && mayUseReports(buy, query)
        ? await ofReports(ports, stream, facts)
        : await ofSource(ports, facts)
    left -= snapshot.windows?.length ?? 1
    snapshots.push(snapshot)
  }
  return ports.added ? withAdded(ports.added, snapshots, query) : snapshots
}

async function withAdded(
  added: AddedFigures,
  snapshots: readonly Snapshot[],
  { range }: SnapshotQuery,
): Promise<Snapshot[]> {
  const told = snapshots.map(({ buy, period }) => ({ buy, period, asked: range?.(buy) }))
  const more = await added(told)
  return snapshots.map((snapshot) => {
    const own = more.get(snapshot.buy.media_buy_id)
    if (!own) return snapshot
    const figures = sumOfFigures([snapshot.figures, figuresOf(snapshot.buy, own)])
    return { ...snapshot, figures }
  })
}

const FINENESS: readonly Frequency[] = ['hourly', 'daily', 'monthly']

/** Whether what is asked for is made of whole windows of the reports. */
function mayUseReports({ reporting }: MediaBuyRecord, { range, granularity }: SnapshotQuery) {
  const reported = FINENESS.indexOf(reporting?.reporting_frequency ?? 'monthly')
  const wanted = granularity ?? (range ? 'daily' : 'monthly')
  return reporting !== undefined && reported <= FINENESS.indexOf(wanted)
}

interface Facts {
  buy: MediaBuyRecord
  query: SnapshotQuery
  now: number
  signal: AbortSignal
  /** Windows that the answer has room for. */
  left: number
}

async function ofReports(
  { reports }: SnapshotPorts,
  stream: ReportStream,
  { buy, query, left }: Facts,
): Promise<Snapshot> {
  const flight = { start: buy.start_at, end: stream.opened_until ?? buy.start_at }
  const period = query.range ? overlap(query.range(buy), flight) : flight
  if (!query.range && !query.granularity && stream.final_at !== undefined) {
    const figures = stream.totals
    return {
      ...{ buy, period, figures, missing: stream.unavailable, is_final: true },
      windows: undefined,
    }
  }
  const { windows: found, hasMore } = await reports.list({
    ...{ media_buy_ids: [buy.media_buy_id], kind: 'window', limit: Math.max(1, left) },
    ...{ from: period.start, until: period.end },
  })
  if (hasMore) throw tooMany()
  const rows = found.reverse()
  return {
    ...{ buy, period, figures: sumOfFigures(rows.map(({ figures }) => figures ?? {})) },
    missing: rows.filter(({ figures }) => figures === undefined).length,
    is_final: stream.final_at !== undefined,
    windows: query.granularity ? grouped(buy, query.granularity, period, rows) : undefined,
  }
}

/** Windows of reports, put together to longer ones. */
function grouped(
  { time_zone }: MediaBuyRecord,
  frequency: Frequency,
  { start, end }: Window,
  rows: readonly ReportWindow[],
): SnapshotWindow[] {
  const windows: SnapshotWindow[] = []
  let next = 0
  for (const window of windowsOf({ frequency, timeZone: time_zone }, start, end)) {
    const inside: ReportWindow[] = []
    for (let row = rows[next]; row && row.start < window.end; row = rows[++next]) inside.push(row)
    const isWhole = inside.every(({ figures }) => figures !== undefined)
    windows.push({
      ...window,
      figures: isWhole ? sumOfFigures(inside.map(({ figures }) => figures ?? {})) : undefined,
      is_final: inside.every(({ is_settled }) => is_settled),
    })
  }
  return windows
}

/** What has no reports, or coarser ones: as the source says now, up to the last full hour. */
async function ofSource(
  { source, onFault }: SnapshotPorts,
  { buy, query, now, signal, left }: Facts,
): Promise<Snapshot> {
  const hours = { frequency: 'hourly' as const, timeZone: buy.time_zone }
  const known = Math.min(endOfFlight(buy), boundaryBefore(hours, now))
  const flight = { start: buy.start_at, end: Math.max(buy.start_at, known) }
  const period = query.range ? overlap(query.range(buy), flight) : flight
  const cut = query.granularity && { frequency: query.granularity, timeZone: buy.time_zone }
  const windows: Window[] = []
  for (const window of cut ? windowsOf(cut, period.start, period.end) : [period]) {
    if (windows.length >= left) throw tooMany()
    if (window.end > window.start) windows.push(window)
  }
  const options = { timeoutMs: SOURCE_MS, concurrency: 1, signal, onFault }
  const [said = []] = await askSource(source, [{ buy, windows, now }], options)
  const told = said.map((answer, index): SnapshotWindow => {
    const window = windows[index] as Window
    if (answer.status !== 'ready') return { ...window, figures: undefined, is_final: false }
    const figures = figuresOf(buy, answer.by_package)
    return { ...window, figures, is_final: answer.is_final }
  })
  return {
    ...{ buy, period, figures: sumOfFigures(told.map(({ figures }) => figures ?? {})) },
    missing: told.filter(({ figures }) => figures === undefined).length,
    is_final: told.length > 0 && told.every(({ is_final }) => is_final) && now >= endOfFlight(buy),
    windows: cut ? told : undefined,
  }
}

function overlap(a: Window, b: Window): Window {
  const start = Math.min(Math.max(a.start, b.start), b.end)
  return { start, end: Math.max(start, Math.min(a.end, b.end)) }
}

function tooMany(): ProtocolError {
  return new ProtocolError(
    'VALIDATION_ERROR',
    `this has more than ${MOST_WINDOWS} windows: ask for fewer buys, or for the days from start_date to end_date`,
    { field: '/start_date' },
  )
}

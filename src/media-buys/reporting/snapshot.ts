// The delivery of a buy for the requested period (spec 2.11, 4.5). Windows that were reported are returned as they
// were reported, so that a report and the response are equal; for anything else the source is queried. Figures are
// read and added up in pieces, so that other callers can run in between; how much one call may request is limited
// before (`snapshot-cost.ts`).

import { mapPaced } from '../../lib/chunks.ts'
import { createPacer } from '../../lib/pacer.ts'
import type { DeliverySource, PackageMetrics } from '../delivery-source.ts'
import type { MediaBuyRecord } from '../media-buy.ts'
import { askSource } from './ask-source.ts'
import { createFiguresSum, type Figures, figuresOf, sumOfFigures } from './figures.ts'
import { endOfFlight } from './plan-visit.ts'
import type { ReportStore, ReportStream, ReportWindow } from './report-store.ts'
import { mayUseReports, overlap, type SnapshotQuery } from './snapshot-cost.ts'
import { boundaryBefore, type Cut, type Window, windowsOf } from './windows.ts'

export interface SnapshotPorts {
  reports: Pick<ReportStore, 'streams' | 'windows' | 'unreported'>
  source: DeliverySource
  onFault: (error: unknown) => void
  /** Figures in addition to those of reports and source. Default none. */
  added?: AddedFigures | undefined
}

/** The figures by buy that are inside the requested period but outside the reported one. */
export type AddedFigures = (
  reported: readonly { buy: MediaBuyRecord; period: Window; requested: Window | undefined }[],
) => Promise<ReadonlyMap<string, readonly PackageMetrics[]>>

export interface Snapshot {
  buy: MediaBuyRecord
  period: Window
  figures: Figures
  /** The windows that have ended but whose figures are missing. */
  missing: number
  is_final: boolean
  windows: SnapshotWindow[] | undefined
}

export interface SnapshotWindow extends Window {
  figures: Figures | undefined
  is_final: boolean
}

/** For one buy. */
const SOURCE_MS = 10_000

export interface SnapshotOptions {
  query: SnapshotQuery
  now: number
  signal: AbortSignal
  /** The reports of the buy, if it has any. */
  stream: ReportStream | undefined
}

export async function snapshotOf(
  ports: SnapshotPorts,
  buy: MediaBuyRecord,
  { query, stream, now, signal }: SnapshotOptions,
): Promise<Snapshot> {
  const snapshot =
    stream && mayUseReports(buy, query)
      ? await ofReports(ports, buy, { query, stream })
      : await ofSource(ports, buy, { query, now, signal })
  return ports.added ? withAdded(ports.added, snapshot, query) : snapshot
}

async function withAdded(
  added: AddedFigures,
  snapshot: Snapshot,
  { range }: SnapshotQuery,
): Promise<Snapshot> {
  const { buy, period } = snapshot
  const own = (await added([{ buy, period, requested: range?.(buy) }])).get(buy.media_buy_id)
  if (!own) return snapshot
  return { ...snapshot, figures: sumOfFigures([snapshot.figures, figuresOf(buy, own)]) }
}

async function ofReports(
  { reports }: SnapshotPorts,
  buy: MediaBuyRecord,
  { query, stream }: { query: SnapshotQuery; stream: ReportStream },
): Promise<Snapshot> {
  const flight = { start: buy.start_at, end: stream.opened_until ?? buy.start_at }
  const period = query.range ? overlap(query.range(buy), flight) : flight
  const is_final = stream.final_at !== undefined
  if (!query.range && !query.granularity) {
    // For all windows, as last reported.
    const { media_buy_id } = buy
    const waiting = is_final
      ? 0
      : ((await reports.unreported([media_buy_id])).get(media_buy_id) ?? 0)
    const missing = stream.unavailable + waiting
    return { buy, period, figures: stream.totals, missing, is_final, windows: undefined }
  }
  const cut = query.granularity && { frequency: query.granularity, timeZone: buy.time_zone }
  const groups = cut && createGroups(cut, period)
  const total = createFiguresSum()
  let missing = 0
  for await (const row of reportRows(reports, buy, period)) {
    if (row.figures) total.add(row.figures)
    else missing += 1
    groups?.add(row)
  }
  const windows = groups && (await groups.windows())
  return { buy, period, figures: total.total(), missing, is_final, windows }
}

/** Maximum number of package figures in the rows that are read at once. */
const PAGE_CELLS = 4_000

/** In their order, page by page. */
async function* reportRows(
  reports: Pick<ReportStore, 'windows'>,
  { media_buy_id, packages }: MediaBuyRecord,
  period: Window,
): AsyncGenerator<ReportWindow> {
  const limit = Math.max(1, Math.floor(PAGE_CELLS / Math.max(1, packages.length)))
  const pacer = createPacer()
  for (let from = period.start; ; ) {
    const range = { media_buy_id, from, until: period.end, limit }
    const { windows, hasMore } = await reports.windows(range)
    for (const window of windows) {
      yield window
      if (pacer.isDue()) await pacer.pause()
    }
    const last = windows.at(-1)
    if (!hasMore || !last) return
    from = last.end
  }
}

interface Groups {
  /** Rows come in their order. */
  add(row: ReportWindow): void
  windows(): Promise<SnapshotWindow[]>
}

/** Reporting windows, combined into longer ones. */
function createGroups(cut: Cut, { start, end }: Window): Groups {
  const windows = windowsOf(cut, start, end)
  const done: SnapshotWindow[] = []
  let open: OpenGroup | undefined
  const next = () => {
    if (open) done.push(closed(open))
    const window = windows.next()
    open = window.done
      ? undefined
      : { window: window.value, sum: createFiguresSum(), isWhole: true, isSettled: true }
  }
  next()
  return {
    add: ({ start: at, figures, is_settled }) => {
      while (open && at >= open.window.end) next()
      if (!open) return
      if (figures) open.sum.add(figures)
      else open.isWhole = false
      open.isSettled &&= is_settled
    },
    windows: async () => {
      const pacer = createPacer()
      while (open) {
        next()
        if (pacer.isDue()) await pacer.pause()
      }
      return done
    },
  }
}

interface OpenGroup {
  window: Window
  sum: ReturnType<typeof createFiguresSum>
  isWhole: boolean
  isSettled: boolean
}

function closed({ window, sum, isWhole, isSettled }: OpenGroup): SnapshotWindow {
  return { ...window, figures: isWhole ? sum.total() : undefined, is_final: isSettled }
}

/** Periods without reports, or with coarser ones: the source's current figures, up to the last full hour. */
async function ofSource(
  { source, onFault }: SnapshotPorts,
  buy: MediaBuyRecord,
  { query, now, signal }: Omit<SnapshotOptions, 'stream'>,
): Promise<Snapshot> {
  const hours = { frequency: 'hourly' as const, timeZone: buy.time_zone }
  const known = Math.min(endOfFlight(buy), boundaryBefore(hours, now))
  const flight = { start: buy.start_at, end: Math.max(buy.start_at, known) }
  const period = query.range ? overlap(query.range(buy), flight) : flight
  const cut = query.granularity && { frequency: query.granularity, timeZone: buy.time_zone }
  const windows = (await windowsIn(cut, period)).filter(({ start, end }) => end > start)
  const options = { timeoutMs: SOURCE_MS, concurrency: 1, signal, onFault }
  const [said = []] = await askSource(source, [{ buy, windows, now }], options)
  const total = createFiguresSum()
  const reported = await mapPaced([...said.entries()], ([index, answer]): SnapshotWindow => {
    const window = windows[index] as Window
    if (answer.status !== 'ready') return { ...window, figures: undefined, is_final: false }
    const figures = figuresOf(buy, answer.by_package)
    total.add(figures)
    return { ...window, figures, is_final: answer.is_final }
  })
  return {
    buy,
    period,
    figures: total.total(),
    missing: reported.filter(({ figures }) => figures === undefined).length,
    is_final:
      reported.length > 0 && reported.every(({ is_final }) => is_final) && now >= endOfFlight(buy),
    windows: cut ? reported : undefined,
  }
}

async function windowsIn(cut: Cut | undefined, period: Window): Promise<Window[]> {
  if (!cut) return [period]
  const windows: Window[] = []
  const pacer = createPacer()
  for (const window of windowsOf(cut, period.start, period.end)) {
    windows.push(window)
    if (pacer.isDue()) await pacer.pause()
  }
  return windows
}

// The cost of returning a buy's delivery, before any of it is read: windows × packages, from the dates alone.

import type { MediaBuyRecord } from '../media-buy.ts'
import type { BuyOutline } from '../store.ts'
import { endOfFlight } from './plan-visit.ts'
import type { Frequency, Window } from './windows.ts'

export interface SnapshotQuery {
  /** Local dates of the buy, as a half-open interval of instants. Default: the whole flight. */
  range?: ((buy: Pick<MediaBuyRecord, 'time_zone' | 'start_at' | 'end_at'>) => Window) | undefined
  /** Whether to return figures window by window, and with which granularity. */
  granularity?: Frequency | undefined
}

/** Units of one package's figure: read from a report, requested from the source, or written in the response. */
const COST = { read: 1, requested: 1, returned: 2 } as const

const HOUR_MS = 60 * 60 * 1_000
/** The shortest possible ones: a day on which clocks are put forward, and February. */
const SHORTEST: Readonly<Record<Frequency, number>> = {
  hourly: HOUR_MS,
  daily: 23 * HOUR_MS,
  monthly: 28 * 24 * HOUR_MS,
}

export function snapshotUnits(
  buy: BuyOutline,
  query: SnapshotQuery,
  { now, hasReports }: { now: number; hasReports: boolean },
): number {
  const packages = Math.max(1, buy.package_count)
  const { granularity, range } = query
  const flight = {
    start: buy.start_at,
    end: Math.max(buy.start_at, Math.min(now, endOfFlight(buy))),
  }
  const period = range ? overlap(range(buy), flight) : flight
  const returned = granularity === undefined ? 1 : windowsIn(period, granularity)
  if (!hasReports || !mayUseReports(buy, query)) {
    return packages * returned * (COST.requested + COST.returned)
  }
  // The sums of the whole flight are stored with the stream.
  const isWhole = granularity === undefined && range === undefined
  const read = isWhole ? 1 : windowsIn(period, buy.reporting?.reporting_frequency ?? 'daily')
  return packages * (read * COST.read + returned * COST.returned)
}

/** At least as many as there are. */
export function windowsIn({ start, end }: Window, frequency: Frequency): number {
  return Math.ceil((end - start) / SHORTEST[frequency]) + 1
}

const FINENESS: readonly Frequency[] = ['hourly', 'daily', 'monthly']

/** Whether the requested period consists of whole windows of the reports. */
export function mayUseReports(
  { reporting }: Pick<MediaBuyRecord, 'reporting'>,
  { range, granularity }: SnapshotQuery,
): boolean {
  const reported = FINENESS.indexOf(reporting?.reporting_frequency ?? 'monthly')
  const wanted = granularity ?? (range ? 'daily' : 'monthly')
  return reporting !== undefined && reported <= FINENESS.indexOf(wanted)
}

export function overlap(a: Window, b: Window): Window {
  const start = Math.min(Math.max(a.start, b.start), b.end)
  return { start, end: Math.max(start, Math.min(a.end, b.end)) }
}

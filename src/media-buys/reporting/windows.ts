// The windows of delivery reports (spec 2.11, 6.2): hours, days or months by the clocks of the buy's time zone. They
// are half-open, so that each instant of a flight is in exactly one; the first starts with the flight and the last
// ends with it. A day on which clocks are changed has 23 or 25 hours, a day without midnight starts with its first
// minute, and a day that a place skipped is not a window.

import type { REPORTING_FREQUENCIES } from '../../protocol/schemas/push-notification-config.ts'
import { spanAt } from './time-zone.ts'

export type Frequency = (typeof REPORTING_FREQUENCIES)[number]

/** Half open, in milliseconds. */
export interface Window {
  start: number
  end: number
}

/** By what windows are cut. */
export interface Cut {
  frequency: Frequency
  /** IANA name. */
  timeZone: string
}

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

/** Consecutive windows of `[from, until)`; the last one is truncated at the end. */
export function* windowsOf(cut: Cut, from: number, until: number): Generator<Window> {
  for (let start = from; start < until; ) {
    const end = Math.min(nextBoundary(cut, start), until)
    yield { start, end }
    start = end
  }
}

/** The first instant after this one at which a window begins. */
export function nextBoundary({ frequency, timeZone }: Cut, at: number): number {
  if (frequency === 'hourly') return nextHour(timeZone, at)
  const { year, month, day } = localDate(timeZone, at)
  for (let step = 1; ; step++) {
    const local =
      frequency === 'daily' ? Date.UTC(year, month, day + step) : Date.UTC(year, month + step)
    const boundary = firstInstantOf(timeZone, local)
    // Not after it: the place skipped a day, or clocks were put back over midnight.
    if (boundary > at) return boundary
  }
}

/** Longer than any window. */
const REACH: Readonly<Record<Frequency, number>> = {
  hourly: 3 * HOUR_MS,
  daily: 3 * DAY_MS,
  monthly: 62 * DAY_MS,
}

/** The last instant up to and including this one at which a window starts. */
export function boundaryBefore(cut: Cut, at: number): number {
  let found = nextBoundary(cut, at - REACH[cut.frequency])
  for (let next = found; next <= at; next = nextBoundary(cut, next)) found = next
  return found
}

/** Within a span hours are counted by its own clock; at the end of a span, an hour ends if either clock says so. */
function nextHour(timeZone: string, at: number): number {
  let span = spanAt(timeZone, at)
  for (let after = at; ; ) {
    const { offset, end } = span
    const next = Math.floor((after + offset) / HOUR_MS) * HOUR_MS + HOUR_MS - offset
    if (next <= end) return next
    span = spanAt(timeZone, end)
    if ((end + span.offset) % HOUR_MS === 0) return end
    after = end
  }
}

function localDate(timeZone: string, at: number): { year: number; month: number; day: number } {
  const local = new Date(at + spanAt(timeZone, at).offset)
  return { year: local.getUTCFullYear(), month: local.getUTCMonth(), day: local.getUTCDate() }
}

/** The maximum offset from UTC of any clock, including a skipped day. */
const FURTHEST_MS = 40 * HOUR_MS

/** The first instant at which the clocks show this local time, or a later one. */
export function firstInstantOf(timeZone: string, local: number): number {
  for (let span = spanAt(timeZone, local - FURTHEST_MS); ; span = spanAt(timeZone, span.end)) {
    const returned = Math.max(span.start, local - span.offset)
    if (returned < span.end) return returned
  }
}

// The UTC offset of a place, and when it changes, from Node's time zone database. Querying it is slow, so a year is
// queried once, in steps of several days, and a change within a step is found by binary search.

import { createRecentCache } from '../../lib/recent-cache.ts'

/** A period with a constant offset; half-open, in milliseconds. */
export interface Span {
  start: number
  end: number
  /** To be added to UTC, in milliseconds. */
  offset: number
}

/** No place has changed its clocks twice within so few days. */
const STEP_MS = 4 * 24 * 60 * 60 * 1_000
const SECOND_MS = 1_000

/** Of all zones together; a year of one has two or three spans. */
const years = createRecentCache<readonly Span[]>(4_096)
const formats = createRecentCache<Intl.DateTimeFormat>(1_024)

/** The span that contains this instant. Spans also end with the year, so the next one may have the same offset. */
export function spanAt(timeZone: string, at: number): Span {
  const year = new Date(at).getUTCFullYear()
  const key = `${year} ${timeZone}`
  let spans = years.get(key)
  if (!spans) {
    spans = spansOf(timeZone, year)
    years.set(key, spans)
  }
  return spans.find(({ end }) => at < end) as Span
}

function spansOf(timeZone: string, year: number): Span[] {
  const [first, end] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)]
  const spans: Span[] = []
  let current = { start: first, offset: offsetAt(timeZone, first) }
  for (let at = first; at < end; at += STEP_MS) {
    const next = Math.min(at + STEP_MS, end)
    if (offsetAt(timeZone, next) === current.offset) continue
    const change = changeBetween(timeZone, at, next)
    if (change >= end) break
    spans.push({ ...current, end: change })
    current = { start: change, offset: offsetAt(timeZone, change) }
  }
  return [...spans, { ...current, end }]
}

/** The first second after `before`, and at most `after`, that has a different offset from `before`. */
function changeBetween(timeZone: string, before: number, after: number): number {
  const offset = offsetAt(timeZone, before)
  let [low, high] = [before / SECOND_MS, after / SECOND_MS]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(timeZone, middle * SECOND_MS) === offset) low = middle
    else high = middle
  }
  return high * SECOND_MS
}

function offsetAt(timeZone: string, at: number): number {
  const parts = formatOf(timeZone).formatToParts(at)
  const number = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(
    number('year'),
    number('month') - 1,
    number('day'),
    number('hour'),
    number('minute'),
    number('second'),
  )
  return local - Math.floor(at / SECOND_MS) * SECOND_MS
}

/** Throws a RangeError when there is no such zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

// When a buy and its packages may run (spec 4.5): from now or later, until any time after that. Nothing can be bought
// for the past: delivery before the seller committed cannot have happened.

import type { Faults } from './faults.ts'

/** The dates of a buy, which apply to its packages. */
export interface Flight {
  start_at: number
  end_at: number
  now: number
  /**
   * Whether the request waited for the seller's decision: a start that has passed meanwhile then means now. Default
   * false: such a start is refused.
   */
  isAccepted?: boolean | undefined
}

/** A start this long ago still counts as now: clocks differ, and requests take time. */
const START_GRACE_MS = 5 * 60_000

/** Later dates have five-digit years, which not every parser accepts. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

type Accepted = Pick<Flight, 'now' | 'isAccepted'>

/** The requested start, in milliseconds; `asap` is now. */
export function startOf(
  start_time: string,
  { now, isAccepted }: Accepted,
  { pointer, faults }: { pointer: string; faults: Faults },
): number {
  if (start_time === 'asap') return now
  const start_at = Date.parse(start_time)
  if (start_at >= now - START_GRACE_MS) return start_at
  if (isAccepted) return now
  const message = `start_time must not be in the past (got ${start_time}). Use a future time, or "asap".`
  faults.add('INVALID_REQUEST', message, { pointer: `${pointer}/start_time` })
  return start_at
}

export function checkFlight({ start_at, end_at, now }: Flight, faults: Faults): void {
  if (end_at <= Math.max(start_at, now)) {
    const message = 'end_time must be after start_time, and in the future.'
    faults.add('INVALID_REQUEST', message, { pointer: '/end_time' })
  }
  if (Math.max(start_at, end_at) > LAST_INSTANT) {
    faults.add('INVALID_REQUEST', 'end_time must be before the year 10000.', {
      pointer: '/end_time',
    })
  }
}

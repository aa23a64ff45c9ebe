// The days for which a call requests delivery data.

import { ProtocolError } from '../protocol/errors.ts'
import type { SnapshotQuery } from './reporting/snapshot-cost.ts'
import { firstInstantOf } from './reporting/windows.ts'

interface Days {
  start_date?: string | undefined
  end_date?: string | undefined
}

/** Whole days in each buy's own time zone; the end date is exclusive. */
export function rangeOf({ start_date, end_date }: Days): SnapshotQuery['range'] {
  if (start_date === undefined && end_date === undefined) return undefined
  const [from, to] = [start_date, end_date].map((date) => date && Date.parse(date))
  if (from && to && from >= to) {
    throw new ProtocolError(
      'VALIDATION_ERROR',
      '/end_date: this must be after start_date, since it is the day after the last',
      { field: '/end_date' },
    )
  }
  return ({ time_zone, start_at, end_at }) => ({
    start: from ? firstInstantOf(time_zone, from) : start_at,
    end: to ? firstInstantOf(time_zone, to) : Math.max(end_at, start_at),
  })
}

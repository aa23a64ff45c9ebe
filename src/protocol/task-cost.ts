// What a call of a task costs before it is made: an estimate from the request and cheap counts, in units. One unit is
// about one row read, written or returned, or one kilobyte of an answer: some ten microseconds of the server's time.

import type { CallContext } from './task.ts'

export interface TaskCost<Request> {
  /** What the work grows with, as docs/limits.md says it: `windows × packages`. */
  grows: string
  /** The most units of one call. */
  limit: number
  /** The units of this call. Runs after the request fits its schema, and before the work. */
  estimate(request: Request, call: CallContext): number | Promise<number>
  /** Which member to change so that the call is accepted, and how. Default: of no use, the estimate is constant. */
  reduce?: { field: string; advice: string }
}

/** The cost of a task whose work does not grow with the request. */
export function constantCost(units: number, grows: string): TaskCost<unknown> {
  return { grows, limit: units, estimate: () => units }
}

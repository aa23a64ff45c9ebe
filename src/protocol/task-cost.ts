// What a call of a task costs before it is made: an estimate from the request and cheap counts, in units. One unit is
// about one row read, written or returned, or one kilobyte of an answer: some ten microseconds of the server's time.

import type { TaskCost } from './task.ts'

/** The cost of a task whose work does not grow with the request. */
export function constantCost(units: number, grows: string): TaskCost<unknown> {
  return { grows, limit: units, estimate: () => units }
}

// Estimates the cost of a task call before it runs, from the request and cheap counts, in units. One unit is about
// one row read, written or returned, or one kilobyte of response: about ten microseconds of server time.

import type { TaskCost } from './task.ts'

/** The cost of a task whose work does not grow with the request. */
export function constantCost(units: number, grows: string): TaskCost<unknown> {
  return { grows, limit: units, estimate: () => units }
}

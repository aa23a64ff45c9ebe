// The jobs that have a slot, and which owners are slow: those that have used much worker time lately, with their
// running jobs.

import { createOwnerUsage, FREE_MS, SLOW_MS } from './owner-usage.ts'
import type { Schedulable } from './slot-rules.ts'

export interface Ended {
  /** Worker time that counts against the owner, in milliseconds. Default: the time since it started. */
  usedMs?: number | undefined
  /** It was ended for taking too long. */
  isTooCostly: boolean
}

interface RunningJobs<Job extends Schedulable> {
  readonly size: number
  all(): Iterable<Job>
  start(job: Job, now: number): void
  /** Removes the job, and returns how long it ran; undefined when it does not run. */
  end(job: Job, now: number): number | undefined
  /** Counts what an ended job has used against its owner. */
  charge(job: Job, now: number, used: Ended & { ranMs: number }): void
  isSlow(owner: string, now: number): boolean
}

/** Time in lasting jobs is not counted. */
export function createRunningJobs<Job extends Schedulable>(
  isLasting: (job: Job) => boolean,
): RunningJobs<Job> {
  const usage = createOwnerUsage()
  const startTimes = new Map<Job, number>()
  return {
    get size() {
      return startTimes.size
    },
    all: () => startTimes.keys(),
    start: (job, now) => startTimes.set(job, now),
    end: (job, now) => {
      const since = startTimes.get(job)
      if (since === undefined) return undefined
      startTimes.delete(job)
      return now - since
    },
    charge: (job, now, { ranMs, usedMs, isTooCostly }) => {
      const used = isLasting(job) ? 0 : Math.max((usedMs ?? ranMs) - FREE_MS, 0)
      usage.add(job.owner, isTooCostly ? Math.max(used, 2 * SLOW_MS) : used, now)
    },
    isSlow: (owner, now) => {
      let used = usage.of(owner, now)
      for (const [job, since] of startTimes) {
        if (job.owner === owner && !isLasting(job)) used += Math.max(now - since - FREE_MS, 0)
      }
      return used >= SLOW_MS
    },
  }
}

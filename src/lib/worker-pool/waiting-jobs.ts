// The jobs that wait for a slot: those of each class in their own lane, and keyed and keyless jobs within their own
// limits.

import { createFairBounds, type QueueLimits } from './fair-bounds.ts'
import { createLane, type Lane, type Line } from './lane.ts'
import type { Schedulable } from './slot-rules.ts'

export type JobClass = 'small' | 'long' | 'keyless'

export function classOf({ isSmall, isKeyless }: Schedulable): JobClass {
  if (isKeyless) return 'keyless'
  return isSmall ? 'small' : 'long'
}

export interface Waiting {
  kind: string
  class: JobClass
  count: number
}

interface WaitingJobs<Job extends Schedulable> {
  readonly lanes: Readonly<Record<JobClass, Lane<Job>>>
  /** Jobs that wait. */
  readonly size: number
  add(job: Job, turn: number): 'added' | 'owner_full' | 'queue_full'
  /** Adds it before the owner's other jobs, regardless of the limits. */
  addFirst(job: Job, turn: number): void
  /** Removes the job from its queue, and records a turn of its owner and kind. */
  serve(place: Place<Job>, turn: number): void
  /** False when it does not wait. */
  remove(job: Job): boolean
  /** Removes all that wait. */
  clear(): Job[]
  counts(): readonly Waiting[]
}

interface Place<Job extends Schedulable> {
  lane: Lane<Job>
  line: Line<Job>
  job: Job
}

export function createWaitingJobs<Job extends Schedulable>(
  keyedLimits: QueueLimits,
  keylessLimits: QueueLimits,
): WaitingJobs<Job> {
  const lanes: Record<JobClass, Lane<Job>> = {
    small: createLane(),
    long: createLane(),
    keyless: createLane(),
  }
  const keyed = createFairBounds(keyedLimits)
  const keyless = createFairBounds(keylessLimits)
  const boundsOf = (job: Job) => (job.isKeyless ? keyless : keyed)

  return {
    lanes,
    get size() {
      return lanes.small.size + lanes.long.size + lanes.keyless.size
    },
    add: (job, turn) => {
      const added = boundsOf(job).add(job)
      if (added === 'added') lanes[classOf(job)].add(job, turn)
      return added
    },
    addFirst: (job, turn) => {
      boundsOf(job).addAnyway(job)
      lanes[classOf(job)].addFirst(job, turn)
    },
    serve: ({ lane, line, job }, turn) => {
      lane.serve(line, job, turn)
      boundsOf(job).remove(job)
    },
    remove: (job) => {
      const isRemoved = lanes[classOf(job)].remove(job)
      if (isRemoved) boundsOf(job).remove(job)
      return isRemoved
    },
    clear: () => {
      const all = Object.values(lanes).flatMap((lane) => lane.clear())
      for (const job of all) boundsOf(job).remove(job)
      return all
    },
    counts: () =>
      (Object.keys(lanes) as JobClass[]).flatMap((name) =>
        [...lanes[name].kinds()].map(([kind, count]) => ({ kind, class: name, count })),
      ),
  }
}

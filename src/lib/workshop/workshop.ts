// Work on what strangers wrote, away from the server's own process: a few workers that can be ended at
// any moment without harm to anything else. Each kind of work has a queue of its own, which is bounded
// and serves the owners in turn.

import { createFairQueue, type FairQueue, type QueueLimits } from './fair-queue.ts'
import { createJob, type Job, type JobOptions, type JobReport } from './job.ts'
import { createOwners } from './owners.ts'
import type { GoneWorker } from './seat.ts'
import { createStaff } from './staff.ts'
import type { StartWorker } from './worker.ts'
import { WorkshopError } from './workshop-error.ts'

export interface KindOfWork extends QueueLimits {
  /** Longest time of one job, from its start. */
  timeLimitMs: number
  /** Jobs of it that are done at the same time, so that others find a worker. Default: as many as there are. */
  maxRunning?: number
}

export interface WorkshopOptions<Kind extends string> {
  kinds: Readonly<Record<Kind, KindOfWork>>
  start: StartWorker
  /** Workers at most: started by `open`, or when there is work for them. */
  workers: number
  /** Memory of one worker. */
  maxResidentBytes: number
  /** How long a worker is kept that has nothing to do, in milliseconds. Default for ever. */
  maxIdleMs?: number
  onJob?: (report: JobReport) => void
  /** Hears of a worker that ended, whyever. */
  onGone?: (gone: GoneWorker) => void
}

export interface Workshop<Kind extends string = string> {
  /** Rejects with a WorkshopError, the signal's reason, or what was thrown by what does the jobs. */
  run(kind: Kind, request: unknown, options: JobOptions): Promise<unknown>
  /** Starts the workers ahead of the first job. */
  open(): void
  /** Why no worker can be started at present; undefined while one can. */
  readonly fault: string | undefined
  count(): { workers: number; busy: number; waiting: ReadonlyMap<Kind, number> }
  /** Ends every worker; what waits is refused. Resolves when all are gone. */
  close(): Promise<void>
}

export function createWorkshop<Kind extends string>(
  options: WorkshopOptions<Kind>,
): Workshop<Kind> {
  const kinds = Object.entries<KindOfWork>(options.kinds) as [Kind, KindOfWork][]
  const queues = new Map<Kind, FairQueue<Job>>(
    kinds.map(([kind, limits]) => [kind, createFairQueue<Job>(limits)]),
  )
  const owners = createOwners()
  const running = new Map<Kind, number>()
  const count = (kind: Kind, change: number) => running.set(kind, (running.get(kind) ?? 0) + change)
  const staff = createStaff({
    ...options,
    onIdle: pump,
    onGone: (gone) => {
      options.onGone?.(gone)
      pump()
    },
  })
  let turn = 0
  let isOpen = false
  let isClosed = false
  let meanMs = 50

  const waiting = () => [...queues.values()].reduce((sum, queue) => sum + queue.size, 0)

  /** Each kind in turn, and of a kind each owner. */
  function next(): Job | undefined {
    for (let tries = 0; tries < kinds.length; tries++) {
      const [kind, { maxRunning = options.workers }] = kinds[turn++ % kinds.length] as [
        Kind,
        KindOfWork,
      ]
      if ((running.get(kind) ?? 0) >= maxRunning) continue
      const job = queues.get(kind)?.take(owners.mayRun)
      if (job) return job
    }
    return undefined
  }

  function pump(): void {
    if (isClosed) return
    for (let seat = staff.idle(); seat; seat = staff.idle()) {
      const job = next()
      if (!job) break
      job.begin(seat)
    }
    // Of one that is open, a worker that ended is replaced before it is missed.
    staff.want(isOpen ? options.workers : waiting())
    if (staff.fault === undefined || !staff.isAway) return
    const seconds = Math.max(Math.ceil(staff.pauseMs() / 1_000), 1)
    refuseAll(new WorkshopError('unavailable', { retryAfterSeconds: seconds }))
  }

  function refuseAll(error: WorkshopError): void {
    for (const queue of queues.values()) {
      for (const job of queue.clear()) job.done({ ok: false, error })
    }
  }

  /** How long what waits will take, by what jobs took of late. */
  function retryAfterSeconds(): number {
    const seconds = Math.ceil((waiting() * meanMs) / options.workers / 1_000)
    return Math.min(Math.max(seconds, 1), 60)
  }

  function onReport(report: JobReport): void {
    if (report.ranMs > 0) meanMs = meanMs * 0.9 + report.ranMs * 0.1
    options.onJob?.(report)
  }

  function add(kind: Kind, job: Job): void {
    const added = isClosed ? 'stopped' : (queues.get(kind)?.add(job) ?? 'unavailable')
    if (added === 'added') {
      pump()
      return
    }
    const details = added === 'stopped' ? {} : { retryAfterSeconds: retryAfterSeconds() }
    job.done({ ok: false, error: new WorkshopError(added, details) })
  }

  return {
    run: (kind, request, wishes) => {
      if (wishes.signal?.aborted) return Promise.reject(wishes.signal.reason)
      const { timeLimitMs } = options.kinds[kind]
      const { job, outcome } = createJob(
        { ...wishes, kind, request, timeLimitMs },
        {
          owners,
          onReport,
          leave: (one) => queues.get(kind)?.remove(one) ?? false,
          onBegun: () => count(kind, 1),
          onFreed: () => count(kind, -1),
        },
      )
      add(kind, job)
      return outcome
    },
    open: () => {
      isOpen = true
      pump()
    },
    get fault() {
      return staff.fault
    },
    count: () => ({
      ...staff.count(),
      waiting: new Map([...queues].map(([kind, { size }]) => [kind, size])),
    }),
    close: async () => {
      isClosed = true
      refuseAll(new WorkshopError('stopped'))
      await staff.close()
    },
  }
}

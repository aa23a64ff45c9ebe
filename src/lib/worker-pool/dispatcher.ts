// Gives the waiting jobs of a pool to its workers: when a job arrives and when a worker becomes idle or ends.

import type { PoolJob } from './job.ts'
import { createScheduler, type Scheduler, type SchedulerOptions } from './scheduler.ts'
import { createSupervisor, type Supervisor, type SupervisorPorts } from './supervisor.ts'
import { WorkerPoolError } from './worker-pool-error.ts'

interface DispatcherOptions {
  scheduler: SchedulerOptions
  supervisor: Omit<SupervisorPorts, 'onIdle'>
  /** Number of workers that are started ahead from `open` on, and replaced when they end. */
  kept: number
  retryAfterSeconds(job: PoolJob): number
}

interface Dispatcher
  extends Pick<Scheduler<PoolJob>, 'size' | 'remove' | 'ended' | 'isSlow' | 'waiting'>,
    Pick<Supervisor, 'fault' | 'count'> {
  open(): void
  add(job: PoolJob): void
  /** Queues a job again whose process died. */
  addAgain(job: PoolJob): void
  /** Refuses the waiting jobs; resolves when all workers have exited. */
  close(): Promise<void>
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const scheduler = createScheduler<PoolJob>(options.scheduler)
  const supervisor = createSupervisor({
    ...options.supervisor,
    onIdle: pump,
    onGone: (gone) => {
      options.supervisor.onGone(gone)
      pump()
    },
  })
  let isOpen = false
  let isClosed = false

  function pump(): void {
    if (isClosed) return
    for (let poolSlot = supervisor.idle(); poolSlot; poolSlot = supervisor.idle()) {
      const { workers: started, ready } = supervisor.count()
      const job = scheduler.next(performance.now(), { ready, isWaiting: started > ready })
      if (!job) break
      job.begin(poolSlot)
    }
    // An ended worker that belongs to the kept ones is replaced before it is needed.
    supervisor.want({ jobs: scheduler.size, kept: isOpen ? options.kept : 0 })
    if (supervisor.fault === undefined || !supervisor.isAway) return
    const seconds = Math.max(Math.ceil(supervisor.pauseMs() / 1_000), 1)
    refuseAll(new WorkerPoolError('unavailable', { retryAfterSeconds: seconds }))
  }

  function refuseAll(error: WorkerPoolError): void {
    for (const job of scheduler.clear()) job.refuse(error)
  }

  return {
    open: () => {
      isOpen = true
      pump()
    },
    add: (job) => {
      const added = isClosed ? 'stopped' : scheduler.add(job, performance.now())
      if (added === 'added') {
        pump()
        return
      }
      const details =
        added === 'stopped' ? {} : { retryAfterSeconds: options.retryAfterSeconds(job) }
      job.refuse(new WorkerPoolError(added, details))
    },
    addAgain: (job) => {
      if (isClosed) {
        job.refuse(new WorkerPoolError('stopped'))
        return
      }
      scheduler.addAgain(job)
      pump()
    },
    remove: scheduler.remove,
    ended: scheduler.ended,
    isSlow: scheduler.isSlow,
    waiting: scheduler.waiting,
    get size() {
      return scheduler.size
    },
    get fault() {
      return supervisor.fault
    },
    count: supervisor.count,
    close: async () => {
      isClosed = true
      refuseAll(new WorkerPoolError('stopped'))
      await supervisor.close()
    },
  }
}

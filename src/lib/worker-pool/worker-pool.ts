// Processes untrusted input outside the server's own process: a few workers that can be killed at any moment without
// affecting anything else. `scheduler.ts` decides which job is next.

import type { QueueLimits } from './fair-bounds.ts'
import { createJob, type Job, type JobOptions, type JobReport } from './job.ts'
import type { GoneWorker } from './pool-slot.ts'
import { createScheduler, type Waiting } from './scheduler.ts'
import { createSupervisor } from './supervisor.ts'
import type { StartWorker } from './worker.ts'
import { WorkerPoolError } from './worker-pool-error.ts'

export interface KindOfWork {
  /** Timeout of one job, from its start. */
  timeLimitMs: number
  /** Maximum processor time of one job, where it can be measured. Default: no limit. */
  processorLimitMs?: number
  /** Whether its jobs take a fraction of a second, unless a job says otherwise. Default false. */
  isSmall?: boolean
  /**
   * For a kind whose jobs last for minutes: how many may run at the same time, so that workers remain for others.
   * Default: not such a kind.
   */
  maxRunning?: number
}

export interface WorkerPoolOptions<Kind extends string> {
  kinds: Readonly<Record<Kind, KindOfWork>>
  /** Of all kinds together. */
  queue: QueueLimits
  /** The same for jobs without a key. Default: an eighth of `queue`. */
  keylessQueue?: QueueLimits
  /** Maximum wait for a worker, in milliseconds. Default a minute; a quarter of it without a key. */
  maxWaitMs?: number
  start: StartWorker
  /** Maximum number of workers: started by `open`, or when there is work for them. */
  workers: number
  /** Number of workers that `open` starts ahead and replaces when they end. Default: all. */
  kept?: number
  /** Memory of one worker. */
  maxResidentBytes: number
  /** How long an idle worker is kept, in milliseconds. Default: unlimited. */
  maxIdleMs?: number
  onJob?: (report: JobReport) => void
  /** Called when a worker ended, for whatever reason. */
  onGone?: (gone: GoneWorker) => void
}

export interface WorkerPool<Kind extends string = string> {
  /** Rejects with a WorkerPoolError, the signal's reason, or the error that the job handler threw. */
  run(kind: Kind, request: unknown, options: JobOptions): Promise<unknown>
  /** Starts the workers before the first job. */
  open(): void
  /** Why no worker can be started at the moment; undefined if one can. */
  readonly fault: string | undefined
  count(): { workers: number; busy: number; waiting: readonly Waiting[] }
  /** Ends every worker; waiting jobs are refused. Resolves when all have exited. */
  close(): Promise<void>
}

const MAX_WAIT_MS = 60_000
const KEYLESS_SHARE = 1 / 8
const KEYLESS_WAIT_SHARE = 1 / 4

export function createWorkerPool<Kind extends string>(
  options: WorkerPoolOptions<Kind>,
): WorkerPool<Kind> {
  const { kinds, queue, workers, kept = workers, maxWaitMs = MAX_WAIT_MS } = options
  const scheduler = createScheduler<Job>({
    slots: workers,
    limits: queue,
    keylessLimits: options.keylessQueue ?? shareOf(queue, KEYLESS_SHARE),
    maxRunning: (kind) => kinds[kind as Kind].maxRunning,
  })
  const supervisor = createSupervisor({
    ...options,
    onIdle: pump,
    onGone: (gone) => {
      options.onGone?.(gone)
      pump()
    },
  })
  let isOpen = false
  let isClosed = false
  let meanMs = 50

  function pump(): void {
    if (isClosed) return
    for (let poolSlot = supervisor.idle(); poolSlot; poolSlot = supervisor.idle()) {
      const { workers: started, ready } = supervisor.count()
      const job = scheduler.next(performance.now(), { ready, isWaiting: started > ready })
      if (!job) break
      job.begin(poolSlot)
    }
    // An ended worker that belongs to the kept ones is replaced before it is needed.
    supervisor.want({ jobs: scheduler.size, kept: isOpen ? kept : 0 })
    if (supervisor.fault === undefined || !supervisor.isAway) return
    const seconds = Math.max(Math.ceil(supervisor.pauseMs() / 1_000), 1)
    refuseAll(new WorkerPoolError('unavailable', { retryAfterSeconds: seconds }))
  }

  function refuseAll(error: WorkerPoolError): void {
    for (const job of scheduler.clear()) job.refuse(error)
  }

  /** Estimated time for the waiting jobs, based on recent jobs; those of slow owners share one worker. */
  function retryAfterSeconds({ owner }: Pick<Job, 'owner'>): number {
    const shared = scheduler.isSlow(owner, performance.now()) ? 1 : workers
    const seconds = Math.ceil((scheduler.size * meanMs) / shared / 1_000)
    return Math.min(Math.max(seconds, 1), 60)
  }

  function onReport(report: JobReport): void {
    if (report.ranMs > 0) meanMs = meanMs * 0.9 + report.ranMs * 0.1
    options.onJob?.(report)
  }

  function add(job: Job): void {
    const added = isClosed ? 'stopped' : scheduler.add(job, performance.now())
    if (added === 'added') {
      pump()
      return
    }
    const details = added === 'stopped' ? {} : { retryAfterSeconds: retryAfterSeconds(job) }
    job.refuse(new WorkerPoolError(added, details))
  }

  function addAgain(job: Job): void {
    if (isClosed) {
      job.refuse(new WorkerPoolError('stopped'))
      return
    }
    scheduler.addAgain(job)
    pump()
  }

  return {
    run: (kind, request, requested) => {
      if (requested.signal?.aborted) return Promise.reject(requested.signal.reason)
      const { timeLimitMs, processorLimitMs, isSmall = false } = kinds[kind]
      const waitMs = requested.isKeyless ? maxWaitMs * KEYLESS_WAIT_SHARE : maxWaitMs
      const { job, outcome } = createJob(
        {
          ...requested,
          kind,
          request,
          isSmall: requested.isSmall ?? isSmall,
          limits: { timeLimitMs, processorLimitMs, maxWaitMs: waitMs },
        },
        {
          onReport,
          leave: scheduler.remove,
          onFreed: (one, how) => scheduler.ended(one, performance.now(), how),
          again: addAgain,
          retryAfterSeconds,
        },
      )
      add(job)
      return outcome
    },
    open: () => {
      isOpen = true
      pump()
    },
    get fault() {
      return supervisor.fault
    },
    count: () => {
      const { workers: started, busy } = supervisor.count()
      return { workers: started, busy, waiting: scheduler.waiting() }
    },
    close: async () => {
      isClosed = true
      refuseAll(new WorkerPoolError('stopped'))
      await supervisor.close()
    },
  }
}

function shareOf(limits: QueueLimits, share: number): QueueLimits {
  return {
    maxWaiting: Math.ceil(limits.maxWaiting * share),
    maxWaitingPerOwner: Math.ceil(limits.maxWaitingPerOwner * share),
    maxBytes: limits.maxBytes * share,
    maxBytesPerOwner: limits.maxBytesPerOwner * share,
  }
}

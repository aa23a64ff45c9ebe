// Processes untrusted input outside the server's own process: a few workers that can be killed at any moment without
// affecting anything else. `dispatcher.ts` gives them the jobs; `scheduler.ts` decides which job is next.

import { createDispatcher } from './dispatcher.ts'
import type { QueueLimits } from './fair-bounds.ts'
import { createJob, type JobOptions, type JobReport, type PoolJob } from './job.ts'
import type { GoneWorker } from './pool-slot.ts'
import type { Waiting } from './waiting-jobs.ts'
import type { StartWorker } from './worker.ts'

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
  let meanMs = 50
  const dispatcher = createDispatcher({
    scheduler: {
      slots: workers,
      limits: queue,
      keylessLimits: options.keylessQueue ?? shareOf(queue, KEYLESS_SHARE),
      maxRunning: (kind) => kinds[kind as Kind].maxRunning,
    },
    supervisor: { ...options, onGone: (gone) => options.onGone?.(gone) },
    kept,
    retryAfterSeconds,
  })

  /** Estimated time for the waiting jobs, based on recent jobs; those of slow owners share one worker. */
  function retryAfterSeconds({ owner }: Pick<PoolJob, 'owner'>): number {
    const shared = dispatcher.isSlow(owner, performance.now()) ? 1 : workers
    const seconds = Math.ceil((dispatcher.size * meanMs) / shared / 1_000)
    return Math.min(Math.max(seconds, 1), 60)
  }

  function onReport(report: JobReport): void {
    if (report.ranMs > 0) meanMs = meanMs * 0.9 + report.ranMs * 0.1
    options.onJob?.(report)
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
          leave: dispatcher.remove,
          onFreed: (one, how) => dispatcher.ended(one, performance.now(), how),
          again: dispatcher.addAgain,
          retryAfterSeconds,
        },
      )
      dispatcher.add(job)
      return outcome
    },
    open: dispatcher.open,
    get fault() {
      return dispatcher.fault
    },
    count: () => {
      const { workers: started, busy } = dispatcher.count()
      return { workers: started, busy, waiting: dispatcher.waiting() }
    },
    close: dispatcher.close,
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

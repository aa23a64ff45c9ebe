// One job of the pool, from queueing to its end: its caller is notified once, and its slot stays occupied as long as
// its process works on it, even if no one waits for it any more. A job whose process died is run again.

import type { PoolSlot } from './pool-slot.ts'
import type { Ended } from './running-jobs.ts'
import type { PoolSlotOutcome } from './slot-job.ts'
import type { Schedulable } from './slot-rules.ts'
import { classOf, type JobClass } from './waiting-jobs.ts'
import { isTooCostly, WorkerPoolError, type WorkerPoolFailure } from './worker-pool-error.ts'

export interface JobOptions {
  /** The owner of the job: owners are served in turn. */
  owner: string
  /** Requested without an API key: it runs when no keyed job waits, one at a time. Default false. */
  isKeyless?: boolean | undefined
  /** Expected to take a fraction of a second. Default: that of its kind. */
  isSmall?: boolean | undefined
  /** The approximate size of the request. Default 0. */
  bytes?: number
  /** Aborted when no one waits any more: the job rejects with its reason. */
  signal?: AbortSignal | undefined
  /** Receives chunks of the answer, in order. */
  onPart?: ((part: unknown) => void) | undefined
}

export interface JobReport {
  kind: string
  class: JobClass
  /** `failed`: the job handler threw. `aborted`: nobody waited any more. */
  outcome: 'done' | 'failed' | 'aborted' | WorkerPoolFailure
  waitedMs: number
  /** 0 for one that never began. */
  ranMs: number
}

export interface PoolJob extends Schedulable {
  begin(poolSlot: PoolSlot): void
  /** Cancels a waiting job: it will never start. */
  refuse(error: WorkerPoolError): void
}

/** Limits of one job. */
interface JobLimits {
  /** From its start. */
  timeLimitMs: number
  /** Processor time limit, where it can be measured. Default: no limit. */
  processorLimitMs?: number | undefined
  /** Longest wait for a slot. */
  maxWaitMs: number
}

export interface JobPorts {
  onReport(report: JobReport): void
  /** Removes the job from the queue; false if it is no longer waiting. */
  leave(job: PoolJob): boolean
  /** Its slot is free again. */
  onFreed(job: PoolJob, how: Ended): void
  /** Queues the job again, before other jobs of its owner. */
  again(job: PoolJob): void
  retryAfterSeconds(job: PoolJob): number
}

interface JobRequest extends JobOptions {
  kind: string
  isSmall: boolean
  request: unknown
  limits: JobLimits
}

/** Number of processes that may die during one job before the job is considered the cause. */
const MAX_RUNS = 3
/** Pause before the third run: whatever killed the processes may be over by then. */
const LAST_PAUSE_MS = 1_000

export function createJob(
  requested: JobRequest,
  ports: JobPorts,
): { job: PoolJob; outcome: Promise<unknown> } {
  const { kind, request, limits, owner, isSmall, isKeyless = false, bytes = 0, signal } = requested
  let poolSlot: PoolSlot | undefined
  let runs = 0
  let hasReportedPart = false
  let pause: NodeJS.Timeout | undefined

  const job: PoolJob = {
    owner,
    kind,
    isSmall,
    isKeyless,
    bytes,
    begin: (taken) => {
      clearTimeout(pause)
      poolSlot = taken
      outcome.noteStart()
      runs += 1
      const part = (piece: unknown) => {
        hasReportedPart = true
        if (!outcome.isOver) requested.onPart?.(piece)
      }
      taken.run({ request, ...limits, part, done: settle })
    },
    refuse: (error) => outcome.fail(error),
  }
  const outcome = createOutcome(job, (report) => {
    clearTimeout(pause)
    signal?.removeEventListener('abort', abort)
    ports.onReport(report)
  })

  function settle(ended: PoolSlotOutcome, usedMs: number | undefined): void {
    poolSlot = undefined
    const isToBlame = !ended.ok && isTooCostly(ended.error)
    ports.onFreed(job, { usedMs, isTooCostly: isToBlame })
    if (outcome.isOver) return
    if (ended.ok) outcome.succeed(ended.answer)
    else if (diedBy(ended.error) && !hasReportedPart) runAgain(ended.error)
    else outcome.fail(ended.error)
  }

  /** Killed from outside, or for lack of processor time: not caused by the job, unless it repeats. */
  function runAgain(error: WorkerPoolError): void {
    if (runs === 1) waitAgain()
    else if (runs < MAX_RUNS) pause = setTimeout(waitAgain, LAST_PAUSE_MS)
    else if (error.code === 'died') {
      outcome.fail(new WorkerPoolError('crashed', { said: `its process ended ${runs} times` }))
    } else
      outcome.fail(
        new WorkerPoolError(error.code, { retryAfterSeconds: ports.retryAfterSeconds(job) }),
      )
  }

  function waitAgain(): void {
    expireLater()
    ports.again(job)
  }

  function expireLater(): void {
    pause = setTimeout(() => {
      const error = new WorkerPoolError('waited_too_long', {
        retryAfterSeconds: ports.retryAfterSeconds(job),
      })
      if (ports.leave(job)) outcome.fail(error)
    }, limits.maxWaitMs).unref()
  }

  function abort(): void {
    if (outcome.abort(signal?.reason) && !ports.leave(job)) poolSlot?.abandon()
  }
  signal?.addEventListener('abort', abort, { once: true })
  expireLater()
  return { job, outcome: outcome.promise }
}

/** The outcome of a job: only the first one counts, and is reported. */
function createOutcome(job: PoolJob, onEnd: (report: JobReport) => void) {
  const addedAt = performance.now()
  let startedAt: number | undefined
  let isOver = false
  const { promise, resolve, reject } = withResolvers()

  /** False when it was over already. */
  function end(outcome: JobReport['outcome']): boolean {
    if (isOver) return false
    isOver = true
    const now = performance.now()
    const ranMs = startedAt === undefined ? 0 : now - startedAt
    const waitedMs = (startedAt ?? now) - addedAt
    onEnd({ kind: job.kind, class: classOf(job), outcome, waitedMs, ranMs })
    return true
  }

  return {
    promise,
    get isOver() {
      return isOver
    },
    /** Of its first run. */
    noteStart: () => {
      startedAt ??= performance.now()
    },
    succeed: (answer: unknown) => {
      if (end('done')) resolve(answer)
    },
    fail: (error: Error) => {
      if (end(error instanceof WorkerPoolError ? error.code : 'failed')) reject(error)
    },
    /** False when it was over already. */
    abort: (reason: unknown) => {
      const isAborted = end('aborted')
      if (isAborted) reject(reason)
      return isAborted
    },
  }
}

function diedBy(error: Error): error is WorkerPoolError {
  return error instanceof WorkerPoolError && (error.code === 'died' || error.code === 'starved')
}

function withResolvers() {
  let resolve: (value: unknown) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<unknown>((resolved, rejected) => {
    resolve = resolved
    reject = rejected
  })
  return { promise, resolve, reject }
}

// One job of the pool, from queueing to its end: its caller is notified once, and its slot stays occupied as long as
// its process works on it, even if nobody waits for it any more. A job whose process died is run again.

import type { PoolSlot, PoolSlotOutcome } from './pool-slot.ts'
import { classOf, type Ended, type JobClass } from './scheduler.ts'
import type { Schedulable } from './slot-rules.ts'
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
  /** Aborted when nobody waits any more: the job rejects with its reason. */
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

export interface Job extends Schedulable {
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
  leave(job: Job): boolean
  /** Its slot is free again. */
  onFreed(job: Job, how: Ended): void
  /** Queues the job again, before other jobs of its owner. */
  again(job: Job): void
  retryAfterSeconds(job: Job): number
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
): { job: Job; outcome: Promise<unknown> } {
  const { kind, request, limits, owner, isSmall, isKeyless = false, bytes = 0, signal } = requested
  const addedAt = performance.now()
  let poolSlot: PoolSlot | undefined
  let startedAt: number | undefined
  let runs = 0
  let isOver = false
  let hasReportedPart = false
  let pause: NodeJS.Timeout | undefined
  const { promise, resolve, reject } = withResolvers()

  /** False when it was over already. */
  function end(outcome: JobReport['outcome']): boolean {
    if (isOver) return false
    isOver = true
    clearTimeout(pause)
    signal?.removeEventListener('abort', abort)
    const now = performance.now()
    const ranMs = startedAt === undefined ? 0 : now - startedAt
    const waitedMs = (startedAt ?? now) - addedAt
    ports.onReport({ kind, class: classOf(job), outcome, waitedMs, ranMs })
    return true
  }

  function fail(error: Error): void {
    if (end(error instanceof WorkerPoolError ? error.code : 'failed')) reject(error)
  }

  const job: Job = {
    owner,
    kind,
    isSmall,
    isKeyless,
    bytes,
    begin: (taken) => {
      clearTimeout(pause)
      poolSlot = taken
      startedAt ??= performance.now()
      runs += 1
      const part = (piece: unknown) => {
        hasReportedPart = true
        if (!isOver) requested.onPart?.(piece)
      }
      taken.run({ request, ...limits, part, done: settle })
    },
    refuse: fail,
  }

  function settle(outcome: PoolSlotOutcome, usedMs: number | undefined): void {
    poolSlot = undefined
    const isToBlame = !outcome.ok && isTooCostly(outcome.error)
    ports.onFreed(job, { usedMs, isTooCostly: isToBlame })
    if (isOver) return
    if (outcome.ok) {
      end('done')
      resolve(outcome.answer)
    } else if (diedBy(outcome.error) && !hasReportedPart) runAgain(outcome.error)
    else fail(outcome.error)
  }

  /** Killed from outside, or for lack of processor time: not caused by the job, unless it repeats. */
  function runAgain(error: WorkerPoolError): void {
    if (runs === 1) waitAgain()
    else if (runs < MAX_RUNS) pause = setTimeout(waitAgain, LAST_PAUSE_MS)
    else if (error.code === 'died') {
      fail(new WorkerPoolError('crashed', { said: `its process ended ${runs} times` }))
    } else
      fail(new WorkerPoolError(error.code, { retryAfterSeconds: ports.retryAfterSeconds(job) }))
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
      if (ports.leave(job)) fail(error)
    }, limits.maxWaitMs).unref()
  }

  function abort(): void {
    if (!end('aborted')) return
    if (!ports.leave(job)) poolSlot?.abandon()
    reject(signal?.reason)
  }
  signal?.addEventListener('abort', abort, { once: true })
  expireLater()
  return { job, outcome: promise }
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

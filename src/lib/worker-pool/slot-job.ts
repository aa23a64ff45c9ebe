// The job that a worker of the pool runs: its messages, and its limits, against which it is checked while it runs.

import { revived } from './thrown-in-worker.ts'
import type { FromPoolWorker, WorkerHandle } from './worker.ts'
import { WorkerPoolError, type WorkerPoolFailure } from './worker-pool-error.ts'

export interface PoolSlotJob {
  request: unknown
  timeLimitMs: number
  /** Processor time limit, where it can be measured. Default: no limit. */
  processorLimitMs?: number | undefined
  /** Is passed pieces of the answer. */
  part(part: unknown): void
  /** Called once at the end, with the processor time used if it was measured. */
  done(outcome: PoolSlotOutcome, usedMs: number | undefined): void
}

export type PoolSlotOutcome = { ok: true; answer: unknown } | { ok: false; error: Error }

/**
 * Why a worker ended. `renewed`: it used too much memory. `abandoned`: nobody waited for its job any more. `idle`: it
 * had nothing to do.
 */
export type GoneReason = WorkerPoolFailure | 'renewed' | 'abandoned' | 'idle'

interface SlotJobPorts {
  worker(): WorkerHandle | undefined
  maxResidentBytes: number
  /** Called when the job exceeds a limit: its worker has to be killed. */
  onExceeded(reason: GoneReason): void
}

interface SlotJob {
  run(job: PoolSlotJob): void
  /** True when the message ends the job; messages of earlier jobs are ignored. */
  receive(message: Exclude<FromPoolWorker, { ready: true }>): boolean
  /** No one waits for it any more: it may finish soon, or is ended. */
  abandon(): void
  /** Fails the job, if there is one: its worker has exited. */
  fail(failure: WorkerPoolFailure): void
  /** Whether earlier jobs left so much memory in use that the worker should be replaced. */
  isWorkerFat(): boolean
}

/** How often a job is checked against its limits. */
const LOOK_MS = 50
/** If a job got less than this share of its processor time within its time limit, it is not the cause. */
const STARVED_SHARE = 0.1
/** Starting a worker costs more than most jobs have left to do. */
const ABANDONED_MS = 500
/** Short jobs are never inspected, so a worker is inspected after this many of them. */
const JOBS_PER_LOOK = 64

export function createSlotJob({ worker, maxResidentBytes, onExceeded }: SlotJobPorts): SlotJob {
  let job: PoolSlotJob | undefined
  let jobs = 0
  let limit: { at: number; reason: GoneReason } = { at: 0, reason: 'too_long' }
  let processor: { beforeMs: number; usedMs: number } | undefined
  let startedAt = 0
  let isFat = false
  let watch: NodeJS.Timeout | undefined
  const resident = () => worker()?.residentBytes() ?? 0

  /** First measured at the first check; until then the job may have used the processor all the time. */
  function measureProcessor(now: number): void {
    const ms = worker()?.processorMs?.()
    if (ms === undefined) return
    const beforeMs = processor?.beforeMs ?? ms - Math.min(now - startedAt, ms)
    processor = { beforeMs, usedMs: ms - beforeMs }
  }

  function look(): void {
    const now = performance.now()
    measureProcessor(now)
    const { usedMs } = processor ?? {}
    const processorMs = job?.processorLimitMs
    if (processorMs !== undefined && (usedMs ?? 0) >= processorMs) onExceeded('too_long')
    if (now >= limit.at) {
      const isStarved = usedMs !== undefined && usedMs < (processorMs ?? 0) * STARVED_SHARE
      onExceeded(isStarved && limit.reason === 'too_long' ? 'starved' : limit.reason)
    }
    const bytes = resident()
    isFat = bytes > maxResidentBytes / 2
    if (bytes > maxResidentBytes) onExceeded('too_large')
  }

  function settle(outcome: PoolSlotOutcome): void {
    clearInterval(watch)
    const ended = job
    job = undefined
    ended?.done(outcome, processor?.usedMs)
  }

  return {
    run: (next) => {
      job = next
      jobs += 1
      startedAt = performance.now()
      processor = undefined
      limit = { at: startedAt + next.timeLimitMs, reason: 'too_long' }
      watch = setInterval(look, LOOK_MS)
      worker()?.send({ job: jobs, request: next.request })
    },
    receive: (message) => {
      if (message.job !== jobs || !job) return false
      if ('part' in message) {
        job.part(message.part)
        return false
      }
      settle(
        'answer' in message
          ? { ok: true, answer: message.answer }
          : { ok: false, error: revived(message.error) },
      )
      return true
    },
    abandon: () => {
      limit = { at: performance.now() + ABANDONED_MS, reason: 'abandoned' }
    },
    fail: (failure) => {
      isFat = false
      const processorMs = processor?.usedMs
      if (job) settle({ ok: false, error: new WorkerPoolError(failure, { processorMs }) })
    },
    isWorkerFat: () => {
      if (isFat || jobs % JOBS_PER_LOOK === 0) isFat = resident() > maxResidentBytes / 2
      return isFat
    },
  }
}

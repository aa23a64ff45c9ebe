// A slot of the worker pool: one worker, its current job, and the limits of that job. A worker that exits fails its
// job and leaves the slot empty; the code that runs the pool fills it again.

import { revived } from './thrown-in-worker.ts'
import {
  type FromWorker,
  MEMORY_SIGNAL,
  type StartWorker,
  type WorkerEnd,
  type WorkerHandle,
} from './worker.ts'
import { WorkerPoolError, type WorkerPoolFailure } from './worker-pool-error.ts'

interface PoolSlotJob {
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

export interface PoolSlotPorts {
  start: StartWorker
  maxResidentBytes: number
  /** How long an idle worker is kept, in milliseconds. Default: unlimited. */
  maxIdleMs?: number | undefined
  /** Called when the worker is ready, or has finished its job. */
  onIdle(): void
  onGone(gone: GoneWorker): void
}

export interface GoneWorker {
  reason: GoneReason
  /** Whether it could work at all. */
  wasReady: boolean
  /** The tail of its standard error output. */
  said: string
}

/**
 * Why a worker ended. `renewed`: it used too much memory. `abandoned`: nobody waited for its job any more. `idle`: it
 * had nothing to do.
 */
export type GoneReason = WorkerPoolFailure | 'renewed' | 'abandoned' | 'idle'

type PoolSlotState = 'empty' | 'starting' | 'idle' | 'busy' | 'leaving'

export interface PoolSlot {
  readonly state: PoolSlotState
  /** Starts a worker in an empty slot. */
  fill(): void
  /** Gives the idle worker a job. */
  run(job: PoolSlotJob): void
  /** Nobody waits for the job any more: it may finish soon, or is ended. */
  abandon(): void
  /** Ends the worker; resolves when it has exited. */
  close(): Promise<void>
}

/** How often a job is checked against its limits. */
const LOOK_MS = 50
/** If a job got less than this share of its processor time within its time limit, it is not the cause. */
const STARVED_SHARE = 0.1
/** Starting a worker costs more than most jobs have left to do. */
const ABANDONED_MS = 500
/** Short jobs are never inspected, so a worker is inspected after this many of them. */
const JOBS_PER_LOOK = 64

export function createPoolSlot(ports: PoolSlotPorts): PoolSlot {
  let state: PoolSlotState = 'empty'
  let worker: WorkerHandle | undefined
  let isReady = false
  let reason: GoneReason | undefined
  let job: PoolSlotJob | undefined
  let jobs = 0
  let limit: { at: number; reason: GoneReason } = { at: 0, reason: 'too_long' }
  let processor: { beforeMs: number; usedMs: number } | undefined
  let startedAt = 0
  let isFat = false
  let watch: NodeJS.Timeout | undefined
  let rest: NodeJS.Timeout | undefined
  const gone: (() => void)[] = []
  const resident = () => worker?.residentBytes() ?? 0

  function kill(why: GoneReason): void {
    clearTimeout(rest)
    reason ??= why
    state = 'leaving'
    worker?.kill()
  }

  /** First measured at the first check; until then the job may have used the processor all the time. */
  function measureProcessor(now: number): void {
    const ms = worker?.processorMs?.()
    if (ms === undefined) return
    const beforeMs = processor?.beforeMs ?? ms - Math.min(now - startedAt, ms)
    processor = { beforeMs, usedMs: ms - beforeMs }
  }

  function look(): void {
    const now = performance.now()
    measureProcessor(now)
    const { usedMs } = processor ?? {}
    const processorMs = job?.processorLimitMs
    if (processorMs !== undefined && (usedMs ?? 0) >= processorMs) kill('too_long')
    if (now >= limit.at) {
      const isStarved = usedMs !== undefined && usedMs < (processorMs ?? 0) * STARVED_SHARE
      kill(isStarved && limit.reason === 'too_long' ? 'starved' : limit.reason)
    }
    const bytes = resident()
    isFat = bytes > ports.maxResidentBytes / 2
    if (bytes > ports.maxResidentBytes) kill('too_large')
  }

  function settle(outcome: PoolSlotOutcome): void {
    clearInterval(watch)
    const ended = job
    job = undefined
    ended?.done(outcome, processor?.usedMs)
  }

  /** Memory left over from earlier jobs would count against the next one: a worker that uses much is replaced. */
  function becomeIdle(): void {
    if (isFat || jobs % JOBS_PER_LOOK === 0) isFat = resident() > ports.maxResidentBytes / 2
    if (isFat) {
      kill('renewed')
      return
    }
    state = 'idle'
    if (ports.maxIdleMs !== undefined) {
      rest = setTimeout(() => kill('idle'), ports.maxIdleMs).unref()
    }
    ports.onIdle()
  }

  function receive(message: FromWorker): void {
    if (state === 'leaving') return
    if ('ready' in message) {
      isReady = true
      becomeIdle()
    } else if (message.job !== jobs || !job) {
      // Of a job that is over.
    } else if ('part' in message) {
      job.part(message.part)
    } else {
      const isAnswer = 'answer' in message
      settle(
        isAnswer
          ? { ok: true, answer: message.answer }
          : { ok: false, error: revived(message.error) },
      )
      becomeIdle()
    }
  }

  function end(how: WorkerEnd): void {
    clearTimeout(rest)
    const why = reason ?? failureOf(how)
    const reported = { reason: why, wasReady: isReady, said: how.said }
    worker = undefined
    reason = undefined
    isReady = false
    isFat = false
    state = 'empty'
    const failure = why === 'renewed' || why === 'abandoned' || why === 'idle' ? 'died' : why
    const processorMs = processor?.usedMs
    if (job) settle({ ok: false, error: new WorkerPoolError(failure, { processorMs }) })
    for (const resolve of gone.splice(0)) resolve()
    ports.onGone(reported)
  }

  return {
    get state() {
      return state
    },
    fill: () => {
      state = 'starting'
      worker = ports.start({ message: receive, ended: end })
    },
    run: (next) => {
      clearTimeout(rest)
      state = 'busy'
      job = next
      jobs += 1
      startedAt = performance.now()
      processor = undefined
      limit = { at: startedAt + next.timeLimitMs, reason: 'too_long' }
      watch = setInterval(look, LOOK_MS)
      worker?.send({ job: jobs, request: next.request })
    },
    abandon: () => {
      limit = { at: performance.now() + ABANDONED_MS, reason: 'abandoned' }
    },
    close: () =>
      new Promise((resolve) => {
        if (!worker) {
          resolve()
          return
        }
        gone.push(resolve)
        kill('stopped')
      }),
  }
}

const BROKEN: ReadonlySet<string | null> = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE'])

/** V8 aborts when its heap is full; other signals come from outside. */
function failureOf({ code, signal, said }: WorkerEnd): WorkerPoolFailure {
  if (signal === MEMORY_SIGNAL) return 'too_large'
  if (signal === 'SIGABRT') return said.includes('out of memory') ? 'too_large' : 'crashed'
  if (signal === null && code !== null && code !== 0) return 'crashed'
  return BROKEN.has(signal) ? 'crashed' : 'died'
}

// A slot of the worker pool: one worker, and the job that it runs. A worker that exits fails its job and leaves the
// slot empty; the code that runs the pool fills it again.

import { createSlotJob, type GoneReason, type PoolSlotJob } from './slot-job.ts'
import {
  type FromPoolWorker,
  MEMORY_SIGNAL,
  type StartWorker,
  type WorkerEnd,
  type WorkerHandle,
} from './worker.ts'
import type { WorkerPoolFailure } from './worker-pool-error.ts'

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

type PoolSlotState = 'empty' | 'starting' | 'idle' | 'busy' | 'leaving'

export interface PoolSlot {
  readonly state: PoolSlotState
  /** Starts a worker in an empty slot. */
  fill(): void
  /** Gives the idle worker a job. */
  run(job: PoolSlotJob): void
  /** No one waits for the job any more: it may finish soon, or is ended. */
  abandon(): void
  /** Ends the worker; resolves when it has exited. */
  close(): Promise<void>
}

export function createPoolSlot(ports: PoolSlotPorts): PoolSlot {
  let state: PoolSlotState = 'empty'
  let worker: WorkerHandle | undefined
  let isReady = false
  let reason: GoneReason | undefined
  let rest: NodeJS.Timeout | undefined
  const gone: (() => void)[] = []
  const job = createSlotJob({
    worker: () => worker,
    maxResidentBytes: ports.maxResidentBytes,
    onExceeded: kill,
  })

  function kill(why: GoneReason): void {
    clearTimeout(rest)
    reason ??= why
    state = 'leaving'
    worker?.kill()
  }

  /** Memory left over from earlier jobs would count against the next one: a worker that uses much is replaced. */
  function becomeIdle(): void {
    if (job.isWorkerFat()) {
      kill('renewed')
      return
    }
    state = 'idle'
    if (ports.maxIdleMs !== undefined) {
      rest = setTimeout(() => kill('idle'), ports.maxIdleMs).unref()
    }
    ports.onIdle()
  }

  function receive(message: FromPoolWorker): void {
    if (state === 'leaving') return
    if ('ready' in message) isReady = true
    else if (!job.receive(message)) return
    becomeIdle()
  }

  function end(how: WorkerEnd): void {
    clearTimeout(rest)
    const why = reason ?? failureOf(how)
    const reported = { reason: why, wasReady: isReady, said: how.said }
    worker = undefined
    reason = undefined
    isReady = false
    state = 'empty'
    job.fail(why === 'renewed' || why === 'abandoned' || why === 'idle' ? 'died' : why)
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
      job.run(next)
    },
    abandon: job.abandon,
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

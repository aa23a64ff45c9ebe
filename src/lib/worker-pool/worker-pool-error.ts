// Why a job of the worker pool has no answer: a fixed set of codes, so that the calling code can decide what to
// report to its own caller.

/** @internal */
export const WORKER_POOL_FAILURES = {
  /** This owner already has too much waiting: it should retry later. */
  owner_full: 'too much of yours is waiting already',
  /** All owners together have too much waiting. */
  queue_full: 'too much is waiting already',
  /** It exceeded the time limit of its kind, and its process was killed. */
  too_long: 'it took too long',
  /** It exceeded the memory limit of a process, and the process was killed. */
  too_large: 'it took too much memory',
  /** Its process crashed, as native code does on a malicious file. */
  crashed: 'its process broke',
  /** Its process was killed from outside: this is not caused by the job. */
  died: 'its process was ended from outside',
  /** It got too little processor time within its limit: this is not caused by the job. */
  starved: 'the machine was too busy for it',
  /** It was not started within its maximum wait. */
  waited_too_long: 'it waited too long for a process',
  /** No process can be started. */
  unavailable: 'no process can be started for it',
  /** The worker pool has been closed. */
  stopped: 'the server is stopping',
} as const

export type WorkerPoolFailure = keyof typeof WORKER_POOL_FAILURES

interface WorkerPoolErrorDetails {
  said?: string
  retryAfterSeconds?: number
  processorMs?: number | undefined
}

export class WorkerPoolError extends Error {
  override readonly name = 'WorkerPoolError'
  readonly code: WorkerPoolFailure
  /** Seconds after which a retry can succeed; undefined if it would fail again. */
  readonly retryAfterSeconds: number | undefined
  /** Processor time it used, if measured. */
  readonly processorMs: number | undefined

  constructor(code: WorkerPoolFailure, details: WorkerPoolErrorDetails = {}) {
    const { said = '', retryAfterSeconds, processorMs } = details
    super(`${WORKER_POOL_FAILURES[code]}${said === '' ? '' : `: ${said}`}`)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.processorMs = processorMs
  }
}

const COSTLY_FAILURES = ['too_long', 'too_large', 'crashed'] as const
const COSTLY: ReadonlySet<WorkerPoolFailure> = new Set(COSTLY_FAILURES)

export type CostlyFailure = (typeof COSTLY_FAILURES)[number]

/** Whether the job itself is the cause, so that a retry would fail in the same way. */
export function isTooCostly(error: unknown): error is WorkerPoolError & { code: CostlyFailure } {
  return error instanceof WorkerPoolError && COSTLY.has(error.code)
}

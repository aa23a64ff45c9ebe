// Why a job of the worker pool has no answer: a closed list, so that the calling code can decide what it means for
// its own caller.

/** @internal */
export const WORKER_POOL_FAILURES = {
  /** This owner has too much waiting already: it should come back later. */
  owner_full: 'too much of yours is waiting already',
  /** Everybody together has too much waiting. */
  queue_full: 'too much is waiting already',
  /** It took longer than its kind may, and its process was ended. */
  too_long: 'it took too long',
  /** It took more memory than a process may have, and the process was ended. */
  too_large: 'it took too much memory',
  /** Its process broke while it ran, as native code does on a file that is made for it. */
  crashed: 'its process broke',
  /** Its process was ended from outside: that says nothing about the job. */
  died: 'its process was ended from outside',
  /** It got too little processor time within its limit: that says nothing about the job. */
  starved: 'the machine was too busy for it',
  /** It was not begun within its longest wait. */
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
  /** Seconds after which a repetition can succeed; undefined where it would fail again. */
  readonly retryAfterSeconds: number | undefined
  /** Processor time that it had, where that was measured. */
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

/** Whether the job itself is to blame, so that running it again would end in the same way. */
export function isTooCostly(error: unknown): error is WorkerPoolError & { code: CostlyFailure } {
  return error instanceof WorkerPoolError && COSTLY.has(error.code)
}

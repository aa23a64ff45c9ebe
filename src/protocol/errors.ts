// What can go wrong with a task, in the protocol's words (spec 7): one closed list. How a wire says
// it is the wire's business.

/** What the caller can do: wait and repeat, change the request, or give up. */
export type Recovery = 'transient' | 'correctable' | 'terminal'

export const ERROR_CODES = {
  INVALID_REQUEST: 'correctable',
  INVALID_FORMAT_ID: 'correctable',
  VALIDATION_ERROR: 'correctable',
  VERSION_UNSUPPORTED: 'correctable',
  FORMAT_NOT_SUPPORTED: 'correctable',
  UNSUPPORTED_FEATURE: 'correctable',
  CREATIVE_INACCESSIBLE: 'correctable',
  AUTH_MISSING: 'correctable',
  AUTH_INVALID: 'terminal',
  PERMISSION_DENIED: 'correctable',
  DEPLOYMENT_UNAUTHORIZED: 'terminal',
  AGENT_ACCESS_DENIED: 'terminal',
  AGENT_NOT_FOUND: 'terminal',
  SIGNAL_AGENT_SEGMENT_NOT_FOUND: 'correctable',
  REFERENCE_NOT_FOUND: 'correctable',
  TASK_NOT_FOUND: 'correctable',
  MEDIA_BUY_NOT_FOUND: 'correctable',
  CREATIVE_NOT_FOUND: 'correctable',
  ALREADY_ACTIVATED: 'correctable',
  PARTIAL_COVERAGE: 'correctable',
  ACTIVATION_FAILED: 'transient',
  IDEMPOTENCY_CONFLICT: 'correctable',
  IDEMPOTENCY_IN_FLIGHT: 'transient',
  INVALID_STATE: 'correctable',
  NOT_CANCELLABLE: 'correctable',
  RATE_LIMITED: 'transient',
  QUOTA_EXCEEDED: 'correctable',
  TASK_ABANDONED: 'terminal',
  SERVICE_UNAVAILABLE: 'transient',
} as const satisfies Record<string, Recovery>

export type ErrorCode = keyof typeof ERROR_CODES

/** One failure of a request's shape or content, by the place where it stands (RFC 6901). */
export interface Issue {
  pointer: string
  message: string
  keyword: string
}

/** An element of `errors` (spec 7.2). */
export interface TaskError {
  code: ErrorCode
  /** What was wrong and what would be right. */
  message: string
  /** Where in the request: the pointer of the first issue, if there are any. */
  field?: string
  suggestion?: string
  recovery: Recovery
  issues?: readonly Issue[]
  details?: Record<string, unknown>
  /** Seconds after which a repetition can succeed, 1 to 3600. */
  retry_after?: number
}

export type ErrorExtras = Partial<Omit<TaskError, 'code' | 'message' | 'recovery'>>

export function taskError(code: ErrorCode, message: string, extras: ErrorExtras = {}): TaskError {
  const field = extras.field ?? extras.issues?.[0]?.pointer
  return {
    code,
    message,
    ...(field === undefined ? {} : { field }),
    recovery: ERROR_CODES[code],
    ...extras,
  }
}

/** Thrown by a handler to refuse; caught in one place, in `agent/`. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly errors: readonly [TaskError, ...TaskError[]]

  constructor(code: ErrorCode, message: string, extras?: ErrorExtras, options?: ErrorOptions) {
    super(message, options)
    this.errors = [taskError(code, message, extras)]
  }
}

/** A refusal for several reasons; the first names it. */
export class ManyErrors extends ProtocolError {
  override readonly errors: readonly [TaskError, ...TaskError[]]

  constructor(errors: readonly [TaskError, ...TaskError[]]) {
    super(errors[0].code, errors[0].message)
    this.errors = errors
  }
}

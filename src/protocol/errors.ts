// What can go wrong with a task, in the protocol's words (spec 7): one closed list. How a wire says
// it is the wire's business.

import { defined } from '../lib/defined.ts'

/** What the caller can do: wait and repeat, change the request, or give up. */
export type Recovery = 'transient' | 'correctable' | 'terminal'

export const ERROR_CODES = {
  INVALID_REQUEST: 'correctable',
  INVALID_FORMAT_ID: 'correctable',
  VALIDATION_ERROR: 'correctable',
  VERSION_UNSUPPORTED: 'correctable',
  FORMAT_NOT_SUPPORTED: 'correctable',
  UNSUPPORTED_FEATURE: 'correctable',
  UNSUPPORTED_GRANULARITY: 'correctable',
  CREATIVE_INACCESSIBLE: 'correctable',
  AUTH_MISSING: 'correctable',
  AUTH_INVALID: 'terminal',
  PERMISSION_DENIED: 'correctable',
  DEPLOYMENT_UNAUTHORIZED: 'terminal',
  AGENT_ACCESS_DENIED: 'terminal',
  AGENT_NOT_FOUND: 'terminal',
  AGENT_UNREACHABLE: 'transient',
  AGENT_CALL_FAILED: 'correctable',
  SIGNAL_AGENT_SEGMENT_NOT_FOUND: 'correctable',
  REFERENCE_NOT_FOUND: 'correctable',
  TASK_NOT_FOUND: 'correctable',
  MEDIA_BUY_NOT_FOUND: 'correctable',
  CREATIVE_NOT_FOUND: 'correctable',
  PRODUCT_NOT_FOUND: 'correctable',
  PACKAGE_NOT_FOUND: 'correctable',
  ACCOUNT_NOT_FOUND: 'terminal',
  BUDGET_TOO_LOW: 'correctable',
  PROPOSAL_EXPIRED: 'correctable',
  PROPOSAL_NOT_COMMITTED: 'correctable',
  APPROVAL_REQUIRED: 'correctable',
  TERMS_REJECTED: 'correctable',
  ALREADY_ACTIVATED: 'correctable',
  PARTIAL_COVERAGE: 'correctable',
  ACTIVATION_FAILED: 'transient',
  IDEMPOTENCY_CONFLICT: 'correctable',
  IDEMPOTENCY_IN_FLIGHT: 'transient',
  INVALID_STATE: 'correctable',
  NOT_CANCELLABLE: 'correctable',
  CONFLICT: 'transient',
  RATE_LIMITED: 'transient',
  QUOTA_EXCEEDED: 'correctable',
  TASK_ABANDONED: 'terminal',
  SERVICE_UNAVAILABLE: 'transient',
} as const satisfies Record<string, Recovery>

/** A code of a failed task; docs/task-errors.md lists them. */
export type ErrorCode = keyof typeof ERROR_CODES

/** What to do about a failure, where whoever refuses knows nothing better. */
const SUGGESTIONS: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: 'Mend what the message names, by the schema of the request, and send it again.',
  INVALID_FORMAT_ID: 'Send a format_id as list_creative_formats gives it: {agent_url, id}.',
  VALIDATION_ERROR: 'Mend every place that the message names, and send the request again.',
  VERSION_UNSUPPORTED: 'Name one of the releases in details.supported_versions, or none.',
  FORMAT_NOT_SUPPORTED: 'Take a format_id that list_creative_formats lists.',
  UNSUPPORTED_FEATURE: 'Ask without it; get_agent_capabilities tells what there is.',
  UNSUPPORTED_GRANULARITY: 'Ask for one of details.supported_granularities.',
  CREATIVE_INACCESSIBLE: 'Give an https address that serves the asset to everyone.',
  AUTH_MISSING: 'Send the header Authorization: Bearer with a key of this server.',
  AUTH_INVALID: 'Send a key that is in force; the operator makes and replaces keys.',
  PERMISSION_DENIED: 'Ask the operator for a key with the scope that the task needs.',
  DEPLOYMENT_UNAUTHORIZED:
    'Name a platform and account of your own, or ask the operator for access.',
  AGENT_ACCESS_DENIED: 'Call another signal agent, or ask its operator for access.',
  AGENT_NOT_FOUND: 'Name a signal agent as get_signals gives it.',
  AGENT_UNREACHABLE: 'Call the agent again later, with the same idempotency_key.',
  AGENT_CALL_FAILED: 'Do what details.agent_error says of the other agent’s refusal.',
  SIGNAL_AGENT_SEGMENT_NOT_FOUND: 'Send a signal_agent_segment_id that get_signals returns.',
  REFERENCE_NOT_FOUND: 'Name something that is there: list it first.',
  TASK_NOT_FOUND: 'Send a task_id of your own; list_tasks has them.',
  MEDIA_BUY_NOT_FOUND: 'Send the id of a media buy of your own.',
  CREATIVE_NOT_FOUND: 'Send a creative_id of your own; list_creatives has them.',
  PRODUCT_NOT_FOUND: 'Take a product_id that get_products lists.',
  PACKAGE_NOT_FOUND: 'Send a package_id of this media buy; get_media_buys has them.',
  ACCOUNT_NOT_FOUND: 'Name an account of your own: list_accounts has them.',
  BUDGET_TOO_LOW: 'Give the package at least the least budget of its pricing option.',
  PROPOSAL_EXPIRED: 'Ask get_products for a new proposal, and finalise that.',
  PROPOSAL_NOT_COMMITTED: 'Finalise it first: get_products with buying_mode refine.',
  APPROVAL_REQUIRED: 'Wait: the seller decides, and get_task_status or a webhook tells how.',
  TERMS_REJECTED: 'Change what the reason names and ask anew, or buy something else.',
  ALREADY_ACTIVATED: 'Use the activation_key of the deployment.',
  PARTIAL_COVERAGE: 'Ask for those targets alone, or for other signals there.',
  ACTIVATION_FAILED: 'Activate it again later, or ask the platform why it refused.',
  IDEMPOTENCY_CONFLICT: 'Send a new idempotency_key with a new request.',
  IDEMPOTENCY_IN_FLIGHT: 'Send the same request again after retry_after seconds.',
  INVALID_STATE: 'Ask how it stands, and do what that state allows.',
  NOT_CANCELLABLE: 'Leave it: ask get_task_status for how it ended.',
  CONFLICT: 'Read it anew with get_media_buys, and send the change with the revision read.',
  RATE_LIMITED: 'Wait retry_after seconds, and make fewer calls a minute.',
  QUOTA_EXCEEDED: 'Remove what you need no more, or ask the operator for more.',
  TASK_ABANDONED: 'Change the request before you send it again.',
  SERVICE_UNAVAILABLE: 'Send the same request again after retry_after seconds, with the same key.',
}

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
    ...defined({ field }),
    suggestion: SUGGESTIONS[code],
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

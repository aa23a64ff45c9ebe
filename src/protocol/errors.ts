// The errors of a task, in the terms of the protocol (spec 7): a fixed set. Each transport decides how to represent
// them.

import { defined } from '../lib/defined.ts'

/** What the caller can do: wait and retry, change the request, or give up. */
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
  PROPOSAL_NOT_FOUND: 'correctable',
  PROPOSAL_EXPIRED: 'correctable',
  PROPOSAL_NOT_COMMITTED: 'correctable',
  INVALID_PRICING_OPTION: 'correctable',
  INVALID_USAGE_DATA: 'correctable',
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

/** The default suggestion for an error, if the code that refuses has no better one. */
const SUGGESTIONS: Readonly<Record<Exclude<ErrorCode, 'IDEMPOTENCY_CONFLICT'>, string>> = {
  INVALID_REQUEST: 'Fix the fields listed in `issues` and retry.',
  INVALID_FORMAT_ID:
    'Send `format_id` as an object, {agent_url, id}, as returned by list_creative_formats.',
  VALIDATION_ERROR: 'Fix the fields listed in `issues` and retry.',
  VERSION_UNSUPPORTED:
    'Use one of the releases in details.supported_versions, or omit the version.',
  FORMAT_NOT_SUPPORTED: 'Use a format_id returned by list_creative_formats.',
  UNSUPPORTED_FEATURE:
    'Retry without the unsupported feature. get_agent_capabilities lists what is supported.',
  UNSUPPORTED_GRANULARITY: 'Use one of details.supported_granularities.',
  CREATIVE_INACCESSIBLE: 'Use a public https URL that serves the asset without authentication.',
  AUTH_MISSING: 'Send the header `Authorization: Bearer <key>` with a key of this server.',
  AUTH_INVALID: 'Send a valid, unexpired key. The operator of this server issues keys.',
  PERMISSION_DENIED: 'Ask the operator for a key with the required scope.',
  DEPLOYMENT_UNAUTHORIZED:
    'Use a platform and account that your key may use, or ask the operator for access.',
  AGENT_ACCESS_DENIED: 'Use another signal agent, or ask its operator for access.',
  AGENT_NOT_FOUND: 'Use an agent_url returned by get_signals.',
  AGENT_UNREACHABLE: 'Retry later with the same idempotency_key.',
  AGENT_CALL_FAILED: 'Follow details.agent_error, the error that the other agent returned.',
  SIGNAL_AGENT_SEGMENT_NOT_FOUND: 'Use a signal_agent_segment_id returned by get_signals.',
  REFERENCE_NOT_FOUND: 'Not found. Call the matching list or get task to find valid ids.',
  TASK_NOT_FOUND: 'Use a task_id returned by list_tasks.',
  MEDIA_BUY_NOT_FOUND: 'Use a media_buy_id returned by get_media_buys.',
  CREATIVE_NOT_FOUND: 'Use a creative_id returned by list_creatives.',
  PRODUCT_NOT_FOUND: 'Use a product_id returned by get_products.',
  PACKAGE_NOT_FOUND: 'Use a package_id of this media buy, as returned by get_media_buys.',
  ACCOUNT_NOT_FOUND: 'Use an account returned by list_accounts.',
  BUDGET_TOO_LOW: 'Raise the budget of the package to at least the minimum of its pricing option.',
  PROPOSAL_NOT_FOUND: 'Use a proposal_id that get_products returned to you.',
  PROPOSAL_EXPIRED: 'Request a new proposal with get_products and finalise it before it expires.',
  PROPOSAL_NOT_COMMITTED: 'Finalise the proposal first: call get_products with buying_mode refine.',
  INVALID_PRICING_OPTION: 'Use a pricing_option_id of what was used, as it was offered.',
  INVALID_USAGE_DATA: 'Fix the record that `field` names, and report it again.',
  APPROVAL_REQUIRED:
    'Wait for the seller’s decision. Poll get_task_status, or receive it by webhook.',
  TERMS_REJECTED: 'Change the terms given in the message and retry, or buy another product.',
  ALREADY_ACTIVATED: 'Use the activation_key of the existing deployment.',
  PARTIAL_COVERAGE: 'Request only the covered targets, or choose another signal for the rest.',
  ACTIVATION_FAILED: 'Retry later, or ask the platform why it refused.',
  IDEMPOTENCY_IN_FLIGHT: 'Retry the same request after retry_after seconds.',
  INVALID_STATE: 'Read the current status and use an action that it allows.',
  NOT_CANCELLABLE: 'Nothing to cancel: the task has ended. Call get_task_status for its result.',
  CONFLICT: 'Call get_media_buys for the current revision and retry with it.',
  RATE_LIMITED: 'Wait retry_after seconds before the next call, and reduce the call rate.',
  QUOTA_EXCEEDED: 'Delete items you no longer need, or ask the operator to raise the limit.',
  TASK_ABANDONED: 'Change the request before you retry.',
  SERVICE_UNAVAILABLE:
    'Retry the same request after retry_after seconds with the same idempotency_key.',
}

/** One error in a request's structure or content, with its location (RFC 6901). */
export interface Issue {
  pointer: string
  message: string
  keyword: string
}

/** An element of `errors` (spec 7.2). */
export interface TaskError {
  code: ErrorCode
  /** What is wrong and what is accepted. */
  message: string
  /** The location in the request: the pointer of the first issue, if there are any. */
  field?: string
  suggestion?: string
  recovery: Recovery
  issues?: readonly Issue[]
  details?: Record<string, unknown>
  /** Seconds after which a retry can succeed, 1 to 3600. */
  retry_after?: number
}

export type ErrorExtras = Partial<Omit<TaskError, 'code' | 'message' | 'recovery'>>

export function taskError(code: ErrorCode, message: string, extras: ErrorExtras = {}): TaskError {
  // spec 7.3: nothing in a conflict may describe the earlier request, so it has neither field nor suggestion.
  if (code === 'IDEMPOTENCY_CONFLICT') return { code, message, recovery: ERROR_CODES[code] }
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

/** Thrown by a handler to refuse a request; caught in one place, in `agent/`. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly errors: readonly [TaskError, ...TaskError[]]

  // biome-ignore lint/complexity/useMaxParams: the last two are optional, and `options` is that of every Error.
  constructor(code: ErrorCode, message: string, extras?: ErrorExtras, options?: ErrorOptions) {
    super(message, options)
    this.errors = [taskError(code, message, extras)]
  }
}

/** A refusal for several reasons; the first one determines its code. */
export class ManyErrors extends ProtocolError {
  override readonly errors: readonly [TaskError, ...TaskError[]]

  constructor(errors: readonly [TaskError, ...TaskError[]]) {
    super(errors[0].code, errors[0].message)
    this.errors = errors
  }
}

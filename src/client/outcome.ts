// How a call to another agent ends, the same over every transport (spec 3.2, 7).

import type { Recovery } from '../protocol/errors.ts'
import type { ResponseEnvelope } from '../protocol/schemas/envelope.ts'
import type { Transport } from '../protocol/task.ts'

/** Which source reported the end of a task. */
export type UpdateSource = 'answer' | 'poll' | 'webhook'

/**
 * `unreachable`: no response. `timeout`: the time limit was reached. `cancelled`: the caller gave up. `unauthorized`:
 * no key, or one without the necessary rights. `refused`: the agent's own error. `failed`: the task ended failed,
 * rejected or canceled. `invalid-answer`: does not conform to the protocol. `unsupported`: the agent does not support
 * it.
 */
export type AgentErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'cancelled'
  | 'unauthorized'
  | 'refused'
  | 'failed'
  | 'invalid-answer'
  | 'unsupported'

/** Why a call came to nothing. */
export interface AgentError {
  kind: AgentErrorKind
  /** The protocol's error code, if the agent sent one. */
  code?: string
  /** One line, safe to display. */
  message: string
  /** What can be done: wait and repeat, change the request, or give up. */
  recovery?: Recovery
  /** Seconds after which a retry can succeed. */
  retry_after?: number
  /** Where in the request. */
  field?: string
  httpStatus?: number
}

/** A second end of the same task that differs from the first one: the first one counts. */
export interface OutcomeConflict {
  task: string
  taskId?: string
  operationId?: string
  settled: { by: UpdateSource; status: string }
  other: { by: UpdateSource; status: string; body: Record<string, unknown> }
}

/** What is known about a call however it ends; `resumeCall` takes `taskId` or `operationId`. */
export interface CallIdentity {
  taskId?: string
  operationId?: string
  /** The idempotency_key that was sent: the same call can be repeated with it. */
  idempotencyKey?: string
  /** The transport that was used; none when a call was resumed and its webhook had already arrived. */
  transport?: Transport
  /** Other ends that were reported and differ. */
  conflicts?: OutcomeConflict[]
}

/** The members of a complete answer. */
export type WholeAnswer<Response> = Response & Partial<ResponseEnvelope>

export interface CompletedCall<Response = Record<string, unknown>> extends CallIdentity {
  ok: true
  status: 'completed'
  body: WholeAnswer<Response>
  by: UpdateSource
}

/** The agent accepted the call and has not finished it: the caller does not wait for it, or it requests input. */
export interface AcceptedCall<Response = Record<string, unknown>> extends CallIdentity {
  ok: true
  status: 'submitted' | 'working' | 'input-required' | 'unknown'
  body: Partial<Response> & Partial<ResponseEnvelope>
  by: UpdateSource
}

export interface FailedCall extends CallIdentity {
  ok: false
  error: AgentError
  /** The status that the agent sent, if any. */
  status?: string
  body?: Record<string, unknown>
}

/** How a call ended. */
export type CallOutcome<Response = Record<string, unknown>> =
  | CompletedCall<Response>
  | AcceptedCall<Response>
  | FailedCall

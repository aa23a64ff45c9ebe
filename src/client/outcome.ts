// How a call of another agent ends, the same over every transport (spec 3.2, 7).

import type { Recovery } from '../protocol/errors.ts'
import type { ResponseEnvelope } from '../protocol/schemas/envelope.ts'
import type { Transport } from '../protocol/task.ts'

/** Which source reported the end of a task. */
export type UpdateSource = 'answer' | 'poll' | 'webhook'

/**
 * `unreachable`: no response. `timeout`: the time was up. `cancelled`: the caller gave up. `unauthorized`: no
 * key, or one that is not good for this. `refused`: the agent's own error. `failed`: the task ended failed,
 * rejected or canceled. `invalid-answer`: not the protocol. `unsupported`: the agent has no such way.
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
  /** The protocol's code, when the agent gave one. */
  code?: string
  /** One line, safe to display. */
  message: string
  /** What can be done: wait and repeat, change the request, or give up. */
  recovery?: Recovery
  /** Seconds after which a repetition can succeed. */
  retry_after?: number
  /** Where in the request. */
  field?: string
  httpStatus?: number
}

/** A second end of the same task that is not the first one: the first one counts. */
export interface OutcomeConflict {
  task: string
  taskId?: string
  operationId?: string
  settled: { by: UpdateSource; status: string }
  other: { by: UpdateSource; status: string; body: Record<string, unknown> }
}

/** What is known of a call however it ends; `taskId` or `operationId` is what `resumeCall` takes. */
export interface CallIdentity {
  taskId?: string
  operationId?: string
  /** What was sent as idempotency_key: the same call can be repeated with it. */
  idempotencyKey?: string
  /** The transport that was spoken; none when a call was resumed and its webhook had come already. */
  transport?: Transport
  /** Other ends that were reported and differ. */
  conflicts?: OutcomeConflict[]
}

/** The members of an answer that is whole. */
export type WholeAnswer<Response> = Response & Partial<ResponseEnvelope>

export interface CompletedCall<Response = Record<string, unknown>> extends CallIdentity {
  ok: true
  status: 'completed'
  body: WholeAnswer<Response>
  by: UpdateSource
}

/** The agent accepted it and has not ended it: the caller does not wait for it, or it requests input. */
export interface AcceptedCall<Response = Record<string, unknown>> extends CallIdentity {
  ok: true
  status: 'submitted' | 'working' | 'input-required' | 'unknown'
  body: Partial<Response> & Partial<ResponseEnvelope>
  by: UpdateSource
}

export interface FailedCall extends CallIdentity {
  ok: false
  error: AgentError
  /** The status that the agent gave, when it gave one. */
  status?: string
  body?: Record<string, unknown>
}

/** How a call ended. */
export type CallOutcome<Response = Record<string, unknown>> =
  | CompletedCall<Response>
  | AcceptedCall<Response>
  | FailedCall

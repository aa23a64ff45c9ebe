// What an agent offers the transports: it authenticates callers and answers calls of tasks.

import type { Transact } from '../lib/transaction.ts'
import type { Issue, TaskError } from '../protocol/errors.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import type { ReleaseTable } from '../protocol/releases/release-table.ts'
import type { PushNotificationConfig } from '../protocol/schemas/push-notification-config.ts'
import type { Deferred, Transport } from '../protocol/task.ts'
import type { Answer } from './answer.ts'
import type { Admitted, Authentication, AuthenticationPorts, Bearer } from './authentication.ts'
import type { CostBudget } from './cost-budget.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { Operation } from './signing-policy.ts'
import type { TableEntry, TaskTable } from './task-table.ts'

export interface TaskCall {
  task: string
  /** The request object; anything else is refused. */
  arguments: unknown
  transport: Transport
  /** As it was let in. */
  admitted: Admitted
  calledOn: string
  /** How many servers the call passed through on its way here. Default 0. */
  hops?: number | undefined
  /** Aborted when the caller has gone. */
  signal: AbortSignal
  /** What the transport has arranged for work that completes later. Default: nothing. */
  deferred?: Deferred | undefined
  /** Reserves room for an answer of this size, in bytes, until the caller has read it. Default: there is always room. */
  reserve?: ReserveAnswer | undefined
}

/** Undefined when the room was reserved; otherwise why there is none. */
type ReserveAnswer = (bytes: number) => TaskError | undefined

export interface CallRecord {
  task: string
  transport: Transport
  outcome: string
  duration_ms: number
  principal_id: string | undefined
}

export interface AgentPorts extends AuthenticationPorts {
  tasks: TaskTable
  identifiers: Identifiers
  transact: Transact
  idempotency: IdempotencyStore
  /** How long a call whose process has died keeps its key, in milliseconds. Default 30000. */
  idempotencyLeaseMs?: number
  /** Validates the caller's webhook configuration, whatever the task. Default: no issues. */
  checkPush?: (config: PushNotificationConfig) => readonly Issue[]
  /** The releases served, oldest first. Default all. */
  releases?: ReleaseTable | undefined
  /** Longest time a caller waits, in milliseconds. */
  timeoutMs: number
  /** Limits the work that callers may have in progress. Default: a separate budget with the usual limits. */
  budget?: CostBudget
  onCall?: (record: CallRecord) => void
  /** Receives unexpected errors that a handler threw; the caller only learns that the call failed. */
  onFault: (error: unknown, call: TaskCall) => void
}

export interface Agent {
  tasks: TaskTable
  identifiers: Identifiers
  /** Authenticates a request by its headers, once, and counts it. Call it before the body is read. */
  admit(bearer: Bearer): Promise<Authentication>
  /** Counts the calls of a request after the first one; returns an error when there are too many. */
  takeMore(admitted: Admitted, calls: number): TaskError | undefined
  /**
   * The error that a task which requires a key returns to a caller without one. Undefined for a task that requires
   * none, and for one that refuses the caller for another reason when it is called.
   */
  keyFault(entry: TableEntry, admitted: Admitted): TaskError | undefined
  /**
   * What an admitted caller may not do because its signature is missing or wrong; before or after the body is read.
   */
  operationFault(admitted: Admitted, operation: Operation): TaskError | undefined
  /** Why a registration in the request needs a signature that it lacks; undefined when it needs none. */
  registrationFault(admitted: Admitted, body: unknown): Promise<TaskError | undefined>
  /** Undefined when there is no task of that name: each transport reports that in its own way. */
  call(call: TaskCall): Promise<Answer | undefined>
}

// What an agent is to the transports: it lets callers in, and answers the calls of tasks.

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
  /** How many servers the call came through, each calling the next. Default 0. */
  hops?: number | undefined
  /** Aborted when the caller has gone. */
  signal: AbortSignal
  /** What the transport has settled for work that is accepted for later. Default: nothing. */
  deferred?: Deferred | undefined
  /** Reserves room for an answer of this size, in bytes, until the caller has read it. Default: there is always room. */
  reserve?: ReserveAnswer | undefined
}

/** Undefined when the room was reserved; else why there is none. */
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
  /** How much work callers may have under way. Default: a budget of its own with the usual limits. */
  budget?: CostBudget
  onCall?: (record: CallRecord) => void
  /** Hears of what a handler threw and should not have; the caller hears only that it failed. */
  onFault: (error: unknown, call: TaskCall) => void
}

export interface Agent {
  tasks: TaskTable
  identifiers: Identifiers
  /** Authenticates a request by its headers, once, and counts it. Call it before the body is read. */
  admit(bearer: Bearer): Promise<Authentication>
  /** Counts what a request holds beside its first call; an error when that is too much. */
  takeMore(admitted: Admitted, calls: number): TaskError | undefined
  /**
   * The error that a task which requires a key returns to a caller without one. Undefined for a task that requires
   * none, and for one that refuses the caller for another reason when it is called.
   */
  keyFault(entry: TableEntry, admitted: Admitted): TaskError | undefined
  /** What a missing or wrong signature keeps an admitted caller from, before the body is read or after. */
  operationFault(admitted: Admitted, operation: Operation): TaskError | undefined
  /** Why what is registered in a request needs a signature that it lacks; undefined when it does not. */
  registrationFault(admitted: Admitted, body: unknown): Promise<TaskError | undefined>
  /** Undefined when there is no task of that name: each transport says so in its own way. */
  call(call: TaskCall): Promise<Answer | undefined>
}

// What is published about a task (spec 6.1): the port for sending webhooks, independent of its implementation.

import type { Transaction } from '../lib/transaction.ts'
import type { PushNotificationConfig } from '../protocol/schemas/push-notification-config.ts'
import type { TaskKey, TaskRecord } from './store.ts'

export interface TaskEvent
  extends Pick<TaskRecord, 'owner' | 'task_id' | 'task_type' | 'domain' | 'status'> {
  /** By the database's clock, in milliseconds; later for each event of a task. */
  at: number
  message?: string
  /** The data that belongs to the status: a response, progress, or a reason (spec 3.2). */
  result?: object
  context?: object
  context_id?: string
}

export interface TaskEvents {
  /** Stores where a task's changes are sent. Throws a ProtocolError if that is not possible. */
  register(tx: Transaction, task: TaskKey, config: PushNotificationConfig): Promise<void>
  /** Receives each change after the first response, in the transaction that makes it. */
  changed(tx: Transaction, event: TaskEvent): Promise<void>
}

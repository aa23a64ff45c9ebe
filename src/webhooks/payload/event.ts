// The content of a webhook, independent of its form: one event and its addressee (spec 2.10).

import type { TaskStatus } from '../../protocol/schemas/task-status.ts'

export interface WebhookEvent {
  task_id: string
  /** The transport name of the task. */
  task_type: string
  /** Part of the protocol the task belongs to. */
  domain: string
  status: TaskStatus
  /** When it happened, in milliseconds. */
  at: number
  /** For people. */
  message?: string | undefined
  /** The data that belongs to the status (spec 3.2): the response, progress, or a reason with its errors. */
  result?: object | undefined
  /** The request's `context`, verbatim, if it had one. */
  context?: object | undefined
  /** The conversation the task belongs to. */
  context_id?: string | undefined
  /** Which state-shaped event this is; undefined for reports and changes of a task. */
  notification_id?: string | undefined
}

/** What differs between the deliveries of one event. */
export interface Addressee {
  idempotency_key: string
  /** The value of the registration, verbatim; nothing is derived from its URL. */
  operation_id: string | undefined
  /** The token of the registration. */
  token: string | undefined
}

/** The result to send: a queued task that has none is acknowledged with the minimum (spec 3.2). */
export function resultOf({ status, task_id, result }: WebhookEvent): object | undefined {
  return result ?? (status === 'submitted' ? { status, task_id } : undefined)
}

// The form of a message that `adwire receive` forwards to a file, to a command or to another server.

import { defined } from '../../lib/defined.ts'
import type { WebhookMessage } from '../../webhooks/receiver/message.ts'

export interface MessageLine {
  sender: string
  idempotency_key: string
  task_id: string | null
  operation_id: string | null
  status: string | null
  /** False for a message that was acknowledged and ignored. */
  applied: boolean
  reason?: 'stale'
  payload: unknown
}

export function messageLine(message: WebhookMessage, applied: boolean): MessageLine {
  const { sender, idempotency_key, task_id, operation_id, status, payload } = message
  return {
    sender,
    idempotency_key,
    task_id: task_id ?? null,
    operation_id: operation_id ?? null,
    status: status ?? null,
    applied,
    ...defined({ reason: applied ? undefined : ('stale' as const) }),
    payload,
  }
}

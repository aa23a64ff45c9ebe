// Deliveries that ended in the past, in SQL, for a demo: a screen without history would be empty.

import type { Transaction } from '../../../lib/transaction.ts'
import type { AttemptStatus, Channel } from '../../../webhooks/sender/store.ts'
import { placeholders, sqlOf } from '../../sql/database.ts'

export interface PastDelivery {
  channel: Pick<Channel, 'channel_id' | 'owner' | 'subject' | 'endpoint'>
  notification_type: string
  operation_id: string
  /** Of a report. */
  sequence_number?: number | undefined
  idempotency_key: string
  state: 'delivered' | 'exhausted'
  reason: string | null
  created_at: number
  body: Uint8Array
  attempts: readonly PastAttempt[]
}

export interface PastAttempt {
  status: AttemptStatus
  http_status_code: number | null
  error_message: string | null
  fault: string | null
  response_head: string | null
  fired_at: number
  completed_at: number
}

const COLUMNS = `channel_id, owner, subject, endpoint, operation_id, notification_type,
  idempotency_key, state, reason, attempts, attempts_before, due_at, created_at, expires_at,
  ended_at, body, sequence_number`
const ATTEMPT_COLUMNS = `delivery_id, attempt, url, status, http_status_code, response_time_ms,
  error_message, fault, response_head, fired_at, completed_at`

export async function addPastDeliveries(
  tx: Transaction,
  deliveries: readonly PastDelivery[],
): Promise<void> {
  for (const past of deliveries) {
    const { channel_id, owner, subject, endpoint } = past.channel
    const endedAt = past.attempts.at(-1)?.completed_at ?? past.created_at
    const row = await sqlOf(tx).get<{ delivery_id: number }>(
      `INSERT INTO webhook_deliveries (${COLUMNS}) VALUES ${placeholders(1, 17)}
       RETURNING delivery_id`,
      [
        channel_id,
        owner,
        subject,
        endpoint,
        past.operation_id,
        past.notification_type,
        past.idempotency_key,
        past.state,
        past.reason,
        past.attempts.length,
        0,
        past.created_at,
        past.created_at,
        endedAt + 1,
        endedAt,
        past.body,
        past.sequence_number ?? null,
      ],
    )
    const id = row?.delivery_id ?? 0
    await sqlOf(tx).runEach(
      `INSERT INTO webhook_attempts (${ATTEMPT_COLUMNS}) VALUES ${placeholders(1, 11)}`,
      past.attempts.map((attempt, n) => [
        id,
        n + 1,
        endpoint,
        attempt.status,
        attempt.http_status_code,
        attempt.completed_at - attempt.fired_at,
        attempt.error_message,
        attempt.fault,
        attempt.response_head,
        attempt.fired_at,
        attempt.completed_at,
      ]),
    )
  }
}

// What operators do with deliveries in SQL: look at them, send them again, or call them off.

import { storable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import {
  DELIVERIES_TOPIC,
  type OutboxOperations,
  REPORTS_SUBJECT,
} from '../../../webhooks/sender/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { CURRENT_ENDPOINT } from './leases.ts'
import { activityOf, listDeliveries, showDelivery } from './look.ts'

export function createOutboxOperations(database: Database): OutboxOperations {
  const { read } = database
  return {
    list: (filter) => listDeliveries(database, filter),
    show: (deliveryId) => showDelivery(read, deliveryId),
    activity: (owner, subject, limit) => activityOf(read, { owner, subject, limit }),
    retry,
    cancel: async (tx, deliveryId, reason) =>
      (await sqlOf(tx).run(
        `UPDATE webhook_deliveries SET state = 'cancelled', reason = $2, ended_at = $3
         WHERE delivery_id = $1 AND state IN ('pending', 'held')`,
        [deliveryId, storable(reason), await tx.now()],
      )) > 0,
  }
}

/** Whoever asks for it wants it sent: a channel that was paused is tried again. */
async function retry(tx: Transaction, deliveryId: number, horizonMs: number): Promise<boolean> {
  const now = await tx.now()
  const row = await sqlOf(tx).get<Retried>(
    `UPDATE webhook_deliveries SET state = 'pending', reason = NULL, ended_at = NULL, due_at = $2,
       expires_at = $3, attempts_before = attempts, endpoint = ${CURRENT_ENDPOINT}
     WHERE delivery_id = $1 AND state IN ('pending', 'held', 'exhausted', 'cancelled')
       AND EXISTS (SELECT 1 FROM webhook_channels ch
         WHERE ch.channel_id = webhook_deliveries.channel_id)
     RETURNING channel_id, subject, sequence_number`,
    [deliveryId, now, now + horizonMs],
  )
  if (!row) return false
  await sqlOf(tx).run(
    'UPDATE webhook_channels SET paused_at = NULL WHERE channel_id = $1 AND paused_at IS NOT NULL',
    [row.channel_id],
  )
  await reopenReport(tx, row)
  await tx.wake(DELIVERIES_TOPIC)
  return true
}

interface Retried {
  channel_id: string
  subject: string
  sequence_number: number | null
}

/** A delivery report that was given up is on its way again. */
async function reopenReport(tx: Transaction, { subject, sequence_number }: Retried): Promise<void> {
  if (sequence_number === null || !subject.startsWith(REPORTS_SUBJECT)) return
  await sqlOf(tx).run(
    `UPDATE report_windows SET state = 'sent', reason = NULL, ended_at = NULL
     WHERE media_buy_id = $1 AND sequence_number = $2 AND state = 'given_up'`,
    [subject.slice(REPORTS_SUBJECT.length), sequence_number],
  )
}

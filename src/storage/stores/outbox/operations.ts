// What operators do with deliveries in SQL: look at them, send them again, or call them off.

import { storable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { DELIVERIES_TOPIC, type OutboxOperations } from '../../../webhooks/sender/store.ts'
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
  const row = await sqlOf(tx).get<{ channel_id: string }>(
    `UPDATE webhook_deliveries SET state = 'pending', reason = NULL, ended_at = NULL, due_at = $2,
       expires_at = $3, attempts_before = attempts, endpoint = ${CURRENT_ENDPOINT}
     WHERE delivery_id = $1 AND state IN ('pending', 'held', 'exhausted', 'cancelled')
       AND EXISTS (SELECT 1 FROM webhook_channels ch
         WHERE ch.channel_id = webhook_deliveries.channel_id)
     RETURNING channel_id`,
    [deliveryId, now, now + horizonMs],
  )
  if (!row) return false
  await sqlOf(tx).run(
    'UPDATE webhook_channels SET paused_at = NULL WHERE channel_id = $1 AND paused_at IS NOT NULL',
    [row.channel_id],
  )
  await tx.wake(DELIVERIES_TOPIC)
  return true
}

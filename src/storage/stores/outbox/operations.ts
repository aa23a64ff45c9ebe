// Operator actions on deliveries in SQL: list, resend or cancel them.

import { storable } from '../../../lib/storable-text.ts'
import type { OutboxOperations } from '../../../webhooks/sender/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { activityOf, listDeliveries, showDelivery } from './look.ts'
import { pauseEndpoint, resumeEndpoint } from './pauses.ts'
import { sendAgain } from './send-again.ts'

export function createOutboxOperations(database: Database): OutboxOperations {
  const { dialect, read } = database
  return {
    list: (filter) => listDeliveries(database, filter),
    show: (deliveryId) => showDelivery(read, deliveryId),
    activity: (owner, subject, limit) => activityOf(read, { owner, subject, limit }),
    retry: async (tx, deliveryId, horizonMs) => {
      const step = { dialect, tx: sqlOf(tx), now: await tx.now() }
      return (await sendAgain(step, [deliveryId], { of: 'undelivered', horizonMs })) > 0
    },
    cancel: async (tx, deliveryId, reason) =>
      (await sqlOf(tx).run(
        `UPDATE webhook_deliveries SET state = 'cancelled', reason = $2, ended_at = $3,
           is_called_off = 1
         WHERE delivery_id = $1 AND state IN ('pending', 'held')`,
        [deliveryId, storable(reason), await tx.now()],
      )) > 0,
    pause: (tx, of) => pauseEndpoint(database, tx, of),
    resume: (tx, of) => resumeEndpoint(database, tx, of),
  }
}

// Leases that are taken back: their holder stopped during the attempt, so nobody knows whether the
// receiver saw it. The delivery keeps its due time, which puts it before what became due since.

import type { Database, SqlTransaction } from '../sql/database.ts'
import { rowsOf, skipLocked } from './webhook-outbox-sql.ts'

const UNKNOWN = 'the outcome is unknown: the sender stopped during the attempt'
/** Leases taken back in one claim. */
const ROWS_AT_ONCE = 500

/** Returns how many. `ended`: a batch of those whose time is over. */
export async function takeBack(
  { dialect, tx, now }: { dialect: Database['dialect']; tx: SqlTransaction; now: number },
  which: 'ended' | 'all',
): Promise<number> {
  const those =
    which === 'all'
      ? `SELECT delivery_id FROM webhook_deliveries WHERE state = 'leased'`
      : `SELECT delivery_id FROM webhook_deliveries WHERE state = 'leased' AND lease_until <= $1
         ORDER BY lease_until LIMIT ${ROWS_AT_ONCE} ${skipLocked(dialect)}`
  const rows = await tx.all<{ delivery_id: number; attempt: number }>(
    `UPDATE webhook_deliveries SET state = 'pending', lease_until = NULL,
       endpoint = ${CURRENT_ENDPOINT}
     WHERE delivery_id IN (${those}) RETURNING delivery_id, attempts AS attempt`,
    which === 'all' ? [] : [now],
  )
  if (rows.length === 0) return 0
  await tx.run(
    `UPDATE webhook_attempts SET status = 'connection_error', error_message = $2, completed_at = $3
     FROM ${rowsOf(dialect, { delivery_id: 'BIGINT', attempt: 'INTEGER' })} AS r
     WHERE webhook_attempts.delivery_id = r.delivery_id
       AND webhook_attempts.attempt = r.attempt AND status = 'pending'`,
    [JSON.stringify(rows), UNKNOWN, now],
  )
  return rows.length
}

/** Its channel's, which may have been replaced during the attempt. */
export const CURRENT_ENDPOINT = `coalesce((SELECT ch.endpoint FROM webhook_channels ch
  WHERE ch.channel_id = webhook_deliveries.channel_id), webhook_deliveries.endpoint)`

// Deliveries resent in SQL, by an operator or a recovery: due now, on a fresh retry schedule, under their original
// keys.

import { DELIVERIES_TOPIC, REPORTS_SUBJECT } from '../../../webhooks/sender/store.ts'
import type { Database, SqlTransaction } from '../../sql/database.ts'
import { rowsOf, valuesOf } from '../../sql/lists.ts'
import { CURRENT_ENDPOINT } from './leases.ts'

interface Step {
  dialect: Database['dialect']
  tx: SqlTransaction
  now: number
}

interface Sent {
  channel_id: string
  subject: string
  sequence_number: number | null
}

const STATES = {
  /** All deliveries that have not arrived and are not being sent. */
  undelivered: "state IN ('pending', 'held', 'exhausted', 'cancelled')",
  ended: "state IN ('delivered', 'exhausted', 'cancelled')",
} as const

/**
 * Returns how many are sent again, excluding those in other states and those whose channel is gone. A resend is
 * an explicit request, so a paused channel is tried again.
 */
export async function sendAgain(
  { dialect, tx, now }: Step,
  ids: readonly number[],
  { of, horizonMs }: { of: keyof typeof STATES; horizonMs: number },
): Promise<number> {
  if (ids.length === 0) return 0
  const rows = await tx.all<Sent>(
    `UPDATE webhook_deliveries SET state = 'pending', reason = NULL, ended_at = NULL, due_at = $2,
       expires_at = $3, attempts_before = attempts, is_called_off = NULL,
       endpoint = ${CURRENT_ENDPOINT}
     WHERE delivery_id IN ${valuesOf('BIGINT')} AND ${STATES[of]}
       AND EXISTS (SELECT 1 FROM webhook_channels ch
         WHERE ch.channel_id = webhook_deliveries.channel_id)
     RETURNING channel_id, subject, sequence_number`,
    [JSON.stringify(ids), now, now + horizonMs],
  )
  if (rows.length === 0) return 0
  await tx.run(
    `UPDATE webhook_channels SET paused_at = NULL
     WHERE channel_id IN ${valuesOf('TEXT')} AND paused_at IS NOT NULL`,
    [JSON.stringify([...new Set(rows.map(({ channel_id }) => channel_id))])],
  )
  await reopenReports({ dialect, tx, now }, rows)
  await tx.wake(DELIVERIES_TOPIC)
  return rows.length
}

/** Delivery reports that had failed permanently are pending again. */
async function reopenReports({ tx }: Step, sent: readonly Sent[]): Promise<void> {
  const reports = sent.flatMap(({ subject, sequence_number }) =>
    sequence_number === null || !subject.startsWith(REPORTS_SUBJECT)
      ? []
      : [{ media_buy_id: subject.slice(REPORTS_SUBJECT.length), sequence_number }],
  )
  if (reports.length === 0) return
  await tx.run(
    `UPDATE report_windows SET state = 'sent', reason = NULL, ended_at = NULL
     FROM ${rowsOf({ media_buy_id: 'TEXT', sequence_number: 'BIGINT' })} AS r
     WHERE report_windows.media_buy_id = r.media_buy_id
       AND report_windows.sequence_number = r.sequence_number
       AND report_windows.state = 'given_up'`,
    [JSON.stringify(reports)],
  )
}

// Copies the outcome of report deliveries back to their windows. The outbox has no knowledge of reports: a delivery
// is found there by its position in its stream.

import type { Transaction } from '../../../lib/transaction.ts'
import type { EndedReport, SentPlace } from '../../../media-buys/reporting/report-store.ts'
import { REPORTS_SUBJECT } from '../../../webhooks/sender/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { rowsOf } from '../../sql/lists.ts'

interface SentRow {
  media_buy_id: string
  kind: EndedReport['kind']
  start_at: number
  sequence_number: number
  sent_at: number
  delivery_id: number | null
  state: string | null
  reason: string | null
  ended_at: number | null
}

export async function readEnded(
  { read }: Database,
  after: SentPlace | undefined,
  limit: number,
): Promise<{ ended: EndedReport[]; next: SentPlace | undefined }> {
  const conditions = createConditions()
  conditions.add("state = 'sent'")
  if (after) {
    const place = [after.sent_at, after.media_buy_id, after.kind, after.start]
    conditions.add(
      `(sent_at, media_buy_id, kind, start_at) > (${place.map(conditions.param).join(', ')})`,
    )
  }
  const where = conditions.where()
  const rows = await read.all<SentRow>(
    `SELECT w.media_buy_id, w.kind, w.start_at, w.sequence_number, w.sent_at,
       d.delivery_id, d.state, d.reason, d.ended_at
     FROM (SELECT media_buy_id, kind, start_at, sequence_number, sent_at FROM report_windows${where}
       ORDER BY sent_at, media_buy_id, kind, start_at LIMIT ${conditions.param(limit)}) w
     LEFT JOIN webhook_deliveries d ON d.sequence_number = w.sequence_number
       AND d.subject = '${REPORTS_SUBJECT}' || w.media_buy_id
     ORDER BY w.sent_at, w.media_buy_id, w.kind, w.start_at`,
    conditions.params,
  )
  const last = rows.length < limit ? undefined : rows.at(-1)
  return {
    ended: rows.filter(hasEnded).map(endedOf),
    next: last && {
      sent_at: last.sent_at,
      media_buy_id: last.media_buy_id,
      kind: last.kind,
      start: last.start_at,
    },
  }
}

/** It was added with the report: if it is missing, it was deleted long after it ended. */
function hasEnded({ delivery_id, ended_at }: SentRow): boolean {
  return delivery_id === null || ended_at !== null
}

function endedOf(row: SentRow): EndedReport {
  const { media_buy_id, kind, start_at: start, sequence_number } = row
  const isDelivered = row.state === 'delivered'
  const reason = row.delivery_id === null ? 'its delivery is no longer on record' : row.reason
  return {
    media_buy_id,
    kind,
    start,
    sequence_number,
    state: isDelivered ? 'delivered' : 'given_up',
    reason: isDelivered ? undefined : (reason ?? 'it was not taken'),
    ended_at: row.ended_at ?? row.sent_at,
  }
}

const TYPES = {
  media_buy_id: 'TEXT',
  kind: 'TEXT',
  start_at: 'BIGINT',
  sequence_number: 'INTEGER',
  state: 'TEXT',
  reason: 'TEXT',
  ended_at: 'BIGINT',
} as const

export async function markEnded(tx: Transaction, ended: readonly EndedReport[]): Promise<void> {
  if (ended.length === 0) return
  await sqlOf(tx).run(
    `UPDATE report_windows SET state = r.state, reason = r.reason, ended_at = r.ended_at
     FROM ${rowsOf(TYPES)} AS r
     WHERE report_windows.media_buy_id = r.media_buy_id AND report_windows.kind = r.kind
       AND report_windows.start_at = r.start_at AND report_windows.state = 'sent'
       AND report_windows.sequence_number = r.sequence_number`,
    [
      JSON.stringify(
        ended.map((one) => ({ ...one, start_at: one.start, reason: one.reason ?? null })),
      ),
    ],
  )
}

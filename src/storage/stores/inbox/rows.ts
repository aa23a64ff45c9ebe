// Shared by the statements of the inbox: how rows identify a message, and the counters of the senders.

import { createHash } from 'node:crypto'
import { storable } from '../../../lib/storable-text.ts'
import type { NewMessage } from '../../../webhooks/receiver/store.ts'
import type { Database, SqlTransaction } from '../../sql/database.ts'
import { rowsOf } from '../../sql/lists.ts'
import { amongLocked } from '../../sql/locks.ts'

/** A transaction at a moment. */
export interface Step {
  dialect: Database['dialect']
  tx: SqlTransaction
  now: number
}

/** Only one message per subject is applied at a time. Short, however long the ids are. */
export function subjectOf({
  sender,
  task_id,
  family,
}: Pick<NewMessage, 'sender' | 'task_id'> & Partial<Pick<NewMessage, 'family'>>) {
  if (task_id === undefined || family === 'notification') return null
  const pair = JSON.stringify([storable(sender), storable(task_id)])
  return createHash('sha256').update(pair).digest('base64url')
}

/** What a sender has in the inbox. */
export interface Kept {
  kept: number
  /** Of their bodies. */
  kept_bytes: number
}

export interface SenderChange extends Kept {
  changed_bodies: number
}

/** Adds to the counters of senders, in order; returns each sender's count. The rows stay locked. */
export async function moveSenders(
  { tx }: Omit<Step, 'now'>,
  changes: ReadonlyMap<string, SenderChange>,
): Promise<Map<string, Kept>> {
  if (changes.size === 0) return new Map()
  const rows = await tx.all<{ sender: string } & Kept>(
    `INSERT INTO webhook_inbox_senders (sender, kept, kept_bytes, changed_bodies)
     SELECT sender, kept, kept_bytes, changed_bodies FROM ${rowsOf(SENDER_COLUMNS)} AS r
     WHERE true ORDER BY sender
     ON CONFLICT (sender) DO UPDATE SET kept = webhook_inbox_senders.kept + excluded.kept,
       kept_bytes = webhook_inbox_senders.kept_bytes + excluded.kept_bytes,
       changed_bodies = webhook_inbox_senders.changed_bodies + excluded.changed_bodies
     RETURNING sender, kept, kept_bytes`,
    [JSON.stringify([...changes].map(([sender, change]) => ({ sender, ...change })))],
  )
  return new Map(rows.map(({ sender, ...kept }) => [sender, kept]))
}

const SENDER_COLUMNS = {
  sender: 'TEXT',
  kept: 'BIGINT',
  kept_bytes: 'BIGINT',
  changed_bodies: 'BIGINT',
} as const

/** Messages of a sender that are deleted in one step: more than one batch may need room. */
const FORGOTTEN_ROWS = 1_000

/** Deletes ended messages whose retention is over; the caller holds the sender's counter and updates it. */
export async function forgetExpired({ tx, now }: Step, sender: string): Promise<Kept> {
  const rows = await tx.all<{ bytes: number }>(
    `DELETE FROM webhook_inbox WHERE ${amongLocked(
      'message_id',
      `SELECT message_id FROM webhook_inbox
       WHERE sender = $1 AND ended_at IS NOT NULL AND expires_at <= $2
       ORDER BY expires_at LIMIT ${FORGOTTEN_ROWS}`,
    )}
     RETURNING length(body) AS bytes`,
    [sender, now],
  )
  return { kept: rows.length, kept_bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) }
}

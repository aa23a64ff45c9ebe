// Operator actions on received messages in SQL: list them, and retry or discard dead ones. A retry is a copy under a
// new message_id, so that its attempts can be counted from the start and no fencing token is issued twice.

import { storable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import {
  INBOX_TOPIC,
  type InboxOperations,
  type KeptMessage,
} from '../../../webhooks/receiver/store.ts'
import { type Database, type SqlValue, sqlOf } from '../../sql/database.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'
import { listMessages, SUMMARY } from './look.ts'

/** What a copy takes over. */
const COPIED = [
  'sender',
  'idempotency_key',
  'digest',
  'route',
  'family',
  'subject',
  'task_id',
  'operation_id',
  'status',
  'event_at',
  'received_at',
  'expires_at',
  'body',
] as const

export function createInboxOperations(database: Database): InboxOperations {
  const { read } = database
  return {
    list: (filter) => listMessages(database, filter),
    show: async (messageId) => {
      const row = await read.get<Nullable<KeptMessage>>(
        `SELECT ${SUMMARY}, due_at, body FROM webhook_inbox WHERE message_id = $1`,
        [messageId],
      )
      return row && withoutNulls<KeptMessage>(row)
    },
    retry: (tx, messageId) => retryAgain(tx, messageId),
    drop: async (tx, messageId, reason) => {
      const dropped = await sqlOf(tx).run(
        `UPDATE webhook_inbox SET state = 'stale', reason = $2, worker = NULL,
           ended_at = coalesce(ended_at, $3)
         WHERE message_id = $1 AND state IN ('pending', 'dead')`,
        [messageId, storable(reason), await tx.now()],
      )
      return dropped > 0
    },
  }
}

type CopiedRow = Record<(typeof COPIED)[number], SqlValue>

async function retryAgain(
  transaction: Transaction,
  messageId: number,
): Promise<number | undefined> {
  const tx = sqlOf(transaction)
  // Any transaction that adds or deletes messages of a sender locks its counter first; the counter does not change
  // here.
  await tx.all(
    `SELECT 1 AS one FROM webhook_inbox_senders
     WHERE sender = (SELECT sender FROM webhook_inbox WHERE message_id = $1)
     ${FOR_UPDATE}`,
    [messageId],
  )
  const [dead] = await tx.all<CopiedRow>(
    `DELETE FROM webhook_inbox WHERE message_id = $1 AND state = 'dead'
     RETURNING ${COPIED.join(', ')}`,
    [messageId],
  )
  if (!dead) return undefined
  const values = COPIED.map((_column, index) => `$${index + 2}`)
  const [copy] = await tx.all<{ message_id: number }>(
    `INSERT INTO webhook_inbox (state, attempts, due_at, ${COPIED.join(', ')})
     VALUES ('pending', 0, $1, ${values.join(', ')}) RETURNING message_id`,
    [await tx.now(), ...COPIED.map((column) => dead[column])],
  )
  await tx.wake(INBOX_TOPIC)
  return copy?.message_id
}

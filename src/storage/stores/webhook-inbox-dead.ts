// What operators do with received messages in SQL: look at them, and give dead ones another chance or
// up. A retry is a copy under a new message_id, so that its attempts can be counted from the start
// and no fencing token is given out twice.

import type { Transaction } from '../../lib/transaction.ts'
import {
  INBOX_TOPIC,
  type InboxOperations,
  type KeptMessage,
  MESSAGE_STATES,
  type MessageFilter,
  type MessageSummary,
} from '../../webhooks/receiver/store.ts'
import { type Database, type Queryable, type SqlValue, sqlOf } from '../sql/database.ts'
import { storable } from './webhook-inbox-sql.ts'

type Row<T> = { [K in keyof T]: T[K] | null }

const SUMMARY = `message_id, sender, idempotency_key, route, family, task_id, operation_id, status,
  event_at, state, reason, attempts, received_at, ended_at`

/** What a copy takes over. */
const COPIED = [
  ...['sender', 'idempotency_key', 'digest', 'route', 'family', 'subject', 'task_id'],
  ...['operation_id', 'status', 'event_at', 'received_at', 'expires_at', 'body'],
] as const

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000

export function createInboxOperations({ dialect, read }: Database): InboxOperations {
  return {
    list: (filter) => listMessages(read, filter),
    show: async (messageId) => {
      const row = await read.get<Row<KeptMessage>>(
        `SELECT ${SUMMARY}, due_at, body FROM webhook_inbox WHERE message_id = $1`,
        [messageId],
      )
      return row && withoutNulls<KeptMessage>(row)
    },
    retry: (tx, messageId) => retryAnew(dialect, tx, messageId),
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

async function listMessages(read: Queryable, filter: MessageFilter): Promise<MessageSummary[]> {
  const params: SqlValue[] = []
  const conditions: string[] = []
  const given = (condition: string, value: SqlValue | undefined) => {
    if (value === undefined) return
    params.push(typeof value === 'string' ? storable(value) : value)
    conditions.push(`${condition} $${params.length}`)
  }
  given('sender =', filter.sender)
  given('task_id =', filter.task_id)
  given('received_at >=', filter.since)
  given('message_id <', filter.before)
  // Spelled out, so that the index of the dead serves: one of a closed list, or nothing.
  const state = MESSAGE_STATES.find((one) => one === filter.state)
  if (filter.state !== undefined && state === undefined) return []
  if (state !== undefined) conditions.push(`state = '${state}'`)
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const rows = await read.all<Row<MessageSummary>>(
    `SELECT ${SUMMARY} FROM webhook_inbox ${where}
     ORDER BY message_id DESC LIMIT $${params.length + 1}`,
    [...params, Math.min(filter.limit ?? DEFAULT_LIMIT, MAX_LIMIT)],
  )
  return rows.map(withoutNulls<MessageSummary>)
}

type CopiedRow = Record<(typeof COPIED)[number], SqlValue>

async function retryAnew(
  dialect: Database['dialect'],
  transaction: Transaction,
  messageId: number,
): Promise<number | undefined> {
  const tx = sqlOf(transaction)
  // Whoever adds or forgets messages of a sender holds its counter first, which does not move here.
  await tx.all(
    `SELECT 1 AS one FROM webhook_inbox_senders
     WHERE sender = (SELECT sender FROM webhook_inbox WHERE message_id = $1)
     ${dialect === 'postgres' ? 'FOR UPDATE' : ''}`,
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

function withoutNulls<T>(row: Row<T>): T {
  const entries = Object.entries(row as Record<string, unknown>)
  return Object.fromEntries(entries.map(([key, value]) => [key, value ?? undefined])) as T
}

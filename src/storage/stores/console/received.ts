// Received messages in SQL, as the console lists them: by their time of receipt, which a retry does not change.

import type {
  ReceivedFilter,
  ReceivedQueries,
  SerializedMessage,
} from '../../../console/received-queries.ts'
import { storable } from '../../../lib/storable-text.ts'
import { MESSAGE_STATES, type MessageSummary } from '../../../webhooks/receiver/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import type { Database, Queryable } from '../../sql/database.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'
import { readPage } from '../../sql/pages.ts'
import { SUMMARY } from '../inbox/look.ts'

export function createReceivedQueries(database: Database): ReceivedQueries {
  const { read } = database
  return {
    list: (filter) => listReceived(database, filter),
    show: async (messageId) => {
      const row = await read.get<Nullable<SerializedMessage>>(
        `SELECT ${SUMMARY}, digest, due_at, expires_at, body FROM webhook_inbox
         WHERE message_id = $1`,
        [messageId],
      )
      return row && withoutNulls<SerializedMessage>(row)
    },
    dead: (most) => countDead(read, most),
  }
}

async function listReceived({ read }: Database, filter: ReceivedFilter): Promise<MessageSummary[]> {
  const conditions = createConditions()
  const { sender, task_id, operation_id, idempotency_key, after } = filter
  conditions.is('message_id =', filter.message_id)
  // Stored in the form that can be stored, and searched in that form.
  conditions.is('sender =', sender && storable(sender))
  conditions.is('task_id =', task_id && storable(task_id))
  if (operation_id !== undefined) {
    const place = conditions.param(storable(operation_id))
    conditions.add(`operation_id = ${place}
      AND substr(operation_id, 1, 200) = substr(${place}, 1, 200)`)
  }
  if (idempotency_key !== undefined) {
    // A key is identified by its sender, and there are few senders.
    const place = conditions.param(storable(idempotency_key))
    conditions.add(`idempotency_key = ${place}
      AND sender IN (SELECT sender FROM webhook_inbox_senders)`)
  }
  conditions.isOneOf('state', MESSAGE_STATES, filter.state)
  const few = await fewOf(read, filter.state)
  if (few !== undefined) conditions.add(`message_id IN (${few})`)
  conditions.is('received_at >=', filter.since)
  const { rows } = await readPage<Nullable<MessageSummary>>(read, {
    select: `SELECT ${SUMMARY} FROM webhook_inbox`,
    conditions,
    keys: ['received_at', 'message_id'],
    direction: 'desc',
    after: after && [after.received_at, after.message_id],
    limit: filter.limit,
  })
  return rows.map(withoutNulls<MessageSummary>)
}

/** States that have no index by the time of receipt. They nearly always have few messages. */
const UNDER_WAY = ['pending', 'leased'] as const
const FEW = 1_000

/** The messages of such a state, if they are so few that no search through all received messages is needed. */
async function fewOf(read: Queryable, state: ReceivedFilter['state']): Promise<string | undefined> {
  const known = UNDER_WAY.find((one) => one === state)
  if (known === undefined) return undefined
  const all = `SELECT w.message_id FROM webhook_inbox w WHERE w.state = '${known}'`
  const row = await read.get<{ n: number }>(
    `SELECT count(*) AS n FROM (${all} LIMIT ${FEW + 1}) AS found`,
  )
  return (row?.n ?? 0) <= FEW ? all : undefined
}

async function countDead(read: Queryable, most: number): ReturnType<ReceivedQueries['dead']> {
  const row = await read.get<{ count: number; since: number | null }>(
    `SELECT count(*) AS count, min(received_at) AS since FROM (
       SELECT received_at FROM webhook_inbox WHERE state = 'dead'
       ORDER BY received_at, message_id LIMIT $1) AS dead`,
    [most],
  )
  return { count: row?.count ?? 0, since: row?.since ?? undefined }
}

// Messages as operators and those who wait for an operation see them, and how the inbox fares.

import {
  type InboxStats,
  MESSAGE_STATES,
  type MessageFilter,
  type MessageSummary,
} from '../../../webhooks/receiver/store.ts'
import type { Queryable, SqlValue } from '../../sql/database.ts'
import { storable } from './rows.ts'

export type Nullable<T> = {
  [K in keyof T]: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K]
}

export const SUMMARY = `message_id, sender, idempotency_key, route, family, task_id, operation_id, status,
  event_at, state, reason, attempts, received_at, ended_at`

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000

/** The newest first. */
export async function listMessages(
  read: Queryable,
  filter: MessageFilter,
): Promise<MessageSummary[]> {
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
  // Spelled out, so that the index of a single state serves: one of a closed list, or nothing.
  const state = MESSAGE_STATES.find((one) => one === filter.state)
  if (filter.state !== undefined && state === undefined) return []
  if (state !== undefined) conditions.push(`state = '${state}'`)
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const limit = Math.min(filter.limit ?? DEFAULT_LIMIT, MAX_LIMIT)
  const rows = await read.all<Nullable<MessageSummary>>(
    `SELECT ${SUMMARY} FROM webhook_inbox ${where}
     ORDER BY message_id DESC LIMIT $${params.length + 1}`,
    [...params, limit],
  )
  return rows.map(withoutNulls<MessageSummary>)
}

/** Messages of one operation at most: the last that were received. */
const OPERATION_ROWS = 200

type AppliedMessage = MessageSummary & { body: Uint8Array }

/** In the order they were applied, which need not be the order they were received in. */
export async function messagesOfOperation(
  read: Queryable,
  operationId: string,
): Promise<AppliedMessage[]> {
  const rows = await read.all<Nullable<AppliedMessage>>(
    `SELECT ${SUMMARY}, body FROM webhook_inbox
     WHERE state = 'applied' AND operation_id = $1
       AND substr(operation_id, 1, 200) = substr($1, 1, 200)
     ORDER BY message_id DESC LIMIT ${OPERATION_ROWS}`,
    [storable(operationId)],
  )
  return rows
    .map(withoutNulls<AppliedMessage>)
    .sort(
      (a, b) =>
        (a.ended_at ?? 0) - (b.ended_at ?? 0) ||
        (a.event_at ?? 0) - (b.event_at ?? 0) ||
        a.message_id - b.message_id,
    )
}

interface StatsRow {
  pending: number
  leased: number
  dead: number
  free_due: number | null
  due: number | null
}

export async function inboxStats(read: Queryable, now: number): Promise<InboxStats> {
  const row = (await read.get<StatsRow>(
    `SELECT (SELECT count(*) FROM webhook_inbox WHERE state = 'pending' AND subject IS NULL)
         + (SELECT count(*) FROM webhook_inbox WHERE state = 'pending' AND subject IS NOT NULL)
         AS pending,
       (SELECT count(*) FROM webhook_inbox WHERE state = 'leased') AS leased,
       (SELECT count(*) FROM webhook_inbox WHERE state = 'dead') AS dead,
       (SELECT min(due_at) FROM webhook_inbox
          WHERE state = 'pending' AND subject IS NULL) AS free_due,
       (SELECT min(due_at) FROM webhook_inbox
          WHERE state = 'pending' AND subject IS NOT NULL) AS due`,
  )) as StatsRow
  const { pending, leased, dead, free_due, due } = row
  const oldest = Math.min(free_due ?? now, due ?? now)
  return { waiting: { pending, leased, dead }, oldestDueMs: Math.max(0, now - oldest) }
}

export function withoutNulls<T>(row: Nullable<T>): T {
  const entries = Object.entries(row as Record<string, unknown>)
  return Object.fromEntries(entries.map(([key, value]) => [key, value ?? undefined])) as T
}

// Messages as operators and callers waiting for an operation see them, and the state of the inbox.

import { storable } from '../../../lib/storable-text.ts'
import {
  type InboxStats,
  MESSAGE_STATES,
  type MessageFilter,
  type MessageSummary,
} from '../../../webhooks/receiver/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import type { Database, Queryable } from '../../sql/database.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'
import { readNewest } from '../../sql/pages.ts'

export const SUMMARY = `message_id, sender, idempotency_key, route, family, task_id, operation_id, status,
  event_at, state, reason, attempts, received_at, ended_at`

/** The newest first. */
export async function listMessages(
  { read }: Database,
  filter: MessageFilter,
): Promise<MessageSummary[]> {
  const conditions = createConditions()
  // Stored in the form that can be stored, and searched in that form.
  conditions.is('sender =', filter.sender && storable(filter.sender))
  conditions.is('task_id =', filter.task_id && storable(filter.task_id))
  conditions.is('received_at >=', filter.since)
  conditions.is('message_id <', filter.before)
  conditions.isOneOf('state', MESSAGE_STATES, filter.state)
  const rows = await readNewest<Nullable<MessageSummary>>(read, {
    select: `SELECT ${SUMMARY} FROM webhook_inbox`,
    conditions,
    keys: ['message_id'],
    limit: filter.limit,
  })
  return rows.map(withoutNulls<MessageSummary>)
}

/** Maximum messages returned for one operation: the last ones received. */
const OPERATION_ROWS = 200

type AppliedMessage = MessageSummary & { body: Uint8Array }

/** In the order they were applied, which may differ from the order of receipt. */
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

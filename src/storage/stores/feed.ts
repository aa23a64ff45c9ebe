// The change feed in SQL. Readers follow `seq`, the order of commits, and hold an event's id.

import type { Transaction } from '../../lib/transaction.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { FEED_TOPIC, type FeedEvent, type NewFeedEvent } from '../../registry/feed.ts'
import type { FeedPage, FeedStore } from '../../registry/store.ts'
import { type Database, placeholders, type SqlValue, sqlOf } from '../sql/database.ts'

/** Any number that all instances agree on and that no other lock uses. */
const POSTGRES_FEED_LOCK = 0x66656564
const ROWS_PER_INSERT = { sqlite: 1, postgres: 500 } as const
const COLUMNS =
  'event_id, event_type, entity_type, entity_id, payload, actor, visible_to, created_at'

export function createFeedStore(database: Database): FeedStore {
  return {
    append: (tx, events) => append(database, tx, events),
    page: (query) => page(database, query),
    trim: (tx, before) => sqlOf(tx).run('DELETE FROM feed_events WHERE created_at < $1', [before]),
  }
}

async function append(
  database: Database,
  tx: Transaction,
  events: readonly NewFeedEvent[],
): Promise<void> {
  if (events.length === 0) return
  // A number taken early and committed late would be skipped by a reader already past it. With the
  // lock held to the end of the transaction, numbers appear in the order they are handed out.
  if (database.dialect === 'postgres') {
    await sqlOf(tx).get('SELECT pg_advisory_xact_lock($1)', [POSTGRES_FEED_LOCK])
  }
  const now = await tx.now()
  const size = ROWS_PER_INSERT[database.dialect]
  for (let start = 0; start < events.length; start += size) {
    const chunk = events.slice(start, start + size)
    await sqlOf(tx).run(
      `INSERT INTO feed_events (${COLUMNS}) VALUES ${placeholders(chunk.length, 8)}`,
      chunk.flatMap((event) => valuesOf(event, now)),
    )
  }
  await tx.wake(FEED_TOPIC)
}

function valuesOf(event: NewFeedEvent, now: number): SqlValue[] {
  return [
    uuid7(now),
    event.event_type,
    event.entity_type,
    event.entity_id,
    JSON.stringify(event.payload),
    event.actor,
    event.visibleTo,
    now,
  ]
}

interface FeedRow extends Omit<FeedEvent, 'payload' | 'created_at'> {
  payload: string
  created_at: number
}

async function page(
  { read }: Database,
  query: Parameters<FeedStore['page']>[0],
): Promise<FeedPage | 'expired'> {
  let after = 0
  if (query.cursor !== null) {
    const at = await read.get<{ seq: number }>('SELECT seq FROM feed_events WHERE event_id = $1', [
      query.cursor,
    ])
    if (!at) return 'expired'
    after = at.seq
  }
  const params: SqlValue[] = [after, query.organizationId]
  const types = typeFilter(query.types, params)
  const rows = await read.all<FeedRow>(
    `SELECT event_id, event_type, entity_type, entity_id, payload, actor, created_at FROM feed_events
     WHERE seq > $1 AND (visible_to IS NULL OR visible_to = $2) ${types}
     ORDER BY seq LIMIT $${params.length + 1}`,
    [...params, query.limit + 1],
  )
  const latest = await read.get<{ created_at: number }>(
    'SELECT created_at FROM feed_events ORDER BY seq DESC LIMIT 1',
  )
  return {
    events: rows.slice(0, query.limit).map(eventOf),
    hasMore: rows.length > query.limit,
    latestEventCreatedAt: latest ? new Date(latest.created_at).toISOString() : null,
  }
}

/** `a.b` is one type, `a.*` all that begin with `a.`; several are joined by OR. */
function typeFilter(types: readonly string[], params: SqlValue[]): string {
  if (types.length === 0) return ''
  const conditions = types.map((type) => {
    if (!type.endsWith('*')) {
      params.push(type)
      return `event_type = $${params.length}`
    }
    const prefix = type.slice(0, -1)
    params.push(prefix, `${prefix}~`)
    return `(event_type >= $${params.length - 1} AND event_type < $${params.length})`
  })
  return `AND (${conditions.join(' OR ')})`
}

function eventOf(row: FeedRow): FeedEvent {
  return {
    ...row,
    payload: JSON.parse(row.payload) as Record<string, unknown>,
    created_at: new Date(row.created_at).toISOString(),
  }
}

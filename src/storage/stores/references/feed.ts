// The change feed in SQL. Its order is `seq`, the order of commits. The id of an event, which readers
// hold as their cursor, is a UUID made of its time and its `seq`, so it needs no column and no index.

import { createPacer } from '../../../lib/pacer.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import {
  FEED_LIMITS,
  FEED_TOPIC,
  type FeedEvent,
  type NewFeedEvent,
} from '../../../registry/feed.ts'
import type { FeedPage, FeedStore } from '../../../registry/store.ts'
import { type Conditions, createConditions } from '../../sql/conditions.ts'
import { type Database, placeholders, type SqlValue, sqlOf } from '../../sql/database.ts'
import { isoTime } from '../../sql/iso-time.ts'

const COLUMNS = [
  'event_type',
  'entity_type',
  'entity_id',
  'payload',
  'actor',
  'visible_to',
  'created_at',
  'domain',
]
const ROWS_AT_ONCE = 500
const TRIMMED_AT_ONCE = 1_000

export function createFeedStore(database: Database): FeedStore {
  return {
    append: (tx, events) => append(database, tx, events),
    page: (query) => page(database, query),
    lastId: async () => {
      const last = await database.read.get<{ seq: number; created_at: number }>(
        'SELECT seq, created_at FROM feed_events ORDER BY seq DESC LIMIT 1',
      )
      return last ? eventId(last.seq, last.created_at) : null
    },
    trim: (tx, before) =>
      sqlOf(tx).run(
        `DELETE FROM feed_events WHERE seq IN (
           SELECT seq FROM (
             SELECT seq, created_at FROM feed_events ORDER BY seq LIMIT ${TRIMMED_AT_ONCE}) AS oldest
           WHERE created_at < $1)`,
        [before],
      ),
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
  await sqlOf(tx).lock('feed')
  const now = await tx.now()
  const rows = events.map((event) => valuesOf(event, now))
  // SQLite is fastest row by row; on PostgreSQL the round trip is the cost.
  if (database.dialect === 'sqlite') await sqlOf(tx).runEach(insert(1), rows)
  else {
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const chunk = rows.slice(start, start + ROWS_AT_ONCE)
      await sqlOf(tx).run(insert(chunk.length), chunk.flat())
    }
  }
  await tx.wake(FEED_TOPIC)
}

function insert(rows: number): string {
  return `INSERT INTO feed_events (${COLUMNS.join(', ')}) VALUES ${placeholders(rows, COLUMNS.length)}`
}

function valuesOf(event: NewFeedEvent, now: number): SqlValue[] {
  return [
    event.event_type,
    event.entity_type,
    event.entity_id,
    JSON.stringify(event.payload),
    event.actor,
    event.visibleTo,
    now,
    typeof event.payload.domain === 'string' ? event.payload.domain : null,
  ]
}

export interface FeedRow extends Omit<FeedEvent, 'event_id' | 'payload' | 'created_at'> {
  seq: number
  payload: string
  created_at: number
}

/** Of a FeedRow. */
export const FEED_COLUMNS = 'seq, event_type, entity_type, entity_id, payload, actor, created_at'

type PageQuery = Parameters<FeedStore['page']>[0]

async function page(database: Database, query: PageQuery): Promise<FeedPage | 'expired'> {
  const { read } = database
  let after = 0
  if (query.cursor !== null) {
    const at = placeOf(query.cursor)
    const held = await read.get('SELECT seq FROM feed_events WHERE seq = $1 AND created_at = $2', [
      at.seq,
      at.createdAt,
    ])
    if (!held) return 'expired'
    after = at.seq
  }
  const found = await lookAt(database, query, after)
  const latest = await read.get<{ created_at: number }>(
    'SELECT created_at FROM feed_events ORDER BY seq DESC LIMIT 1',
  )
  return { ...found, latestEventCreatedAt: latest ? isoTime(latest.created_at) : null }
}

/** Events examined in one step: some milliseconds. */
const LOOK_ROWS = 500

/**
 * A filter may match few of many events: the number examined is bounded, and other callers are served between two
 * steps.
 */
async function lookAt(
  { read }: Database,
  { organizationId, types, limit }: PageQuery,
  start: number,
): Promise<Omit<FeedPage, 'latestEventCreatedAt'>> {
  const pacer = createPacer()
  const events: FeedEvent[] = []
  let after = start
  for (let looked = 0; looked < FEED_LIMITS.feedLookedAt.value; looked += LOOK_ROWS) {
    const next = await read.get<{ seq: number }>(
      'SELECT seq FROM feed_events WHERE seq > $1 ORDER BY seq LIMIT 1',
      [after],
    )
    if (!next) return { events, hasMore: false }
    const end = next.seq + LOOK_ROWS - 1
    const room = limit - events.length
    const conditions = createConditions()
    const { param } = conditions
    conditions.add(`seq BETWEEN ${param(next.seq)} AND ${param(end)}`)
    conditions.add(`(visible_to IS NULL OR visible_to = ${param(organizationId)})`)
    addTypes(conditions, types)
    const rows = await read.all<FeedRow>(
      `SELECT ${FEED_COLUMNS} FROM feed_events${conditions.where()}
       ORDER BY seq LIMIT ${param(room + 1)}`,
      conditions.params,
    )
    for (const row of rows.slice(0, room)) events.push(eventOf(row))
    // Reads one row more than fits, to see whether there are more.
    if (rows.length > room) return { events, hasMore: true }
    after = end
    if (pacer.isDue()) await pacer.pause()
  }
  const last = await read.get<{ seq: number; created_at: number }>(
    'SELECT seq, created_at FROM feed_events WHERE seq <= $1 ORDER BY seq DESC LIMIT 1',
    [after],
  )
  const more = await read.get('SELECT seq FROM feed_events WHERE seq > $1 LIMIT 1', [after])
  return {
    events,
    hasMore: more !== undefined,
    ...(last && { lookedTo: eventId(last.seq, last.created_at) }),
  }
}

/** `a.b` is one type, `a.*` is every type that begins with `a.`; several are joined by OR. */
function addTypes({ add, param }: Conditions, types: readonly string[]): void {
  if (types.length === 0) return
  const anyOf = types.map((type) => {
    if (!type.endsWith('*')) return `event_type = ${param(type)}`
    const prefix = type.slice(0, -1)
    return `(event_type >= ${param(prefix)} AND event_type < ${param(`${prefix}~`)})`
  })
  add(`(${anyOf.join(' OR ')})`)
}

export function eventOf({ seq, payload, created_at, ...row }: FeedRow): FeedEvent {
  return {
    event_id: eventId(seq, created_at),
    ...row,
    payload: JSON.parse(payload) as Record<string, unknown>,
    created_at: isoTime(created_at),
  }
}

/** RFC 9562 version 7, with the event's number in place of the random bits. */
function eventId(seq: number, createdAt: number): string {
  const time = createdAt.toString(16).padStart(12, '0')
  const number = seq.toString(16).padStart(15, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${number.slice(0, 3)}-${number.slice(3)}`
}

function placeOf(eventId: string): { seq: number; createdAt: number } {
  const hex = eventId.replaceAll('-', '')
  const seq = Number.parseInt(hex.slice(17), 16)
  return {
    // A forged cursor may contain a number that no database accepts.
    seq: Number.isSafeInteger(seq) ? seq : -1,
    createdAt: Number.parseInt(hex.slice(0, 12), 16),
  }
}

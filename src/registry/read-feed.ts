// `GET /api/registry/feed`: a page of changes after a cursor, with the metadata that a reader needs.

import type { Clock } from '../lib/clock.ts'
import { FEED_LIMITS, FEED_RETENTION_DAYS, type FeedEvent } from './feed.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { FeedStore } from './store.ts'

export interface FeedQuery {
  cursor: string | null
  types: readonly string[]
  limit: number
}

export interface FeedAnswer {
  events: FeedEvent[]
  cursor: string | null
  has_more: boolean
  freshness: {
    generated_at: string
    latest_event_created_at: string | null
    lag_seconds: number | null
    retention_days: number
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TYPE = /^[a-z][a-z0-9_.]*\*?$/
const MAX_TYPES = 50
const MAX_LIMIT = FEED_LIMITS.feedPageLength.value
const DEFAULT_LIMIT = 100

export type RawQuery = Readonly<Record<string, string | string[] | undefined>>

export function parseFeedQuery(raw: RawQuery): ({ ok: true } & FeedQuery) | Refusal {
  for (const name of ['cursor', 'types', 'limit']) {
    if (Array.isArray(raw[name])) return refuse(400, `${name} was given twice: send it once`)
  }
  const { cursor, types, limit } = raw as Record<string, string | undefined>
  if (cursor !== undefined && cursor !== '' && !UUID.test(cursor)) {
    return refuse(400, 'Invalid cursor format. Must be a UUID.')
  }
  const wanted = (types ?? '').split(',').filter((type) => type !== '')
  const wrong = wanted.find((type) => !TYPE.test(type))
  if (wrong !== undefined) return refuse(400, `Invalid type filter: ${wrong.slice(0, 100)}`)
  if (wanted.length > MAX_TYPES) return refuse(400, `types: at most ${MAX_TYPES} at once`)
  const count = limit === undefined || limit === '' ? DEFAULT_LIMIT : Number(limit)
  if (!Number.isInteger(count) || count < 1 || count > MAX_LIMIT) {
    return refuse(400, `limit must be a whole number from 1 to ${MAX_LIMIT}`)
  }
  return { ok: true, cursor: cursor ? cursor.toLowerCase() : null, types: wanted, limit: count }
}

export async function readFeed(
  { feed, clock }: { feed: FeedStore; clock: Clock },
  query: FeedQuery,
  organizationId: string,
): Promise<{ ok: true; body: FeedAnswer } | Refusal> {
  const page = await feed.page({ ...query, organizationId })
  if (page === 'expired') {
    return refuse(410, 'cursor_expired', {
      message: `the cursor is unknown or older than ${FEED_RETENTION_DAYS} days: read a snapshot and start without a cursor`,
    })
  }
  const now = clock.now()
  const latest = page.latestEventCreatedAt
  return {
    ok: true,
    body: {
      events: page.events,
      cursor: page.lookedTo ?? page.events.at(-1)?.event_id ?? query.cursor,
      has_more: page.hasMore,
      freshness: {
        generated_at: new Date(now).toISOString(),
        latest_event_created_at: latest,
        lag_seconds: latest ? Math.max(0, Math.round((now - Date.parse(latest)) / 1_000)) : null,
        retention_days: FEED_RETENTION_DAYS,
      },
    },
  }
}

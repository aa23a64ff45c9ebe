// The console's queries about principals, in SQL.

import type { Counted } from '../../../console/api/common.ts'
import type {
  KeySummary,
  PrincipalFilter,
  PrincipalQueries,
} from '../../../console/principal-queries.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Quota } from '../../../protocol/quota.ts'
import { createConditions } from '../../sql/conditions.ts'
import type { Database, Queryable } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { readPage } from '../../sql/pages.ts'
import { queuedBy } from '../outbox/queue-use.ts'
import { readHeaders } from '../outbox/sent-headers.ts'
import { isGoodAt } from '../principals/api-keys.ts'
import { PRINCIPAL_COLUMNS, type PrincipalRow, principalOf } from '../principals/principals.ts'

const MAX_COUNT = 1_000
const LATEST_DELIVERIES = 200
const LATEST_ATTEMPTS = 400

export function createPrincipalQueries(database: Database): PrincipalQueries {
  const { read } = database
  return {
    list: (filter) => listPrincipals(database, filter),
    names: async (principalIds) => {
      const ids = [...new Set(principalIds)]
      if (ids.length === 0) return new Map()
      const rows = await read.all<{ principal_id: string; name: string }>(
        `SELECT principal_id, name FROM principals WHERE ${isIn('principal_id', 1)}`,
        [listed(ids)],
      )
      return new Map(rows.map(({ principal_id, name }) => [principal_id, name]))
    },
    keySummaries: async (principalIds, now) => {
      const rows = await read.all<{ owner_id: string; good: number; last_used_at: number | null }>(
        `SELECT k.owner_id, CAST(sum(CASE WHEN ${isGoodAt(2)} THEN 1 ELSE 0 END) AS INTEGER) AS good,
           max(k.last_used_at) AS last_used_at
         FROM api_keys k WHERE ${isIn('k.owner_id', 1)} AND k.kind = 'principal'
         GROUP BY k.owner_id`,
        [listed(principalIds), now],
      )
      return new Map(
        rows.map(({ owner_id, good, last_used_at }): [string, KeySummary] => [
          owner_id,
          { good, last_used_at: last_used_at ?? undefined },
        ]),
      )
    },
    sessionKeyId: async (sessionHash) => {
      const row = await read.get<{ key_id: string }>(
        `SELECT k.key_id FROM console_sessions s JOIN api_keys k ON k.key_hash = s.key_hash
         WHERE s.session_hash = $1`,
        [sessionHash],
      )
      return row?.key_id
    },
    usage: async (principalId, now) => {
      const counted = await read.all<{ quota: Quota; used: number }>(
        `SELECT quota, CAST(sum(used) AS BIGINT) AS used FROM quota_usage
         WHERE owner = $1 AND (ends_at = 0 OR ends_at > $2) GROUP BY quota ORDER BY quota`,
        [principalId, now],
      )
      const { deliveries, bytes } = await queuedBy(database.read, principalId)
      return [
        ...counted,
        { quota: 'queued_deliveries' as const, used: deliveries },
        { quota: 'queued_bytes' as const, used: bytes },
      ].filter(({ used }) => used > 0)
    },
    underWay: (principalId) => underWay(read, principalId),
    latestSent: () => latestSent(read),
  }
}

async function listPrincipals(
  { read }: Database,
  { sought, scope, isRevoked, after, limit }: PrincipalFilter,
): ReturnType<PrincipalQueries['list']> {
  if (sought !== undefined && !isStorable(sought)) return { rows: [], hasMore: false }
  const conditions = createConditions()
  if (sought?.startsWith('prn_')) conditions.is('p.principal_id =', sought)
  else if (sought?.startsWith('adw_')) {
    const place = conditions.param(sought.slice(0, HINT_CHARS))
    conditions.add(`p.principal_id IN (SELECT owner_id FROM api_keys WHERE hint = ${place})`)
  } else conditions.contains('lower(p.name)', sought?.toLowerCase())
  // A list of words in JSON. No quoted word is contained in another.
  conditions.contains('p.scopes', scope && JSON.stringify(scope))
  if (isRevoked !== undefined) {
    conditions.add(`p.revoked_at IS ${isRevoked ? 'NOT NULL' : 'NULL'}`)
  }
  const { rows, hasMore } = await readPage<PrincipalRow>(read, {
    select: `SELECT ${PRINCIPAL_COLUMNS} FROM principals p`,
    conditions,
    keys: ['p.created_at', 'p.principal_id'],
    direction: 'desc',
    after: after && [after.created_at, after.principal_id],
    limit,
  })
  return { rows: rows.map(principalOf), hasMore }
}

/** The stored part of a key, used to recognise it. */
const HINT_CHARS = 8

async function underWay(
  read: Queryable,
  principalId: string,
): ReturnType<PrincipalQueries['underWay']> {
  const upTo = (from: string) => `SELECT count(*) FROM (${from} LIMIT ${MAX_COUNT}) AS found`
  const row = await read.get<Record<'open_tasks' | 'waiting_webhooks' | 'media_buys', number>>(
    `SELECT
       (${upTo('SELECT 1 FROM tasks WHERE owner = $1 AND completed_at IS NULL')}) AS open_tasks,
       (${upTo("SELECT 1 FROM webhook_deliveries WHERE owner = $1 AND state = 'pending'")})
         AS waiting_webhooks,
       (SELECT count(*) FROM (SELECT due_at FROM media_buys WHERE owner = $1
          ORDER BY created_at DESC, media_buy_id DESC LIMIT ${MAX_COUNT}) AS newest
        WHERE due_at IS NOT NULL) AS media_buys`,
    [principalId],
  )
  const counted = (count: number | undefined): Counted =>
    count === undefined || count < MAX_COUNT ? (count ?? 0) : { at_least: count }
  return {
    open_tasks: counted(row?.open_tasks),
    waiting_webhooks: counted(row?.waiting_webhooks),
    media_buys: counted(row?.media_buys),
  }
}

async function latestSent(read: Queryable): ReturnType<PrincipalQueries['latestSent']> {
  const rows = await read.all<{ fired_at: number; request_headers: string }>(
    `SELECT a.fired_at, a.request_headers
     FROM (SELECT delivery_id FROM webhook_deliveries
           ORDER BY delivery_id DESC LIMIT ${LATEST_DELIVERIES}) AS d
     JOIN webhook_attempts a ON a.delivery_id = d.delivery_id
     WHERE a.request_headers IS NOT NULL
     ORDER BY a.fired_at DESC LIMIT ${LATEST_ATTEMPTS}`,
  )
  return rows.map(({ fired_at, request_headers }) => ({
    fired_at,
    request_headers: readHeaders(request_headers),
  }))
}

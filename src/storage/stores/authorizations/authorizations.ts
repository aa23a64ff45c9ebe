// Authorizations in SQL: one row for each agent, publisher and kind, with its current state.

import type {
  AuthorizationStore,
  PublisherRow,
  ReadAuthorization,
} from '../../../registry/authorizations/store.ts'
import type { Database, SqlValue } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { authorizationChanges } from './changes.ts'
import { PROPERTY_COLUMNS, type PropertyRow, propertyOf } from './files.ts'
import { AUTHORIZATION_COLUMNS, type AuthorizationRow, authorizationOf } from './rows.ts'

/**
 * When the source of a row was last read: the publisher's own file, or the file that is the only one to name the
 * publisher.
 */
const VERIFIED_AT = `CASE WHEN a.discovery_method = 'adagents_authoritative' THEN f.verified_at
  ELSE coalesce(d.verified_at, 0) END`
const SOURCES = `JOIN publisher_files f ON f.id = a.file_id LEFT JOIN crawl_domains d ON d.domain = a.publisher_domain`
const READ = `SELECT ${AUTHORIZATION_COLUMNS}, ${VERIFIED_AT} AS verified_at FROM authorizations a ${SOURCES}`
const CURRENT = `a.status IN ('live', 'claimed')`

export function createAuthorizationStore(database: Database): AuthorizationStore {
  const { read } = database
  return {
    ...authorizationChanges(database),
    isKnown: async (agentUrl) =>
      (await read.get('SELECT id FROM authorizations WHERE agent_url = $1 LIMIT 1', [agentUrl])) !==
      undefined,
    publishersOf: (agentUrl, page) => publishersOf(database, agentUrl, page),
    ofPublisher: (domain, limit) =>
      readAll(database, `a.publisher_domain = $1 AND ${CURRENT} ORDER BY a.agent_url, a.id`, [
        domain,
        limit,
      ]),
    ofAgent: (agentUrl, { after, limit }) =>
      readAll(database, `a.agent_url = $1 AND ${CURRENT} AND a.id > $2 ORDER BY a.id`, [
        agentUrl,
        after,
        limit,
      ]),
    all: ({ after, limit }) =>
      readAll(database, `a.id > $1 AND ${CURRENT} ORDER BY a.id`, [after, limit]),
    ofPairs: async (pairs) => {
      const wanted = new Set(pairs.map((pair) => `${pair.publisher_domain} ${pair.agent_url}`))
      const rows = await read.all<AuthorizationRow & { verified_at: number }>(
        `${READ} WHERE ${isIn('a.publisher_domain', 1)} AND ${isIn('a.agent_url', 2)} AND ${CURRENT}`,
        [
          listed([...new Set(pairs.map((pair) => pair.publisher_domain))]),
          listed([...new Set(pairs.map((pair) => pair.agent_url))]),
        ],
      )
      return rows
        .filter((row) => wanted.has(`${row.publisher_domain} ${row.agent_url}`))
        .map(readRow)
    },
    properties: async (domain, { limit }) => {
      const rows = await read.all<PropertyRow>(
        `SELECT ${PROPERTY_COLUMNS} FROM publisher_file_properties p
         JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version
         LEFT JOIN crawl_domains d ON d.domain = p.publisher_domain
         WHERE p.publisher_domain = $1 AND (d.file_id IS NULL OR d.file_id = p.file_id)
         ORDER BY p.file_id, p.n LIMIT $2`,
        [domain, limit],
      )
      return rows.map(propertyOf)
    },
    byIdentifier: async (identifiers) => {
      const rows = await read.all<PropertyRow & { type: string; value: string }>(
        `SELECT i.type, i.value, ${PROPERTY_COLUMNS} FROM publisher_file_identifiers i
         JOIN publisher_files f ON f.id = i.file_id AND f.version = i.version
         JOIN publisher_file_properties p ON p.file_id = i.file_id AND p.version = i.version AND p.n = i.n
         LEFT JOIN crawl_domains d ON d.domain = p.publisher_domain
         WHERE ${isIn('i.value', 1)} AND p.publisher_domain IS NOT NULL
           AND (d.file_id IS NULL OR d.file_id = p.file_id)
         ORDER BY i.type, i.value, p.file_id, p.n LIMIT ${MATCHES}`,
        [listed([...new Set(identifiers.map(({ value }) => value))])],
      )
      const wanted = new Set(identifiers.map(({ type, value }) => `${type} ${value}`))
      return rows
        .filter(({ type, value }) => wanted.has(`${type} ${value}`))
        .map(({ type, value, ...row }) => ({
          ...propertyOf(row),
          publisher_domain: row.publisher_domain ?? '',
          type,
          value,
        }))
    },
  }
}

/** Maximum number of properties that one lookup by identifiers reads. */
const MATCHES = 50_000

type PageOfPublishers = Parameters<AuthorizationStore['publishersOf']>[1]

/** One row for each publisher: of several authorizations of one agent the strongest, with the properties of all. */
async function publishersOf(
  { read }: Database,
  agentUrl: string,
  { statuses, since, after, limit, now }: PageOfPublishers,
): Promise<PublisherRow[]> {
  const kept = statuses.flatMap((status) =>
    status === 'authorized' ? [`'live'`, `'claimed'`] : [`'revoked'`],
  )
  const isInEffect = (at: string) =>
    `coalesce(a.effective_from, 0) <= ${at} AND (a.effective_until IS NULL OR a.effective_until > ${at})`
  const status = `a.status IN (${kept.join(', ')})`
  const domains = await read.all<{ publisher_domain: string }>(
    `SELECT DISTINCT a.publisher_domain FROM authorizations a ${SOURCES}
     WHERE a.agent_url = $1 AND ${status} AND a.publisher_domain > $2
       AND ((a.properties_authorized > 0 AND ${isInEffect('$5')}) OR a.status = 'revoked') AND ${VERIFIED_AT} > $3
     ORDER BY a.publisher_domain LIMIT $4`,
    [agentUrl, after, since === null ? 0 : since - 1, limit, now],
  )
  const rows = await read.all<AuthorizationRow & { verified_at: number; is_pinned: number }>(
    `SELECT ${AUTHORIZATION_COLUMNS}, a.is_pinned, ${VERIFIED_AT} AS verified_at FROM authorizations a ${SOURCES}
     WHERE a.agent_url = $1 AND ${status} AND ${isIn('a.publisher_domain', 2)}
       AND (a.status = 'revoked' OR (${isInEffect('$3')}))
     ORDER BY a.publisher_domain, a.id`,
    [agentUrl, listed(domains.map(({ publisher_domain }) => publisher_domain)), now],
  )
  const byDomain = new Map<string, PublisherRow>()
  for (const row of rows) {
    const { property_ids } = authorizationOf(row)
    const before = byDomain.get(row.publisher_domain)
    if (before === undefined) {
      byDomain.set(row.publisher_domain, publisherRow(row, property_ids))
      continue
    }
    before.property_ids = [...new Set([...before.property_ids, ...property_ids])]
    before.properties_authorized = before.property_ids.length
    before.is_pinned ||= row.is_pinned === 1
  }
  return [...byDomain.values()]
}

function publisherRow(
  row: AuthorizationRow & { verified_at: number; is_pinned: number },
  property_ids: string[],
): PublisherRow {
  return {
    publisher_domain: row.publisher_domain,
    discovery_method: row.discovery_method,
    manager_domain: row.manager_domain,
    property_ids,
    properties_authorized: property_ids.length,
    properties_total: row.properties_total,
    is_pinned: row.is_pinned === 1,
    status: row.status,
    verified_at: row.verified_at,
  }
}

/** The last parameter is the limit. */
async function readAll(
  { read }: Database,
  where: string,
  params: readonly SqlValue[],
): Promise<ReadAuthorization[]> {
  const rows = await read.all<AuthorizationRow & { verified_at: number }>(
    `${READ} WHERE ${where} LIMIT $${params.length}`,
    params,
  )
  return rows.map(readRow)
}

function readRow({
  verified_at,
  ...row
}: AuthorizationRow & { verified_at: number }): ReadAuthorization {
  return { ...authorizationOf(row), verified_at }
}

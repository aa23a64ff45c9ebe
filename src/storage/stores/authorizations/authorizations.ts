// Authorizations in SQL: one row for each agent, publisher and kind, with its current state.

import {
  type AuthorizationRecord,
  HOLD_MS,
  type Terms,
} from '../../../registry/authorizations/authorization.ts'
import type {
  AuthorizationChange,
  AuthorizationStore,
  HeldRevocation,
  PublisherRow,
  ReadAuthorization,
} from '../../../registry/authorizations/store.ts'
import { type Database, type SqlValue, sqlOf } from '../../sql/database.ts'
import { insertRows } from '../../sql/insert-rows.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { PROPERTY_COLUMNS, type PropertyRow, propertyOf } from './files.ts'

type Row = Omit<AuthorizationRecord, 'property_ids' | 'terms'> & {
  property_ids: string
  terms: string
}

const COLUMNS = `a.id, a.publisher_domain, a.agent_url, a.authorization_type, a.status, a.file_id, a.entry,
  a.discovery_method, a.manager_domain, a.property_ids, a.properties_total, a.terms, a.created_at, a.updated_at`

/**
 * When the source of a row was last read: the publisher's own file, or the file that is the only one to name the
 * publisher.
 */
const VERIFIED_AT = `CASE WHEN a.discovery_method = 'adagents_authoritative' THEN f.verified_at
  ELSE coalesce(d.verified_at, 0) END`
const SOURCES = `JOIN publisher_files f ON f.id = a.file_id LEFT JOIN crawl_domains d ON d.domain = a.publisher_domain`
const READ = `SELECT ${COLUMNS}, ${VERIFIED_AT} AS verified_at FROM authorizations a ${SOURCES}`
const CURRENT = `a.status IN ('live', 'claimed')`

const HISTORY_LENGTH = 50

export function createAuthorizationStore(database: Database): AuthorizationStore {
  const { dialect, read } = database
  return {
    ...changes(database),
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
      const rows = await read.all<Row & { verified_at: number }>(
        `${READ} WHERE ${isIn(dialect, 'a.publisher_domain', 1)} AND ${isIn(dialect, 'a.agent_url', 2)} AND ${CURRENT}`,
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
         WHERE ${isIn(dialect, 'i.value', 1)} AND p.publisher_domain IS NOT NULL
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

function changes(
  database: Database,
): Pick<
  AuthorizationStore,
  'of' | 'put' | 'end' | 'note' | 'history' | 'held' | 'hold' | 'unknownAgents'
> {
  const { dialect, read } = database
  return {
    of: async (tx, publishers) => {
      const rows = await sqlOf(tx).all<Row & { digest: string }>(
        `SELECT ${COLUMNS}, a.digest FROM authorizations a WHERE ${isIn(dialect, 'a.publisher_domain', 1)}
         ORDER BY a.publisher_domain, a.agent_url, a.id`,
        [listed(publishers)],
      )
      return rows.map(({ digest, ...row }) => ({ ...recordOf(row), digest }))
    },
    put: async (tx, rows) => {
      const now = await tx.now()
      await insertRows(database, sqlOf(tx), {
        table: 'authorizations',
        columns: [
          'id',
          'publisher_domain',
          'agent_url',
          'authorization_type',
          'status',
          'file_id',
          'entry',
          'discovery_method',
          'manager_domain',
          'property_ids',
          'properties_authorized',
          'properties_total',
          'terms',
          'is_pinned',
          'effective_from',
          'effective_until',
          'digest',
          'created_at',
          'updated_at',
        ],
        rows: rows.map((row): SqlValue[] => [
          row.id,
          row.publisher_domain,
          row.agent_url,
          row.authorization_type,
          row.status,
          row.file_id,
          row.entry,
          row.discovery_method,
          row.manager_domain,
          JSON.stringify(row.property_ids),
          row.property_ids.length,
          row.properties_total,
          JSON.stringify(row.terms),
          row.terms.signing_keys === null ? 0 : 1,
          timeOf(row.terms.effective_from),
          timeOf(row.terms.effective_until),
          row.digest,
          now,
          now,
        ]),
        suffix: `ON CONFLICT (id) DO UPDATE SET status = excluded.status, file_id = excluded.file_id,
          entry = excluded.entry, discovery_method = excluded.discovery_method,
          manager_domain = excluded.manager_domain, property_ids = excluded.property_ids,
          properties_authorized = excluded.properties_authorized, properties_total = excluded.properties_total,
          terms = excluded.terms, is_pinned = excluded.is_pinned, effective_from = excluded.effective_from,
          effective_until = excluded.effective_until, digest = excluded.digest, updated_at = excluded.updated_at`,
      })
    },
    end: async (tx, ids, status) => {
      await sqlOf(tx).run(
        `UPDATE authorizations SET status = $1, updated_at = $2 WHERE ${isIn(dialect, 'id', 3)}`,
        [status, await tx.now(), listed(ids)],
      )
    },
    note: async (tx, noted) => {
      const now = await tx.now()
      await insertRows(database, sqlOf(tx), {
        table: 'authorization_changes',
        columns: ['authorization_id', 'change', 'reason', 'terms', 'changed_at'],
        rows: noted.map((one) => [
          one.authorization_id,
          one.change,
          one.reason,
          JSON.stringify(one.terms),
          now,
        ]),
      })
      // Each keeps its newest ones.
      await sqlOf(tx).run(
        `DELETE FROM authorization_changes WHERE seq IN (SELECT seq FROM (
           SELECT seq, row_number() OVER (PARTITION BY authorization_id ORDER BY seq DESC) AS place
           FROM authorization_changes WHERE ${isIn(dialect, 'authorization_id', 1)}) AS placed
         WHERE place > ${HISTORY_LENGTH})`,
        [listed(noted.map((one) => one.authorization_id))],
      )
    },
    history: async (id, limit) => {
      const rows = await read.all<
        Omit<AuthorizationChange, 'terms'> & { terms: string; changed_at: number }
      >(
        `SELECT authorization_id, change, reason, terms, changed_at FROM authorization_changes
         WHERE authorization_id = $1 ORDER BY seq DESC LIMIT $2`,
        [id, limit],
      )
      return rows.map((row) => ({ ...row, terms: JSON.parse(row.terms) as unknown }))
    },
    held: async (tx, publishers) =>
      sqlOf(tx).all<HeldRevocation>(
        `SELECT publisher_domain, held_until, reason FROM publisher_revocations
         WHERE ${isIn(dialect, 'publisher_domain', 1)} AND held_until > $2`,
        [listed(publishers), await tx.now()],
      ),
    hold: async (tx, revocations) => {
      await insertRows(database, sqlOf(tx), {
        table: 'publisher_revocations',
        columns: ['publisher_domain', 'file_id', 'reason', 'revoked_at', 'held_until'],
        rows: revocations.map((one) => [
          one.publisher_domain,
          one.file_id,
          one.reason,
          one.revoked_at,
          one.held_until,
        ]),
        suffix: `ON CONFLICT (publisher_domain) DO UPDATE SET reason = excluded.reason,
          file_id = excluded.file_id, revoked_at = excluded.revoked_at, held_until = excluded.held_until
          WHERE publisher_revocations.held_until <= excluded.held_until - ${HOLD_MS}`,
      })
    },
    unknownAgents: async (tx, agents) => {
      const rows = await sqlOf(tx).all<{ agent_url: string }>(
        `SELECT DISTINCT agent_url FROM authorizations WHERE ${isIn(dialect, 'agent_url', 1)}`,
        [listed(agents)],
      )
      const known = new Set(rows.map(({ agent_url }) => agent_url))
      return agents.filter((agent) => !known.has(agent))
    },
  }
}

type PageOfPublishers = Parameters<AuthorizationStore['publishersOf']>[1]

/** One row for each publisher: of several authorizations of one agent the strongest, with the properties of all. */
async function publishersOf(
  { dialect, read }: Database,
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
  const rows = await read.all<Row & { verified_at: number; is_pinned: number }>(
    `SELECT ${COLUMNS}, a.is_pinned, ${VERIFIED_AT} AS verified_at FROM authorizations a ${SOURCES}
     WHERE a.agent_url = $1 AND ${status} AND ${isIn(dialect, 'a.publisher_domain', 2)}
       AND (a.status = 'revoked' OR (${isInEffect('$3')}))
     ORDER BY a.publisher_domain, a.id`,
    [agentUrl, listed(domains.map(({ publisher_domain }) => publisher_domain)), now],
  )
  const byDomain = new Map<string, PublisherRow>()
  for (const row of rows) {
    const { property_ids } = recordOf(row)
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
  row: Row & { verified_at: number; is_pinned: number },
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
  const rows = await read.all<Row & { verified_at: number }>(
    `${READ} WHERE ${where} LIMIT $${params.length}`,
    params,
  )
  return rows.map(readRow)
}

function readRow({ verified_at, ...row }: Row & { verified_at: number }): ReadAuthorization {
  return { ...recordOf(row), verified_at }
}

function recordOf(row: Row): AuthorizationRecord {
  return {
    id: row.id,
    publisher_domain: row.publisher_domain,
    agent_url: row.agent_url,
    authorization_type: row.authorization_type,
    status: row.status,
    file_id: row.file_id,
    entry: row.entry,
    discovery_method: row.discovery_method,
    manager_domain: row.manager_domain,
    property_ids: JSON.parse(row.property_ids) as string[],
    properties_total: row.properties_total,
    terms: JSON.parse(row.terms) as Terms,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}

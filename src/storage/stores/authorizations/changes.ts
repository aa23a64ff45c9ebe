// What a crawl changes about authorizations, in SQL: the rows, their history, and the revocations of publishers.

import { HOLD_MS } from '../../../registry/authorizations/authorization.ts'
import type {
  AuthorizationChange,
  AuthorizationStore,
  HeldRevocation,
} from '../../../registry/authorizations/store.ts'
import { type Database, type SqlValue, sqlOf } from '../../sql/database.ts'
import { insertRows } from '../../sql/insert-rows.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { AUTHORIZATION_COLUMNS, type AuthorizationRow, authorizationOf } from './rows.ts'

const HISTORY_LENGTH = 50

/** The columns that are written. */
const COLUMNS = [
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
]

export function authorizationChanges(
  database: Database,
): Pick<
  AuthorizationStore,
  'of' | 'put' | 'end' | 'unknownAgents' | 'note' | 'history' | 'held' | 'hold'
> {
  return { ...changedRows(database), ...changeHistory(database), ...revocations(database) }
}

/** The authorizations of the publishers that a crawl concerns. */
function changedRows(
  database: Database,
): Pick<AuthorizationStore, 'of' | 'put' | 'end' | 'unknownAgents'> {
  return {
    of: async (tx, publishers) => {
      const rows = await sqlOf(tx).all<AuthorizationRow & { digest: string }>(
        `SELECT ${AUTHORIZATION_COLUMNS}, a.digest FROM authorizations a WHERE ${isIn('a.publisher_domain', 1)}
         ORDER BY a.publisher_domain, a.agent_url, a.id`,
        [listed(publishers)],
      )
      return rows.map(({ digest, ...row }) => ({ ...authorizationOf(row), digest }))
    },
    put: async (tx, rows) => {
      const now = await tx.now()
      await insertRows(database, sqlOf(tx), {
        table: 'authorizations',
        columns: COLUMNS,
        rows: rows.map((row) => valuesOf(row, now)),
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
        `UPDATE authorizations SET status = $1, updated_at = $2 WHERE ${isIn('id', 3)}`,
        [status, await tx.now(), listed(ids)],
      )
    },
    unknownAgents: async (tx, agents) => {
      const rows = await sqlOf(tx).all<{ agent_url: string }>(
        `SELECT DISTINCT agent_url FROM authorizations WHERE ${isIn('agent_url', 1)}`,
        [listed(agents)],
      )
      const known = new Set(rows.map(({ agent_url }) => agent_url))
      return agents.filter((agent) => !known.has(agent))
    },
  }
}

/** The changes of each authorization. */
function changeHistory(database: Database): Pick<AuthorizationStore, 'note' | 'history'> {
  const { read } = database
  return {
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
           FROM authorization_changes WHERE ${isIn('authorization_id', 1)}) AS placed
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
  }
}

/** Revocations, each of which lasts until its end. */
function revocations(database: Database): Pick<AuthorizationStore, 'held' | 'hold'> {
  return {
    held: async (tx, publishers) =>
      sqlOf(tx).all<HeldRevocation>(
        `SELECT publisher_domain, held_until, reason FROM publisher_revocations
         WHERE ${isIn('publisher_domain', 1)} AND held_until > $2`,
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
  }
}

type Written = Parameters<AuthorizationStore['put']>[1][number]

function valuesOf(row: Written, now: number): SqlValue[] {
  return [
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
  ]
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}

// Sessions of the console in SQL.

import type {
  ListedSession,
  PersonSession,
  SessionRecord,
  SessionStore,
} from '../../../console/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, type Queryable, sqlOf } from '../../sql/database.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'

const COLUMNS = `session_hash, session_id, key_hash, principal_id, address, created_at, seen_at, expires_at,
  roles, tokens, checked_at`

/** Maximum rows deleted by one sweep, so that no sweep holds its locks for long. */
const SWEEP_ROWS = 1_000

type SessionRow = Nullable<Omit<SessionRecord, 'person'>> & {
  /** As JSON; null for a session that was opened with a key, as the two others. */
  roles: string | null
  tokens: string | null
  checked_at: number | null
}

type ListedRow = Nullable<Omit<ListedSession, 'roles'>> & { roles: string | null }

export function createSessionStore({ read }: Pick<Database, 'read'>): SessionStore {
  return {
    add: async (tx, session, most) => {
      const { person } = session
      await sqlOf(tx).run(
        `INSERT INTO console_sessions (${COLUMNS})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          session.session_hash,
          session.session_id,
          session.key_hash,
          session.principal_id,
          session.address ?? null,
          session.created_at,
          session.seen_at,
          session.expires_at,
          person ? JSON.stringify(person.roles) : null,
          person?.tokens ?? null,
          person?.checked_at ?? null,
        ],
      )
      await sqlOf(tx).run(
        `DELETE FROM console_sessions WHERE principal_id = $1 AND session_hash NOT IN (
           SELECT session_hash FROM console_sessions WHERE principal_id = $1
           ORDER BY created_at DESC, session_hash LIMIT $2)
         AND session_hash <> $3`,
        [session.principal_id, most, session.session_hash],
      )
    },
    get: async (sessionHash) => {
      const row = await read.get<SessionRow>(
        `SELECT ${COLUMNS} FROM console_sessions WHERE session_hash = $1`,
        [sessionHash],
      )
      return row && sessionOf(row)
    },
    touch: async (tx, sessionHash, seenAt) => {
      await sqlOf(tx).run(
        'UPDATE console_sessions SET seen_at = $2 WHERE session_hash = $1 AND seen_at < $2',
        [sessionHash, seenAt],
      )
    },
    claimCheck: async (tx, sessionHash, { checked_at, now, until }) =>
      (await sqlOf(tx).run(
        `UPDATE console_sessions SET checking_until = $4
         WHERE session_hash = $1 AND checked_at = $2 AND coalesce(checking_until, 0) <= $3`,
        [sessionHash, checked_at, now, until],
      )) > 0,
    checked: async (tx, sessionHash, { roles, tokens, checked_at }: PersonSession) => {
      await sqlOf(tx).run(
        `UPDATE console_sessions SET roles = $2, tokens = $3, checked_at = $4, checking_until = NULL
         WHERE session_hash = $1`,
        [sessionHash, JSON.stringify(roles), tokens, checked_at],
      )
    },
    list: (filter) => listSessions(read, filter),
    end: async (tx, sessionHash) =>
      (await sqlOf(tx).run('DELETE FROM console_sessions WHERE session_hash = $1', [sessionHash])) >
      0,
    endById: async (tx, sessionId) => {
      const row = await sqlOf(tx).get<{ principal_id: string }>(
        'DELETE FROM console_sessions WHERE session_id = $1 RETURNING principal_id',
        [sessionId],
      )
      return row?.principal_id
    },
    sweep: (tx, { expired, unseenSince }) =>
      sqlOf(tx).run(
        `DELETE FROM console_sessions WHERE session_hash IN (
           SELECT session_hash FROM console_sessions
           WHERE expires_at <= $1 OR seen_at <= $2 LIMIT ${SWEEP_ROWS})`,
        [expired, unseenSince],
      ),
  }
}

function sessionOf({ roles, tokens, checked_at, ...row }: SessionRow): SessionRecord {
  const isPerson = roles !== null && tokens !== null && checked_at !== null
  const person = isPerson ? { roles: JSON.parse(roles), tokens, checked_at } : undefined
  return { ...withoutNulls<Omit<SessionRecord, 'person'>>(row), person }
}

async function listSessions(
  read: Queryable,
  { now, unseenSince, limit, after }: Parameters<SessionStore['list']>[0],
): Promise<ListedSession[]> {
  const conditions = createConditions()
  conditions.is('s.expires_at >', now)
  conditions.is('s.seen_at >', unseenSince)
  if (after) {
    const place = [after.created_at, after.session_id].map(conditions.param).join(', ')
    conditions.add(`(s.created_at, s.session_id) < (${place})`)
  }
  const rows = await read.all<ListedRow>(
    `SELECT s.session_id, s.principal_id, s.address, s.created_at, s.seen_at, s.expires_at, s.roles,
       p.name AS principal_name, k.key_id
     FROM console_sessions s JOIN principals p ON p.principal_id = s.principal_id
     LEFT JOIN api_keys k ON k.key_hash = s.key_hash AND k.kind = 'principal'${conditions.where()}
     ORDER BY s.created_at DESC, s.session_id DESC LIMIT ${conditions.param(limit)}`,
    conditions.params,
  )
  return rows.map(({ roles, ...row }) => ({
    ...withoutNulls<Omit<ListedSession, 'roles'>>(row),
    roles: roles === null ? undefined : JSON.parse(roles),
  }))
}

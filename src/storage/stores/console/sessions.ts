// Sessions of the console in SQL.

import type { SessionRecord, SessionStore } from '../../../console/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'

const COLUMNS = 'session_hash, key_hash, principal_id, created_at, seen_at, expires_at'

/** Maximum rows deleted by one sweep, so that no sweep holds its locks for long. */
const SWEEP_ROWS = 1_000

export function createSessionStore({ read }: Database): SessionStore {
  return {
    add: async (tx, session, most) => {
      await sqlOf(tx).run(
        `INSERT INTO console_sessions (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`,
        [
          session.session_hash,
          session.key_hash,
          session.principal_id,
          session.created_at,
          session.seen_at,
          session.expires_at,
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
    get: (sessionHash) =>
      read.get<SessionRecord>(`SELECT ${COLUMNS} FROM console_sessions WHERE session_hash = $1`, [
        sessionHash,
      ]),
    touch: async (tx, sessionHash, seenAt) => {
      await sqlOf(tx).run(
        'UPDATE console_sessions SET seen_at = $2 WHERE session_hash = $1 AND seen_at < $2',
        [sessionHash, seenAt],
      )
    },
    end: async (tx, sessionHash) =>
      (await sqlOf(tx).run('DELETE FROM console_sessions WHERE session_hash = $1', [sessionHash])) >
      0,
    sweep: (tx, { expired, unseenSince }) =>
      sqlOf(tx).run(
        `DELETE FROM console_sessions WHERE session_hash IN (
           SELECT session_hash FROM console_sessions
           WHERE expires_at <= $1 OR seen_at <= $2 LIMIT ${SWEEP_ROWS})`,
        [expired, unseenSince],
      ),
  }
}

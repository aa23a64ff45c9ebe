// Sign-ins at an identity provider, and the people who signed in, in SQL.

import type { Identity, SignInStore, StartedSignIn } from '../../../console/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'

/** Maximum rows deleted by one sweep, so that no sweep holds its locks for long. */
const SWEEP_ROWS = 1_000

export function createSignInStore({ read }: Database): SignInStore {
  return {
    begin: async (tx, { state_hash, browser_hash, return_to, expires_at }) => {
      await sqlOf(tx).run(
        `INSERT INTO console_sign_ins (state_hash, browser_hash, return_to, expires_at)
         VALUES ($1, $2, $3, $4)`,
        [state_hash, browser_hash, return_to, expires_at],
      )
    },
    take: (tx, stateHash) =>
      sqlOf(tx).get<StartedSignIn>(
        `DELETE FROM console_sign_ins WHERE state_hash = $1
         RETURNING state_hash, browser_hash, return_to, expires_at`,
        [stateHash],
      ),
    person: async (tx, { issuer, subject }) => {
      // A person who signs in twice at the same time for the first time is one person.
      await sqlOf(tx).lock(`console person ${issuer} ${subject}`)
      const row = await sqlOf(tx).get<{ principal_id: string }>(
        'SELECT principal_id FROM console_people WHERE issuer = $1 AND subject = $2',
        [issuer, subject],
      )
      return row?.principal_id
    },
    addPerson: async (tx, { issuer, subject, principal_id }) => {
      await sqlOf(tx).run(
        `INSERT INTO console_people (issuer, subject, principal_id, created_at)
         VALUES ($1, $2, $3, $4)`,
        [issuer, subject, principal_id, await tx.now()],
      )
    },
    identityOf: (principalId) =>
      read.get<Identity>('SELECT issuer, subject FROM console_people WHERE principal_id = $1', [
        principalId,
      ]),
    sweep: (tx, expired) =>
      sqlOf(tx).run(
        `DELETE FROM console_sign_ins WHERE state_hash IN (
           SELECT state_hash FROM console_sign_ins WHERE expires_at <= $1 LIMIT ${SWEEP_ROWS})`,
        [expired],
      ),
  }
}

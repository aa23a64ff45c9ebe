// The operator's signing keys in SQL (spec 5).

import type { SigningKeyRecord, SigningKeyStore } from '../../../keys/store.ts'
import type { Jwk } from '../../../signing/ports.ts'
import { type Database, type Queryable, sqlOf } from '../../sql/database.ts'

const COLUMNS =
  'kid, algorithm, purpose, public_jwk, private_key, published_at, active_from, retired_at, remove_at, revoked_at'

interface KeyRow extends Omit<SigningKeyRecord, 'public_jwk'> {
  public_jwk: string
}

export function createSigningKeyStore({ read }: Database): SigningKeyStore {
  return {
    list: () => listFrom(read),
    lockAll: async (tx) => {
      await sqlOf(tx).lock('signing keys')
      return listFrom(sqlOf(tx))
    },
    add: async (tx, key) => {
      const added = await sqlOf(tx).run(
        `INSERT INTO signing_keys (${COLUMNS})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (kid) DO NOTHING`,
        [
          key.kid,
          key.algorithm,
          key.purpose,
          JSON.stringify(key.public_jwk),
          key.private_key,
          key.published_at,
          key.active_from,
          key.retired_at,
          key.remove_at,
          key.revoked_at,
        ],
      )
      return added > 0
    },
    update: async (tx, key) => {
      await sqlOf(tx).run(
        `UPDATE signing_keys SET private_key = $2, published_at = $3, active_from = $4,
           retired_at = $5, remove_at = $6, revoked_at = $7 WHERE kid = $1`,
        [
          key.kid,
          key.private_key,
          key.published_at,
          key.active_from,
          key.retired_at,
          key.remove_at,
          key.revoked_at,
        ],
      )
    },
    delete: async (tx, kid) => {
      await sqlOf(tx).run('DELETE FROM signing_keys WHERE kid = $1', [kid])
    },
  }
}

async function listFrom(queries: Queryable): Promise<SigningKeyRecord[]> {
  const rows = await queries.all<KeyRow>(
    `SELECT ${COLUMNS} FROM signing_keys ORDER BY published_at, kid`,
  )
  return rows.map((row) => ({ ...row, public_jwk: JSON.parse(row.public_jwk) as Jwk }))
}

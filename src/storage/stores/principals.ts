// Principals and their hashed keys in SQL (spec 5).

import type { Principal, PrincipalStore, Scope } from '../../agent/principals.ts'
import { type Database, sqlOf } from '../sql/database.ts'

const COLUMNS = 'p.principal_id, p.name, p.scopes, p.created_at, p.revoked_at'

interface PrincipalRow {
  principal_id: string
  name: string
  scopes: string
  created_at: number
  revoked_at: number | null
}

export function createPrincipalStore({ read }: Database): PrincipalStore {
  return {
    add: async (tx, { principal_id, name, scopes }, { keyHash, hint }) => {
      const now = await tx.now()
      const added = await sqlOf(tx).run(
        `INSERT INTO api_keys (key_hash, hint, kind, owner_id, created_at)
         VALUES ($1, $2, 'principal', $3, $4) ON CONFLICT (key_hash) DO NOTHING`,
        [keyHash, hint, principal_id, now],
      )
      if (added === 0) return 'key_taken'
      const row = { principal_id, name, scopes: JSON.stringify(scopes), created_at: now }
      await sqlOf(tx).run(
        'INSERT INTO principals (principal_id, name, scopes, created_at) VALUES ($1, $2, $3, $4)',
        [row.principal_id, row.name, row.scopes, row.created_at],
      )
      return principalOf({ ...row, revoked_at: null })
    },
    list: async () => {
      const rows = await read.all<PrincipalRow>(
        `SELECT ${COLUMNS} FROM principals p ORDER BY p.created_at, p.principal_id`,
      )
      return rows.map(principalOf)
    },
    revoke: async (tx, principalId) => {
      const now = await tx.now()
      const found = await sqlOf(tx).run(
        'UPDATE principals SET revoked_at = coalesce(revoked_at, $2) WHERE principal_id = $1',
        [principalId, now],
      )
      await sqlOf(tx).run(
        `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2)
         WHERE owner_id = $1 AND kind = 'principal'`,
        [principalId, now],
      )
      return found > 0
    },
    byKeyHash: async (keyHash) => {
      const row = await read.get<PrincipalRow>(
        `SELECT ${COLUMNS} FROM api_keys k JOIN principals p ON p.principal_id = k.owner_id
         WHERE k.key_hash = $1 AND k.kind = 'principal'
           AND k.revoked_at IS NULL AND p.revoked_at IS NULL`,
        [keyHash],
      )
      return row && principalOf(row)
    },
  }
}

function principalOf(row: PrincipalRow): Principal {
  return {
    principal_id: row.principal_id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[],
    created_at: new Date(row.created_at).toISOString(),
    revoked_at: row.revoked_at === null ? null : new Date(row.revoked_at).toISOString(),
  }
}

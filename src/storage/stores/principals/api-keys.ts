// Hashed keys in SQL, of principals and of organisations alike (spec 5).

import { randomBytes } from 'node:crypto'
import type { ApiKeyRecord, ApiKeyStore, KeyOwner } from '../../../lib/api-keys.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, type Queryable, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'

const COLUMNS = 'key_id, hint, created_at, last_used_at, expires_at, revoked_at'

/** Whether a key `k` is valid at the time of this parameter. */
export const isGoodAt = (place: number) =>
  `k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $${place})`

interface Row {
  key_id: string
  hint: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
  revoked_at: number | null
}

export function createApiKeyStore({ read }: Database): ApiKeyStore {
  return {
    find: (kind, keyHash) =>
      read.get<{ key_id: string; owner_id: string }>(
        'SELECT key_id, owner_id FROM api_keys WHERE key_hash = $1 AND kind = $2',
        [keyHash, kind],
      ),
    list: (owner) => keysOf(read, owner),
    lock: async (tx, owner) => {
      // A key that does not exist yet cannot be locked as a row.
      await sqlOf(tx).lock(`keys of ${owner.kind} ${owner.owner_id}`)
      return keysOf(sqlOf(tx), owner)
    },
    add: addApiKey,
    expire: async (tx, keyIds, at) => {
      await sqlOf(tx).run(
        `UPDATE api_keys SET expires_at = $2
         WHERE ${isIn('key_id', 1)} AND (expires_at IS NULL OR expires_at > $2)`,
        [listed(keyIds), at],
      )
    },
    revoke: async (tx, kind, keyId) =>
      (await sqlOf(tx).run(
        `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3)
         WHERE key_id = $1 AND kind = $2`,
        [keyId, kind, await tx.now()],
      )) > 0,
    forget: async (tx, keyIds) => {
      if (keyIds.length === 0) return
      await sqlOf(tx).run(`DELETE FROM api_keys WHERE ${isIn('key_id', 1)}`, [listed(keyIds)])
    },
    noteUse: async (tx, keyHashes) => {
      await sqlOf(tx).run(`UPDATE api_keys SET last_used_at = $2 WHERE ${isIn('key_hash', 1)}`, [
        listed(keyHashes),
        await tx.now(),
      ])
    },
  }
}

async function keysOf(queries: Queryable, owner: KeyOwner): Promise<ApiKeyRecord[]> {
  const rows = await queries.all<Row>(
    `SELECT ${COLUMNS} FROM api_keys WHERE owner_id = $1 AND kind = $2
     ORDER BY created_at, key_id`,
    [owner.owner_id, owner.kind],
  )
  return rows.map(recordOf)
}

/** In the transaction of the owner's own row, which may be new as well. */
export async function addApiKey(
  tx: Transaction,
  { kind, owner_id }: KeyOwner,
  { keyHash, hint, expiresAt }: { keyHash: string; hint: string; expiresAt?: number | undefined },
): Promise<ApiKeyRecord | undefined> {
  const row = await sqlOf(tx).get<Row>(
    `INSERT INTO api_keys (key_hash, key_id, hint, kind, owner_id, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (key_hash) DO UPDATE SET revoked_at = NULL, expires_at = excluded.expires_at
     WHERE api_keys.kind = excluded.kind AND api_keys.owner_id = excluded.owner_id
     RETURNING ${COLUMNS}`,
    [
      keyHash,
      `key_${randomBytes(8).toString('hex')}`,
      hint,
      kind,
      owner_id,
      await tx.now(),
      expiresAt ?? null,
    ],
  )
  return row && recordOf(row)
}

function recordOf(row: Row): ApiKeyRecord {
  return {
    ...row,
    last_used_at: row.last_used_at ?? undefined,
    expires_at: row.expires_at ?? undefined,
    revoked_at: row.revoked_at ?? undefined,
  }
}

// Principals and their hashed keys in SQL (spec 5).

import type { Principal, PrincipalStore, Scope } from '../../../agent/principals.ts'
import type { Clock } from '../../../lib/clock.ts'
import { steadyClock } from '../../../lib/steady-clock.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'
import { addApiKey, isGoodAt } from './api-keys.ts'

/** For a row of `principals` with the alias p. */
export const PRINCIPAL_COLUMNS =
  'p.principal_id, p.name, p.scopes, p.is_demo, p.is_sandbox, p.created_at, p.revoked_at'

export interface PrincipalRow {
  principal_id: string
  name: string
  scopes: string
  is_demo: number
  is_sandbox: number
  created_at: number
  revoked_at: number | null
}

export function createPrincipalStore(
  { read }: Database,
  /** The clock for keys that expire: they are read outside a transaction. */
  clock: Clock = steadyClock,
): PrincipalStore {
  return {
    add: async (tx, { principal_id, name, scopes, is_demo, is_sandbox }, key) => {
      const now = await tx.now()
      const owner = { kind: 'principal', owner_id: principal_id }
      if (!(await addApiKey(tx, owner, key))) return 'key_taken'
      const row = {
        principal_id,
        name,
        scopes: JSON.stringify(scopes),
        is_demo: is_demo ? 1 : 0,
        is_sandbox: is_sandbox ? 1 : 0,
        created_at: now,
      }
      await sqlOf(tx).run(
        `INSERT INTO principals (principal_id, name, scopes, is_demo, is_sandbox, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [row.principal_id, row.name, row.scopes, row.is_demo, row.is_sandbox, row.created_at],
      )
      return principalOf({ ...row, revoked_at: null })
    },
    addPerson: async (tx, { principal_id, name }) => {
      const created_at = await tx.now()
      await sqlOf(tx).run(
        `INSERT INTO principals (principal_id, name, scopes, is_demo, is_sandbox, created_at)
         VALUES ($1, $2, '[]', 0, 0, $3)`,
        [principal_id, name, created_at],
      )
      const flags = { is_demo: 0, is_sandbox: 0, revoked_at: null }
      return principalOf({ principal_id, name, scopes: '[]', created_at, ...flags })
    },
    get: async (principalId) => {
      const row = await read.get<PrincipalRow>(
        `SELECT ${PRINCIPAL_COLUMNS} FROM principals p WHERE p.principal_id = $1`,
        [principalId],
      )
      return row && principalOf(row)
    },
    lock: async (tx, principalId) => {
      const row = await sqlOf(tx).get<PrincipalRow>(
        `SELECT ${PRINCIPAL_COLUMNS} FROM principals p WHERE p.principal_id = $1
         ${FOR_UPDATE}`,
        [principalId],
      )
      return row && principalOf(row)
    },
    list: async ({ onlyDemo = false } = {}) => {
      const rows = await read.all<PrincipalRow>(
        `SELECT ${PRINCIPAL_COLUMNS} FROM principals p ${onlyDemo ? 'WHERE p.is_demo = 1' : ''}
         ORDER BY p.created_at, p.principal_id`,
      )
      return rows.map(principalOf)
    },
    rename: async (tx, principalId, name) =>
      (await sqlOf(tx).run('UPDATE principals SET name = $2 WHERE principal_id = $1', [
        principalId,
        name,
      ])) > 0,
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
    remove: async (tx, principalId) =>
      (await sqlOf(tx).run('DELETE FROM principals WHERE principal_id = $1', [principalId])) > 0,
    byKeyHash: async (keyHash) => {
      const row = await read.get<PrincipalRow>(
        `SELECT ${PRINCIPAL_COLUMNS} FROM api_keys k JOIN principals p ON p.principal_id = k.owner_id
         WHERE k.key_hash = $1 AND k.kind = 'principal'
           AND ${isGoodAt(2)} AND p.revoked_at IS NULL`,
        [keyHash, clock.now()],
      )
      return row && principalOf(row)
    },
  }
}

export function principalOf(row: PrincipalRow): Principal {
  return {
    principal_id: row.principal_id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[],
    is_demo: row.is_demo === 1,
    is_sandbox: row.is_sandbox === 1,
    created_at: new Date(row.created_at).toISOString(),
    revoked_at: row.revoked_at === null ? null : new Date(row.revoked_at).toISOString(),
  }
}

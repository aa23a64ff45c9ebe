// The keys that principals sign their requests with, in SQL (spec 5).

import type {
  RequestKeyKind,
  RequestKeyRecord,
  RequestKeyStore,
} from '../../../agent/request-keys.ts'
import { defined } from '../../../lib/defined.ts'
import type { Jwk } from '../../../signing/ports.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { PRINCIPAL_COLUMNS, type PrincipalRow, principalOf } from './principals.ts'

const COLUMNS = 'k.key_id, k.principal_id, k.kind, k.jwk, k.url, k.pin, k.created_at'
/** Keys of principals that may still make calls. */
const IN_FORCE = `principal_request_keys k JOIN principals p ON p.principal_id = k.principal_id
  AND p.revoked_at IS NULL`

interface KeyRow {
  key_id: string
  principal_id: string
  kind: RequestKeyKind
  jwk: string | null
  url: string | null
  pin: string | null
  created_at: number
}

export function createRequestKeyStore(database: Database): RequestKeyStore {
  const { read } = database
  return {
    ...keysInForce(database),
    add: async (tx, record) => {
      const { key_id, principal_id, kind, identity, jwk, url, pin } = record
      const created_at = await tx.now()
      const row = {
        key_id,
        principal_id,
        kind,
        created_at,
        url: url ?? null,
        jwk: jwk ? JSON.stringify(jwk) : null,
        pin: pin ? JSON.stringify(pin) : null,
      }
      const added = await sqlOf(tx).run(
        `INSERT INTO principal_request_keys
           (key_id, principal_id, kind, identity, kid, jwk, url, pin, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (identity) DO NOTHING`,
        [
          key_id,
          principal_id,
          kind,
          identity,
          jwk?.kid ?? null,
          row.jwk,
          row.url,
          row.pin,
          created_at,
        ],
      )
      if (added > 0) return recordOf(row)
      const known = await sqlOf(tx).get<{ principal_id: string }>(
        'SELECT principal_id FROM principal_request_keys WHERE identity = $1',
        [identity],
      )
      return { takenBy: known?.principal_id ?? 'another principal' }
    },
    list: async (principalId) => {
      const rows = await read.all<KeyRow>(
        `SELECT ${COLUMNS} FROM principal_request_keys k WHERE k.principal_id = $1
         ORDER BY k.created_at, k.key_id`,
        [principalId],
      )
      return rows.map(recordOf)
    },
    remove: async (tx, keyId) =>
      (await sqlOf(tx).run('DELETE FROM principal_request_keys WHERE key_id = $1', [keyId])) > 0,
    hasAny: async (principalId) => {
      const row = await read.get(
        'SELECT 1 AS one FROM principal_request_keys WHERE principal_id = $1 LIMIT 1',
        [principalId],
      )
      return row !== undefined
    },
  }
}

/** Keys whose principals may still make calls. */
function keysInForce({
  read,
}: Database): Pick<RequestKeyStore, 'byKid' | 'addresses' | 'countAddresses' | 'principalOf'> {
  return {
    byKid: async (kid) => {
      const rows = await read.all<KeyRow>(
        `SELECT ${COLUMNS} FROM ${IN_FORCE} WHERE k.kid = $1 ORDER BY k.created_at, k.key_id`,
        [kid],
      )
      return rows.map(recordOf)
    },
    addresses: async () => {
      const rows = await read.all<KeyRow>(
        `SELECT ${COLUMNS} FROM ${IN_FORCE} WHERE k.kid IS NULL ORDER BY k.created_at, k.key_id`,
      )
      return rows.map(recordOf)
    },
    countAddresses: async (tx) => {
      const row = await sqlOf(tx).get<{ addresses: number }>(
        `SELECT COUNT(*) AS addresses FROM ${IN_FORCE} WHERE k.kid IS NULL`,
      )
      return Number(row?.addresses ?? 0)
    },
    principalOf: async (keyId) => {
      const row = await read.get<PrincipalRow>(
        `SELECT ${PRINCIPAL_COLUMNS} FROM ${IN_FORCE} WHERE k.key_id = $1`,
        [keyId],
      )
      return row && principalOf(row)
    },
  }
}

function recordOf({ key_id, principal_id, kind, jwk, url, pin, created_at }: KeyRow) {
  const record: RequestKeyRecord = {
    key_id,
    principal_id,
    kind,
    created_at,
    ...defined({
      jwk: jwk === null ? undefined : (JSON.parse(jwk) as Jwk),
      url: url ?? undefined,
      pin: pin === null ? undefined : (JSON.parse(pin) as Jwk[]),
    }),
  }
  return record
}

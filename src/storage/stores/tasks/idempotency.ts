// Idempotency keys in SQL. Taking a key is one insert that only one caller wins; a key that has expired, or whose
// holder died, is taken over by one update that only one caller wins.

import { randomUUID } from 'node:crypto'
import type { Begun, IdempotencyScope, IdempotencyStore } from '../../../agent/idempotency.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, sqlOf } from '../../sql/database.ts'

/** A sweep is one short transaction. */
const SWEPT_AT_ONCE = 1_000

const KEY = 'principal_id = $1 AND task = $2 AND idempotency_key = $3'

interface Row {
  fingerprint: string
  token: string
  lease_until: number
  expires_at: number
  answer: string | null
}

export function createIdempotencyStore(database: Database): IdempotencyStore {
  return {
    begin: (scope, fingerprint, times) =>
      database.transact((tx) => begin(tx, scope, { fingerprint, ...times })),
    renew: async (tx, scope, { token, leaseMs }) =>
      (await sqlOf(tx).run(
        `UPDATE idempotent_requests SET lease_until = $5
         WHERE ${KEY} AND token = $4 AND answer IS NULL`,
        [...keyOf(scope), token, (await tx.now()) + leaseMs],
      )) > 0,
    releaseAll: (tx) => sqlOf(tx).run('DELETE FROM idempotent_requests WHERE answer IS NULL'),
    finish: async (tx, scope, { token, answer }) => {
      await sqlOf(tx).run(
        `UPDATE idempotent_requests SET answer = $5 WHERE ${KEY} AND token = $4`,
        [...keyOf(scope), token, answer],
      )
    },
    abandon: async (tx, scope, token) => {
      await sqlOf(tx).run(
        `DELETE FROM idempotent_requests WHERE ${KEY} AND token = $4 AND answer IS NULL`,
        [...keyOf(scope), token],
      )
    },
    sweep: async (tx) =>
      sqlOf(tx).run(
        // Checked again after waiting for a row: the transaction that held it may have started the request again.
        `DELETE FROM idempotent_requests WHERE expires_at <= $1
         AND (principal_id, task, idempotency_key) IN (
           SELECT principal_id, task, idempotency_key FROM idempotent_requests
           WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`,
        [await tx.now()],
      ),
  }
}

async function begin(
  tx: Transaction,
  scope: IdempotencyScope,
  { fingerprint, leaseMs, ttlMs }: { fingerprint: string; leaseMs: number; ttlMs: number },
): Promise<Begun> {
  const now = await tx.now()
  const token = randomUUID()
  const added = await sqlOf(tx).run(
    `INSERT INTO idempotent_requests
       (principal_id, task, idempotency_key, fingerprint, token, lease_until, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [...keyOf(scope), fingerprint, token, now + leaseMs, now + ttlMs],
  )
  if (added > 0) return { state: 'begun', token }

  const row = await sqlOf(tx).get<Row>(
    `SELECT fingerprint, token, lease_until, expires_at, answer FROM idempotent_requests WHERE ${KEY}`,
    keyOf(scope),
  )
  // Released between the two statements: the next caller gets the key.
  if (!row) return { state: 'in_flight' }
  const isOver = row.expires_at <= now
  if (!isOver && row.fingerprint !== fingerprint) return { state: 'conflict' }
  if (!isOver && row.answer !== null) return { state: 'done', answer: row.answer }
  if (!isOver && row.lease_until > now) return { state: 'in_flight' }
  // Its holder may have ended or renewed it since it was read: the update looks again.
  const taken = await sqlOf(tx).run(
    `UPDATE idempotent_requests
     SET fingerprint = $5, token = $6, lease_until = $7, expires_at = $8, answer = NULL
     WHERE ${KEY} AND token = $4
       AND (expires_at <= $9 OR (answer IS NULL AND lease_until <= $9))`,
    [...keyOf(scope), row.token, fingerprint, token, now + leaseMs, now + ttlMs, now],
  )
  return taken > 0 ? { state: 'begun', token } : { state: 'in_flight' }
}

function keyOf({ principalId, task, key }: IdempotencyScope): [string, string, string] {
  return [principalId, task, key]
}

// What the statements of the outbox share.

import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { valuesOf } from '../../sql/lists.ts'
import { amongLocked } from '../../sql/locks.ts'

type Dialect = Database['dialect']

/** Any number that all instances agree on and that no other lock uses: "send" in ASCII. */
const POSTGRES_SENDER_LOCK = 0x73656e64

/**
 * From here to the end of the transaction no other instance claims or moves circuits. It makes the
 * limits exact over a fleet. SQLite needs no lock: there is one writer.
 */
export async function lockSenders(dialect: Dialect, tx: Transaction): Promise<void> {
  if (dialect === 'sqlite') return
  await sqlOf(tx).get('SELECT pg_advisory_xact_lock($1)', [POSTGRES_SENDER_LOCK])
}

/** The column `lane` as the database makes it. */
export function laneOf({ owner, endpoint }: { owner: string; endpoint: string }): string {
  return `${owner} ${endpoint}`
}

/**
 * Whose a delivery `d` is, beside its endpoint: of the two indexes that of the endpoint is meant. Not a plain comparison,
 * or PostgreSQL would think that next to nothing is left, and read and sort all that the endpoint has.
 */
export function isOwner(owner: string): string {
  return `CASE WHEN d.owner = ${owner} THEN true ELSE false END`
}

/** Ends those that still wait. Returns how many there were. */
export async function endWaiting(
  { dialect, tx, now }: { dialect: Dialect; tx: SqlTransaction; now: number },
  ids: readonly number[],
  ending: { state: 'exhausted' | 'cancelled'; reason: string },
): Promise<number> {
  if (ids.length === 0) return 0
  return tx.run(
    `UPDATE webhook_deliveries SET state = $2, reason = $3, ended_at = $4
     WHERE ${amongLocked(
       dialect,
       'delivery_id',
       `SELECT delivery_id FROM webhook_deliveries
        WHERE delivery_id IN ${valuesOf(dialect, 'BIGINT')} AND state IN ('pending', 'held')`,
     )}`,
    [JSON.stringify(ids), ending.state, ending.reason, now],
  )
}

export const OVERDUE = { state: 'exhausted', reason: 'not delivered within its time' } as const

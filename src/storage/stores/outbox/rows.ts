// What the statements of the outbox share. Batches travel as one JSON parameter, so a statement has
// one text whatever the size of its batch, and each connection prepares it once.

import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, type SqlTransaction, sqlOf } from '../../sql/database.ts'

type Dialect = Database['dialect']
type ColumnType = 'BIGINT' | 'INTEGER' | 'TEXT'

/** A table of the objects in the JSON array that is parameter `$1`. */
export function rowsOf(dialect: Dialect, columns: Readonly<Record<string, ColumnType>>): string {
  const names = Object.keys(columns)
  if (dialect === 'sqlite') {
    return `(SELECT ${names.map((name) => `value ->> '${name}' AS ${name}`).join(', ')} FROM json_each($1))`
  }
  const typed = names.map((name) => `${name} ${columns[name]}`).join(', ')
  return `(SELECT * FROM json_to_recordset(CAST($1 AS json)) AS given(${typed}))`
}

/** The values of the JSON array that is parameter `$1`, for `IN`. */
export function valuesOf(dialect: Dialect, type: ColumnType): string {
  if (dialect === 'sqlite') return '(SELECT value FROM json_each($1))'
  return `(SELECT CAST(value AS ${type}) FROM json_array_elements_text(CAST($1 AS json)))`
}

/** Rows that another transaction holds are left for the next time: nobody waits while claiming. */
export function skipLocked(dialect: Dialect): string {
  return dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''
}

/**
 * Keeps PostgreSQL to the indexes for the rest of the transaction. It plans a prepared statement
 * once, perhaps while the tables are empty, and would go on reading them from end to end.
 */
export async function useIndexes(dialect: Dialect, tx: Transaction): Promise<void> {
  if (dialect === 'sqlite') return
  await sqlOf(tx).get(
    `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true)`,
  )
}

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

/** Ends those that still wait. Returns how many there were. */
export async function endWaiting(
  { dialect, tx, now }: { dialect: Dialect; tx: SqlTransaction; now: number },
  ids: readonly number[],
  ending: { state: 'exhausted' | 'cancelled'; reason: string },
): Promise<number> {
  if (ids.length === 0) return 0
  return tx.run(
    `UPDATE webhook_deliveries SET state = $2, reason = $3, ended_at = $4
     WHERE delivery_id IN (
       SELECT delivery_id FROM webhook_deliveries
       WHERE delivery_id IN ${valuesOf(dialect, 'BIGINT')} AND state IN ('pending', 'held')
       ${skipLocked(dialect)})`,
    [JSON.stringify(ids), ending.state, ending.reason, now],
  )
}

export const OVERDUE = { state: 'exhausted', reason: 'not delivered within its time' } as const

// How rows are held to the end of a transaction. SQLite has one writer, so there nothing need be said.

import type { Transaction } from '../../lib/transaction.ts'
import { type Database, sqlOf } from './database.ts'

type Dialect = Database['dialect']

/** Rows that another transaction holds are waited for. */
export function forUpdate(dialect: Dialect): string {
  return dialect === 'postgres' ? 'FOR UPDATE' : ''
}

/** Rows that another transaction holds are left for the next time: nobody waits while claiming. */
export function skipLocked(dialect: Dialect): string {
  return dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''
}

/**
 * A condition: the column is among those that the query selects and locks, without rows that others have locked. PostgreSQL may
 * run a query after `IN` again for each row, which takes minutes for some thousand rows; the query of an array is run once.
 */
export function amongLocked(dialect: Dialect, column: string, query: string): string {
  return dialect === 'postgres'
    ? `${column} = ANY (ARRAY(${query} ${skipLocked(dialect)}))`
    : `${column} IN (${query})`
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

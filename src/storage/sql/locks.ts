// How rows are locked until the transaction ends. SQLite has one writer, so it needs no clause.

import type { Transaction } from '../../lib/transaction.ts'
import { type Database, sqlOf } from './database.ts'

type Dialect = Database['dialect']

/** Waits for rows that another transaction has locked. */
export function forUpdate(dialect: Dialect): string {
  return dialect === 'postgres' ? 'FOR UPDATE' : ''
}

/** Skips rows that another transaction has locked: claiming never waits. */
export function skipLocked(dialect: Dialect): string {
  return dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''
}

/**
 * A condition: the column is among those that the query selects and locks, skipping rows locked by others. PostgreSQL
 * may run a query after `IN` again for each row, which takes minutes for a few thousand rows; an array query is run
 * once.
 */
export function amongLocked(dialect: Dialect, column: string, query: string): string {
  return dialect === 'postgres'
    ? `${column} = ANY (ARRAY(${query} ${skipLocked(dialect)}))`
    : `${column} IN (${query})`
}

/**
 * Makes PostgreSQL use indexes for the rest of the transaction. It plans a prepared statement once, perhaps while the
 * tables are empty, and would continue with sequential scans.
 */
export async function useIndexes(dialect: Dialect, tx: Transaction): Promise<void> {
  if (dialect === 'sqlite') return
  await sqlOf(tx).get(
    `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true)`,
  )
}

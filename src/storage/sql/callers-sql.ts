// The SQL of a transaction for a program that uses a library of Adwire: its statements are about tables of its own.

import type { Transaction } from '../../lib/transaction.ts'
import { sqlOf as ownSqlOf, type SqlTransaction } from './database.ts'

/** On PostgreSQL the tables are looked up in the search path of the connection, and not in the schema of Adwire. */
export function sqlOf(tx: Transaction): SqlTransaction {
  const sql = ownSqlOf(tx)
  return { ...sql, ...sql.unqualified }
}

// The SQL of a transaction for a program that uses a library of Adwire: its statements use the program's own tables.

import type { Transaction } from '../../lib/transaction.ts'
import { type SqlTransaction, sqlOf as storesSqlOf } from './database.ts'

/** On PostgreSQL the tables are looked up through the connection's search path, not in Adwire's schema. */
export function sqlOf(tx: Transaction): SqlTransaction {
  const sql = storesSqlOf(tx)
  return { ...sql, ...sql.unqualified }
}

// Inserts many rows into one table: with SQLite, row by row is fastest; with PostgreSQL, as few round trips as
// possible.

import { type Database, placeholders, type SqlTransaction, type SqlValue } from './database.ts'

const ROWS_AT_ONCE = 500

export interface RowsToInsert {
  table: string
  columns: readonly string[]
  rows: readonly (readonly SqlValue[])[]
  /** SQL after the values, such as `ON CONFLICT DO NOTHING`. Default nothing. */
  suffix?: string
}

/** Returns how many rows were inserted or changed. */
export async function insertRows(
  { dialect }: Pick<Database, 'dialect'>,
  tx: SqlTransaction,
  { table, columns, rows, suffix = '' }: RowsToInsert,
): Promise<number> {
  const sql = (count: number) =>
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${placeholders(count, columns.length)} ${suffix}`
  if (rows.length === 0) return 0
  if (dialect === 'sqlite') {
    const counts = await tx.runEach(sql(1), rows)
    return counts.reduce((sum, count) => sum + count, 0)
  }
  let sum = 0
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const chunk = rows.slice(start, start + ROWS_AT_ONCE)
    sum += await tx.run(sql(chunk.length), chunk.flat())
  }
  return sum
}

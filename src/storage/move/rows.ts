// Reads the rows of a table in the order of its key, in batches that are bounded in rows and in bytes; and their digest,
// which is the same for the same rows in both kinds of database.

import { createHash, type Hash } from 'node:crypto'
import type { Queryable, SqlValue } from '../sql/database.ts'
import type { Table } from './tables.ts'

export type Row = Readonly<Record<string, SqlValue>>

export interface RowReader {
  read: Queryable
  dialect: 'sqlite' | 'postgres'
  /** Most rows of a batch. */
  rows: number
}

/** A batch has at least one row, so a larger one is a batch of its own. */
const BATCH_BYTES = 4 * 1024 * 1024

/** The rows behind `after`, the key of the last row that was read; empty at the end of the table. */
export async function nextRows(
  { read, dialect, rows }: RowReader,
  table: Table,
  after: readonly SqlValue[] | undefined,
): Promise<Row[]> {
  // Compared byte by byte, as SQLite does; where the column is so by itself, its index serves this.
  const collate = (name: string) =>
    dialect === 'postgres' && table.texts.includes(name) ? `${name} COLLATE "C"` : name
  const keys = table.key.map(collate).join(', ')
  const where = after ? `WHERE (${keys}) > (${after.map((_, at) => `$${at + 1}`).join(', ')})` : ''
  const behind = `FROM ${table.name} ${where} ORDER BY ${keys}`
  const params = after ?? []
  const sizes = table.wide.map((name) => `coalesce(octet_length(${name}), 0)`)
  const limit = sizes.length === 0 ? rows : await fitting()
  if (limit === 0) return []
  return read.all<Row>(`SELECT ${table.columns.join(', ')} ${behind} LIMIT $${params.length + 1}`, [
    ...params,
    limit,
  ])

  async function fitting(): Promise<number> {
    const found = await read.all<{ bytes: number }>(
      `SELECT ${sizes.join(' + ')} AS bytes ${behind} LIMIT $${params.length + 1}`,
      [...params, rows],
    )
    let sum = 0
    const over = found.findIndex(({ bytes }) => {
      sum += bytes
      return sum > BATCH_BYTES
    })
    return over === -1 ? found.length : Math.max(1, over)
  }
}

export function keyOf(table: Table, row: Row): SqlValue[] {
  return table.key.map((column) => row[column] as SqlValue)
}

export interface Digest {
  rows: number
  sha256: string
}

/** Of all rows; `onRows` gets the number of each batch. */
export async function digestOf(
  reader: RowReader,
  table: Table,
  onRows: (rows: number) => void,
): Promise<Digest> {
  const hash = createHash('sha256')
  let count = 0
  let after: SqlValue[] | undefined
  for (;;) {
    const rows = await nextRows(reader, table, after)
    const last = rows.at(-1)
    if (!last) return { rows: count, sha256: hash.digest('hex') }
    for (const row of rows) for (const column of table.columns) addValue(hash, row[column] ?? null)
    after = keyOf(table, last)
    count += rows.length
    onRows(rows.length)
  }
}

/** With its kind and length, so that no two different rows are the same bytes. */
function addValue(hash: Hash, value: SqlValue): void {
  if (value === null) hash.update('-;')
  else if (typeof value === 'number') hash.update(`n${value};`)
  else {
    const bytes = typeof value === 'string' ? Buffer.from(value) : value
    hash.update(`${typeof value === 'string' ? 't' : 'b'}${bytes.byteLength}:`).update(bytes)
  }
}

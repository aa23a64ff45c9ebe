// Rows in every table of a schema, made from its catalogue: a table that a later migration adds has rows too.

import { tablesIn } from '../../src/storage/move/tables.ts'
import { type Database, placeholders, type SqlValue } from '../../src/storage/sql/database.ts'

/** Text that is JSON, since some columns are computed from it; with what two databases might write differently. */
const textOf = (row: number) => JSON.stringify({ row, text: `Ünï – 日本 🎈 'quoted' "\\ ${row}` })

function storedValue(type: string, row: number): SqlValue {
  if (/^text$/i.test(type)) return textOf(row)
  if (/^(blob|bytea)$/i.test(type)) return Uint8Array.from([0, row % 256, 255, 13, 10])
  if (/double|real/i.test(type)) return row + 0.1
  return row
}

/** `rows` rows in each table, and in those of `more` that many. */
export async function fillEveryTable(
  database: Database,
  rows: number,
  more: Readonly<Record<string, number>> = {},
): Promise<void> {
  for (const { name, columns } of await tablesIn(database)) {
    const types = await database.read.all<{ name: string; type: string }>(
      'SELECT name, type FROM pragma_table_xinfo($1)',
      [name],
    )
    const typeOf = new Map(types.map((column) => [column.name, column.type]))
    const sql = `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${placeholders(1, columns.length)}`
    const values = Array.from({ length: more[name] ?? rows }, (_, row) =>
      columns.map((column) => storedValue(typeOf.get(column) ?? '', row + 1)),
    )
    await database.transact(async (tx) => {
      await tx.run(`DELETE FROM ${name}`)
      await tx.runEach(sql, values)
    })
  }
}

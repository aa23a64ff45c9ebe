// The tables of a database as it describes itself, for tests of what must know all of them.

import type { Database, SqlValue } from '../../src/storage/sql/database.ts'

export interface Column {
  name: string
  type: string
}

export async function tablesOf({
  dialect,
  schema,
  read,
}: Database): Promise<Map<string, Column[]>> {
  const rows = await read.all<Column & { table: string }>(
    dialect === 'sqlite'
      ? `SELECT m.name AS "table", c.name, c.type FROM sqlite_master m, pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`
      : `SELECT table_name AS "table", column_name AS name, data_type AS type
         FROM information_schema.columns
         WHERE table_schema = $1 AND is_generated = 'NEVER'`,
    schema === undefined ? [] : [schema],
  )
  const tables = new Map<string, Column[]>()
  for (const { table, name, type } of rows) {
    tables.set(table, [...(tables.get(table) ?? []), { name, type: type.toLowerCase() }])
  }
  return tables
}

/** Adds a row with something in every column that is not given. */
export async function addRow(
  database: Database,
  table: string,
  given: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  const all = (await tablesOf(database)).get(table) ?? []
  const columns = all.filter(({ name }) => name in given || !isNumbered(table, name))
  const values = columns.map(({ name, type }) => {
    const value = given[name]
    return value === undefined ? anyOf(type) : value
  })
  await database.transact((tx) =>
    tx.run(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
       VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      values,
    ),
  )
}

/** The database's own number. */
function isNumbered(table: string, column: string): boolean {
  return (
    (table === 'webhook_deliveries' && column === 'delivery_id') ||
    (table === 'webhook_recoveries' && column === 'recovery_id') ||
    (table === 'impairment_fires' && column === 'fire_id')
  )
}

function anyOf(type: string): SqlValue {
  if (type.includes('int') || type.includes('double')) return 1
  return type === 'blob' || type === 'bytea' ? new Uint8Array([1]) : 'x'
}

/** All rows of all tables, to be compared: nothing in it is left out. */
export async function contentOf(database: Database): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for (const table of [...(await tablesOf(database)).keys()].sort()) {
    const rows = await database.read.all<object>(`SELECT * FROM ${table}`)
    content[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return content
}

// Lists as one parameter. They are passed as JSON, so a statement has one text whatever the length of its list, and
// each connection prepares it once.

import { isStorable } from '../../lib/storable-text.ts'
import type { Database } from './database.ts'

type Dialect = Database['dialect']
type ColumnType = 'BIGINT' | 'DOUBLE PRECISION' | 'INTEGER' | 'TEXT'

/** The parameter for `isIn`. Values that no database can store match no row. */
export function listed(values: readonly string[]): string {
  return JSON.stringify(values.filter(isStorable))
}

/** Whether `column` is one of the values in the `listed` parameter at `place`. */
export function isIn(dialect: Dialect, column: string, place: number): string {
  return `${column} IN ${valuesOf(dialect, 'TEXT', place)}`
}

/** The values of the JSON array in the parameter at `place`, for `IN`. */
export function valuesOf(dialect: Dialect, type: ColumnType, place = 1): string {
  if (dialect === 'sqlite') return `(SELECT value FROM json_each($${place}))`
  return `(SELECT CAST(value AS ${type}) FROM json_array_elements_text(CAST($${place} AS json)))`
}

/** The objects of the JSON array in parameter `$1`, as a table. */
export function rowsOf(dialect: Dialect, columns: Readonly<Record<string, ColumnType>>): string {
  const names = Object.keys(columns)
  if (dialect === 'sqlite') {
    return `(SELECT ${names.map((name) => `value ->> '${name}' AS ${name}`).join(', ')} FROM json_each($1))`
  }
  const typed = names.map((name) => `${name} ${columns[name]}`).join(', ')
  return `(SELECT * FROM json_to_recordset(CAST($1 AS json)) AS given(${typed}))`
}

// Lists as one parameter. They are passed as JSON, so a statement has one text whatever the length of its list, and
// each connection prepares it once.

import { isStorable } from '../../lib/storable-text.ts'

type ColumnType = 'BIGINT' | 'DOUBLE PRECISION' | 'INTEGER' | 'TEXT'

/** The parameter for `isIn`. Values that no database can store match no row. */
export function listed(values: readonly string[]): string {
  return JSON.stringify(values.filter(isStorable))
}

/** Whether `column` is one of the values in the `listed` parameter at `place`. */
export function isIn(column: string, place: number): string {
  return `${column} IN ${valuesOf('TEXT', place)}`
}

/** The values of the JSON array in the parameter at `place`, for `IN`. */
export function valuesOf(type: ColumnType, place = 1): string {
  return `{{values $${place} ${type}}}`
}

/** The objects of the JSON array in parameter `$1`, as a table. */
export function rowsOf(columns: Readonly<Record<string, ColumnType>>): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return `{{rows ${typed.join(', ')}}}`
}

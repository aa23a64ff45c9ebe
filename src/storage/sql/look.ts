// Lists with a filter that no index supports: a limited number of rows is read in order, the matching ones are the
// page, and a page with few matches says where to continue. So each page costs the same, however many rows exist.

import type { Conditions } from './conditions.ts'
import type { Queryable, SqlValue } from './database.ts'

/** Rows that one page looks at. */
const LOOKED_AT = 2_000

export interface LookQuery {
  /** These columns of each row, in one table or a join. */
  columns: string
  from: string
  /** What an index serves. */
  conditions: Conditions
  /** The filter on the remaining rows. */
  fits?: string | undefined
  /** The sort columns, ending with a unique one; in descending order. */
  keys: readonly string[]
  after?: readonly SqlValue[] | undefined
  limit: number
  /** Default 2 000. */
  lookedAt?: number | undefined
}

export interface Looked<Row> {
  rows: Row[]
  /** The last row that was read or is returned, if there may be more. */
  last: Row | undefined
}

export async function lookPage<Row extends object>(
  read: Queryable,
  { columns, from, conditions, fits, keys, after, limit, lookedAt = LOOKED_AT }: LookQuery,
): Promise<Looked<Row>> {
  if (after) {
    conditions.add(`(${keys.join(', ')}) < (${after.map(conditions.param).join(', ')})`)
  }
  const order = keys.map((key) => `${key} DESC`).join(', ')
  const most = fits === undefined ? limit + 1 : lookedAt
  const found = await read.all<Row & { fits: number }>(
    `SELECT ${columns}, CASE WHEN ${fits ?? '1 = 1'} THEN 1 ELSE 0 END AS fits
     FROM ${from}${conditions.where()} ORDER BY ${order} LIMIT ${conditions.param(most)}`,
    conditions.params,
  )
  const rows = found.filter((row) => row.fits === 1).map(withoutFits<Row>)
  if (rows.length > limit) return { rows: rows.slice(0, limit), last: rows[limit - 1] }
  const end = found.length === most && fits !== undefined ? found.at(-1) : undefined
  return { rows, last: end && withoutFits<Row>(end) }
}

function withoutFits<Row extends object>({ fits: _, ...row }: Row & { fits: number }): Row {
  return row as unknown as Row
}

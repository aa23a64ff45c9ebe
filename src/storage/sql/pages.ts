// Lists in pages, by key: a page starts after the last row of the previous one, so rows added in between shift
// nothing, and the last page costs as much as the first.

import type { Conditions } from './conditions.ts'
import type { Queryable, SqlValue } from './database.ts'

interface PageOrder {
  /** The sort columns; the last one is unique. */
  keys: readonly string[]
  direction: 'asc' | 'desc'
}

export interface PageQuery extends PageOrder {
  /** `SELECT … FROM …`. */
  select: string
  conditions: Conditions
  /** The keys of the last row of the previous page. */
  after?: readonly SqlValue[] | undefined
  limit: number
}

/** One more row than the page size is read, to find out whether there are more. */
export async function readPage<Row>(
  read: Queryable,
  { select, conditions, keys, direction, after, limit }: PageQuery,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  if (after) {
    const sign = direction === 'asc' ? '>' : '<'
    conditions.add(`(${keys.join(', ')}) ${sign} (${after.map(conditions.param).join(', ')})`)
  }
  const order = keys.map((key) => `${key} ${direction === 'asc' ? 'ASC' : 'DESC'}`).join(', ')
  const where = conditions.where()
  const rows = await read.all<Row>(
    `${select}${where} ORDER BY ${order} LIMIT ${conditions.param(limit + 1)}`,
    conditions.params,
  )
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}

const LOOK_ROWS = { default: 50, most: 1_000 }

/** Lists for operators: the newest first, without the number of further rows. */
export async function readNewest<Row>(
  read: Queryable,
  {
    limit = LOOK_ROWS.default,
    ...query
  }: Omit<PageQuery, 'direction' | 'limit' | 'after'> & {
    limit?: number | undefined
  },
): Promise<Row[]> {
  const most = Math.min(limit, LOOK_ROWS.most)
  return (await readPage<Row>(read, { ...query, direction: 'desc', limit: most })).rows
}

/** The total number of rows, and the number for each value of two columns. */
export async function countBy<A extends string, B extends string>(
  read: Queryable,
  { from, conditions, by }: { from: string; conditions: Conditions; by: readonly [A, B] },
): Promise<{ total: number; of: Record<A | B, Record<string, number>> }> {
  const columns = by.join(', ')
  const counts = await read.all<{ n: number } & Record<A | B, string>>(
    `SELECT ${columns}, count(*) AS n FROM ${from}${conditions.where()}
     GROUP BY ${columns} ORDER BY ${columns}`,
    conditions.params,
  )
  const totals = (column: A | B) => {
    const sums = new Map<string, number>()
    for (const row of counts) sums.set(row[column], (sums.get(row[column]) ?? 0) + row.n)
    return [column, Object.fromEntries(sums)]
  }
  return {
    total: counts.reduce((sum, { n }) => sum + n, 0),
    of: Object.fromEntries(by.map(totals)) as Record<A | B, Record<string, number>>,
  }
}

// Media buys as lists display them: each with its reported, late and impaired data, read for all of a page at once.

import type { ListedBuy } from '../../../console/buy-queries.ts'
import type { Figures } from '../../../media-buys/reporting/figures.ts'
import type { Database } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'

type Row = Omit<ListedBuy, 'terms' | 'reported_spend'> & { terms: string; totals: string | null }

const counted = (from: string) =>
  `(SELECT count(*) FROM ${from} AND x.media_buy_id = b.media_buy_id)`
const troubled = (state: 'late' | 'given_up') =>
  counted(`report_windows x WHERE x.state IN ('late', 'given_up') AND x.state = '${state}'`)

const COLUMNS = `b.media_buy_id, b.owner, b.status, b.currency, b.total_budget, b.start_at, b.end_at, b.created_at,
  b.terms, ${counted('media_buy_packages x WHERE x.place >= 0')} AS packages,
  ${counted('media_buy_impairments x WHERE x.cleared_at IS NULL')} AS open_impairments,
  ${troubled('late')} AS late_reports, ${troubled('given_up')} AS given_up_reports,
  (SELECT s.totals FROM report_streams s WHERE s.media_buy_id = b.media_buy_id) AS totals`

/** In the order of the ids. */
export async function listedBuys({ read }: Database, ids: readonly string[]): Promise<ListedBuy[]> {
  if (ids.length === 0) return []
  const rows = await read.all<Row>(
    `SELECT ${COLUMNS} FROM media_buys b WHERE ${isIn('b.media_buy_id', 1)}`,
    [listed(ids)],
  )
  const byId = new Map(rows.map((row) => [row.media_buy_id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [buyOf(row)] : []
  })
}

function buyOf({ terms, totals, ...row }: Row): ListedBuy {
  return {
    ...row,
    terms: JSON.parse(terms) as ListedBuy['terms'],
    reported_spend: totals === null ? undefined : spendOf(totals),
  }
}

function spendOf(totals: string): number {
  const figures = Object.values(JSON.parse(totals) as Figures)
  return figures.reduce((sum, { spend = 0 }) => sum + spend, 0)
}

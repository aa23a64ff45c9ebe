// Media buys as a list shows them: each with what is reported, late and impaired of it, read for all of a page at once.

import type { ListedBuy } from '../../../console/buy-queries.ts'
import type { Figures } from '../../../media-buys/reporting/figures.ts'
import type { Database } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { BUY_COLUMNS, type BuyRow } from '../media-buys/rows.ts'

/** In the order of the ids. */
export async function readRows(
  { dialect, read }: Database,
  ids: readonly string[],
): Promise<BuyRow[]> {
  if (ids.length === 0) return []
  const rows = await read.all<BuyRow>(
    `SELECT ${BUY_COLUMNS} FROM media_buys WHERE ${isIn(dialect, 'media_buy_id', 1)}`,
    [listed(ids)],
  )
  const byId = new Map(rows.map((row) => [row.media_buy_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function listedBuys(
  { dialect, read }: Database,
  rows: readonly BuyRow[],
): Promise<ListedBuy[]> {
  if (rows.length === 0) return []
  const among = isIn(dialect, 'media_buy_id', 1)
  const ids = [listed(rows.map(({ media_buy_id }) => media_buy_id))]
  const counted = async (from: string) => {
    const found = await read.all<{ media_buy_id: string; n: number }>(
      `SELECT media_buy_id, count(*) AS n FROM ${from} AND ${among} GROUP BY media_buy_id`,
      ids,
    )
    return new Map(found.map(({ media_buy_id, n }) => [media_buy_id, n]))
  }
  const troubled = (state: string) =>
    counted(`report_windows WHERE state IN ('late', 'given_up') AND state = '${state}'`)
  const [packages, impairments, late, givenUp, streams] = await Promise.all([
    counted('media_buy_packages WHERE place >= 0'),
    counted('media_buy_impairments WHERE cleared_at IS NULL'),
    troubled('late'),
    troubled('given_up'),
    read.all<{ media_buy_id: string; totals: string }>(
      `SELECT media_buy_id, totals FROM report_streams WHERE ${among}`,
      ids,
    ),
  ])
  const spent = new Map(streams.map(({ media_buy_id, totals }) => [media_buy_id, spendOf(totals)]))
  return rows.map((row) => {
    const { media_buy_id, owner, status, currency, total_budget } = row
    return {
      ...{ media_buy_id, owner, status, currency, total_budget },
      ...{ start_at: row.start_at, end_at: row.end_at, created_at: row.created_at },
      terms: JSON.parse(row.terms) as ListedBuy['terms'],
      packages: packages.get(media_buy_id) ?? 0,
      reported_spend: spent.get(media_buy_id),
      open_impairments: impairments.get(media_buy_id) ?? 0,
      late_reports: late.get(media_buy_id) ?? 0,
      given_up_reports: givenUp.get(media_buy_id) ?? 0,
    }
  })
}

function spendOf(totals: string): number {
  const figures = Object.values(JSON.parse(totals) as Figures)
  return figures.reduce((sum, { spend = 0 }) => sum + spend, 0)
}

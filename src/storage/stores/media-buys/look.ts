// Reading media buys in SQL: with their packages, in pages, and what was done to them.

import { createPacer } from '../../../lib/pacer.ts'
import type { MediaBuyRecord, PackageRecord } from '../../../media-buys/media-buy.ts'
import type { BuyPage, BuyQuery, HistoryEntry } from '../../../media-buys/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import type { Database, Queryable } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { readPage } from '../../sql/pages.ts'
import { BUY_COLUMNS, type BuyRow, buyOf, type PackageRow, packageOf } from './rows.ts'

export async function listBuys(
  database: Database,
  owner: string,
  { media_buy_ids, statuses, account_id, limit, after }: BuyQuery,
): Promise<BuyPage> {
  const { dialect, read } = database
  const conditions = createConditions(dialect)
  conditions.is('owner =', owner)
  conditions.isIn('media_buy_id', media_buy_ids)
  conditions.isIn('status', statuses)
  conditions.is('account_id =', account_id)
  const counted = await read.get<{ n: number }>(
    `SELECT count(*) AS n FROM media_buys${conditions.where()}`,
    conditions.params,
  )
  const { rows, hasMore } = await readPage<BuyRow>(read, {
    select: `SELECT ${BUY_COLUMNS} FROM media_buys`,
    conditions,
    keys: ['created_at', 'media_buy_id'],
    direction: 'desc',
    after: after && [after.created_at, after.media_buy_id],
    limit,
  })
  return { buys: await withPackages(database, read, rows), hasMore, total: counted?.n ?? 0 }
}

export async function withPackages(
  database: Database,
  read: Queryable,
  rows: readonly BuyRow[],
): Promise<MediaBuyRecord[]> {
  const ids = rows.map(({ media_buy_id }) => media_buy_id)
  const packages = await packagesOf(database, read, ids)
  return rows.map((row) => buyOf(row, packages.get(row.media_buy_id) ?? []))
}

/** In their order, by buy. */
export async function packagesOf(
  { dialect }: Database,
  read: Queryable,
  buyIds: readonly string[],
): Promise<Map<string, PackageRecord[]>> {
  const packages = new Map<string, PackageRecord[]>(buyIds.map((id) => [id, []]))
  if (buyIds.length === 0) return packages
  const found = await read.all<PackageRow>(
    `SELECT package_id, media_buy_id, product_id, package FROM media_buy_packages
     WHERE ${isIn(dialect, 'media_buy_id', 1)} ORDER BY media_buy_id, place`,
    [listed(buyIds)],
  )
  const pacer = createPacer()
  for (const row of found) {
    packages.get(row.media_buy_id)?.push(packageOf(row))
    if (pacer.isDue()) await pacer.pause()
  }
  return packages
}

export async function readHistory(
  { dialect, read }: Database,
  buyIds: readonly string[],
  limit: number,
): Promise<Map<string, HistoryEntry[]>> {
  const entries = new Map<string, HistoryEntry[]>(buyIds.map((id) => [id, []]))
  if (limit === 0 || buyIds.length === 0) return entries
  const rows = await read.all<{ media_buy_id: string; entry: string }>(
    `SELECT h.media_buy_id, h.entry FROM media_buy_history h
     JOIN media_buys b ON b.media_buy_id = h.media_buy_id AND h.revision > b.revision - $2
     WHERE ${isIn(dialect, 'h.media_buy_id', 1)} ORDER BY h.media_buy_id, h.revision DESC`,
    [listed(buyIds), limit],
  )
  for (const { media_buy_id, entry } of rows) {
    entries.get(media_buy_id)?.push(JSON.parse(entry) as HistoryEntry)
  }
  return entries
}

// Reading media buys in SQL: with their packages, in pages, and with their history.

import { groupsOf } from '../../../lib/chunks.ts'
import { createPacer } from '../../../lib/pacer.ts'
import type { MediaBuyRecord, PackageRecord } from '../../../media-buys/media-buy.ts'
import {
  type BuyOutline,
  type BuyPage,
  type BuyQuery,
  type HistoryEntry,
  MOST_COUNTED,
  type WholeBuy,
} from '../../../media-buys/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import type { Database, Queryable, SqlValue } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { readPage } from '../../sql/pages.ts'
import { BUY_COLUMNS, type BuyRow, buyOf, type PackageRow, packageOf } from './rows.ts'

export async function listBuys(
  database: Database,
  owner: string,
  { media_buy_ids, statuses, account_id, limit, after }: BuyQuery,
): Promise<BuyPage> {
  const { read } = database
  const conditions = createConditions()
  conditions.is('owner =', owner)
  conditions.isIn('media_buy_id', media_buy_ids)
  conditions.isIn('status', statuses)
  conditions.is('account_id =', account_id)
  const filter = { where: conditions.where(), params: [...conditions.params] }
  const { rows, hasMore } = await readPage<BuyRow & { package_count: number }>(read, {
    select: `SELECT ${BUY_COLUMNS}, (SELECT count(*) FROM media_buy_packages
      WHERE media_buy_packages.media_buy_id = media_buys.media_buy_id) AS package_count FROM media_buys`,
    conditions,
    keys: ['created_at', 'media_buy_id'],
    direction: 'desc',
    after: after && [after.created_at, after.media_buy_id],
    limit,
  })
  // The only page is the total.
  const total = after || hasMore ? await countBuys(read, filter) : rows.length
  return {
    buys: rows.map(({ package_count, ...row }) => {
      const { packages: _, ...outline } = buyOf(row, [])
      return { ...outline, package_count }
    }),
    hasMore,
    total,
  }
}

/** Undefined: more than are counted. */
async function countBuys(
  read: Queryable,
  { where, params }: { where: string; params: SqlValue[] },
): Promise<number | undefined> {
  const counted = await read.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM media_buys${where} LIMIT ${MOST_COUNTED + 1}) AS found`,
    params,
  )
  const n = counted?.n ?? 0
  return n > MOST_COUNTED ? undefined : n
}

/** Packages that are read at once, or those of one buy. */
const PACKAGES_AT_ONCE = 200

export async function wholeBuys(
  database: Database,
  outlines: readonly BuyOutline[],
): Promise<WholeBuy[]> {
  const whole: WholeBuy[] = []
  for (const group of groupsOf(outlines, (one) => one.package_count, PACKAGES_AT_ONCE)) {
    const ids = group.map(({ media_buy_id }) => media_buy_id)
    const found = await readPackages(database.read, ids)
    for (const { package_count: _, ...outline } of group) {
      const { packages = [], chars = 0 } = found.get(outline.media_buy_id) ?? {}
      whole.push({ buy: { ...outline, packages }, chars })
    }
  }
  return whole
}

export async function countAssignments(
  { read }: Database,
  buyIds: readonly string[],
  most: number,
): Promise<number> {
  if (buyIds.length === 0) return 0
  const row = await read.get<{ n: number }>(
    `SELECT count(*) AS n FROM (
       SELECT 1 FROM media_buy_packages p
       JOIN creative_assignments a ON a.owner = p.owner AND a.package_id = p.package_id
       WHERE ${isIn('p.media_buy_id', 1)} LIMIT $2) AS found`,
    [listed(buyIds), most],
  )
  return row?.n ?? 0
}

export async function withPackages(
  read: Queryable,
  rows: readonly BuyRow[],
): Promise<MediaBuyRecord[]> {
  const ids = rows.map(({ media_buy_id }) => media_buy_id)
  const found = await readPackages(read, ids)
  return rows.map((row) => buyOf(row, found.get(row.media_buy_id)?.packages ?? []))
}

interface ReadPackages {
  packages: PackageRecord[]
  chars: number
}

/** In their order, by buy. */
async function readPackages(
  read: Queryable,
  buyIds: readonly string[],
): Promise<Map<string, ReadPackages>> {
  const found = new Map<string, ReadPackages>()
  if (buyIds.length === 0) return found
  const rows = await read.all<PackageRow>(
    `SELECT package_id, media_buy_id, product_id, package FROM media_buy_packages
     WHERE ${isIn('media_buy_id', 1)} ORDER BY media_buy_id, place`,
    [listed(buyIds)],
  )
  const pacer = createPacer()
  for (const row of rows) {
    const own = found.get(row.media_buy_id) ?? { packages: [], chars: 0 }
    found.set(row.media_buy_id, own)
    own.packages.push(packageOf(row))
    own.chars += row.package.length
    if (pacer.isDue()) await pacer.pause()
  }
  return found
}

export async function readHistory(
  { read }: Database,
  buyIds: readonly string[],
  limit: number,
): Promise<Map<string, HistoryEntry[]>> {
  const entries = new Map<string, HistoryEntry[]>(buyIds.map((id) => [id, []]))
  if (limit === 0 || buyIds.length === 0) return entries
  const rows = await read.all<{ media_buy_id: string; entry: string }>(
    `SELECT h.media_buy_id, h.entry FROM media_buy_history h
     JOIN media_buys b ON b.media_buy_id = h.media_buy_id AND h.revision > b.revision - $2
     WHERE ${isIn('h.media_buy_id', 1)} ORDER BY h.media_buy_id, h.revision DESC`,
    [listed(buyIds), limit],
  )
  const pacer = createPacer()
  for (const { media_buy_id, entry } of rows) {
    entries.get(media_buy_id)?.push(JSON.parse(entry) as HistoryEntry)
    if (pacer.isDue()) await pacer.pause()
  }
  return entries
}

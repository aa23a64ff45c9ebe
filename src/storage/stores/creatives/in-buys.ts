// The creatives in the packages of an owner's media buys, in SQL. Packages that were bought elsewhere are in no buy.

import { eachChunk } from '../../../lib/chunks.ts'
import type { Database } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'

/** Buys whose packages are read at once: each may have hundreds. */
const BUYS_AT_ONCE = 10
/** Packages whose creatives are read at once. */
const PACKAGES_AT_ONCE = 50

export async function creativesInBuys(
  { read }: Database,
  owner: string,
  mediaBuyIds: readonly string[],
): Promise<{ media_buy_ids: string[]; creative_ids: string[] }> {
  const packages: { media_buy_id: string; package_id: string }[] = []
  await eachChunk(mediaBuyIds, BUYS_AT_ONCE, async (chunk) => {
    const rows = await read.all<(typeof packages)[number]>(
      `SELECT media_buy_id, package_id FROM media_buy_packages
       WHERE ${isIn('media_buy_id', 2)} AND owner = $1`,
      [owner, listed(chunk)],
    )
    packages.push(...rows)
  })
  const creatives = new Set<string>()
  const packageIds = packages.map(({ package_id }) => package_id)
  await eachChunk(packageIds, PACKAGES_AT_ONCE, async (chunk) => {
    const rows = await read.all<{ creative_id: string }>(
      `SELECT DISTINCT creative_id FROM creative_assignments
       WHERE owner = $1 AND ${isIn('package_id', 2)}`,
      [owner, listed(chunk)],
    )
    for (const { creative_id } of rows) creatives.add(creative_id)
  })
  return {
    media_buy_ids: [...new Set(packages.map(({ media_buy_id }) => media_buy_id))],
    creative_ids: [...creatives],
  }
}

/** Their assignments, counted up to `most`. */
export async function countInBuys(
  { read }: Database,
  owner: string,
  { mediaBuyIds, most }: { mediaBuyIds: readonly string[]; most: number },
): Promise<number> {
  const row = await read.get<{ n: number }>(
    `SELECT count(*) AS n FROM (
       SELECT 1 FROM media_buy_packages p
       JOIN creative_assignments a ON a.owner = p.owner AND a.package_id = p.package_id
       WHERE ${isIn('p.media_buy_id', 2)} AND p.owner = $1 LIMIT $3) AS found`,
    [owner, listed(mediaBuyIds), most],
  )
  return row?.n ?? 0
}

// Maps times to ids of deliveries. Ids grow with time, so the first id of a time is found by binary search,
// without an index of its own. The order is not exact, because a transaction that began earlier may insert later.
// The ids therefore cover some extra minutes, and callers must compare the times as well.

import type { Queryable } from '../../sql/database.ts'

/** Longer than any transaction takes. */
const SLACK_MS = 10 * 60_000

/** Range of ids that contains everything created in this time; undefined where there is no bound. */
export async function idsBetween(
  read: Queryable,
  { since, until }: { since?: number | undefined; until?: number | undefined },
): Promise<{ from: number | undefined; to: number | undefined }> {
  if (since === undefined && until === undefined) return { from: undefined, to: undefined }
  const ends = await read.get<{ first: number | null; last: number | null }>(
    `SELECT (SELECT min(delivery_id) FROM webhook_deliveries) AS first,
       (SELECT max(delivery_id) FROM webhook_deliveries) AS last`,
  )
  const first = ends?.first ?? 0
  const last = ends?.last ?? 0
  const at = (time: number) => firstSince(read, time, { first, last })
  return {
    from: since === undefined ? undefined : await at(since - SLACK_MS),
    to: until === undefined ? undefined : await at(until + SLACK_MS),
  }
}

/** The first id at or after the time; one more than the last when there is none. */
async function firstSince(
  read: Queryable,
  time: number,
  { first, last }: { first: number; last: number },
): Promise<number> {
  let [low, high] = [first, last + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = await read.get<{ delivery_id: number; created_at: number }>(
      `SELECT delivery_id, created_at FROM webhook_deliveries
       WHERE delivery_id >= $1 ORDER BY delivery_id LIMIT 1`,
      [middle],
    )
    if (row && row.created_at < time) low = row.delivery_id + 1
    else high = middle
  }
  return low
}

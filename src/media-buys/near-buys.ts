// The media buys that a buyer probably meant by an id that does not exist, among the newest of its own.

import { nearIds, suggestNear } from '../protocol/near-ids.ts'
import type { MediaBuyStore } from './store.ts'

const MOST_COMPARED = 100

/** A suggestion for each id. */
export async function suggestBuys(
  buys: Pick<MediaBuyStore, 'list'>,
  owner: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const known = await newestBuys(buys, owner)
  return ids.map((id) =>
    suggestNear(nearIds(id, known), 'Use a media_buy_id returned by get_media_buys.'),
  )
}

/** Their ids. */
export async function newestBuys(
  buys: Pick<MediaBuyStore, 'list'>,
  owner: string,
): Promise<string[]> {
  const newest = await buys.list(owner, { limit: MOST_COMPARED })
  return newest.buys.map(({ media_buy_id }) => media_buy_id)
}

// A version of the products as they are offered now: it changes after every change of the catalogue. A buyer sends
// the version that it read, so that nothing is bought on terms that have changed since.

import { ProtocolError } from '../../protocol/errors.ts'
import type { ProductStore } from '../product-store.ts'

export type FeedVersion = () => Promise<string>

export function createFeedVersion(products: Pick<ProductStore, 'latest'>): FeedVersion {
  return async () => `products-${await products.latest()}`
}

/** Throws CONFLICT when the offers have changed since the caller read them. */
export async function checkFeedVersion(feed: FeedVersion, read: string): Promise<void> {
  const current = await feed()
  if (read === current) return
  const message = 'the offers have changed since they were listed: list them again'
  throw new ProtocolError('CONFLICT', message, {
    field: '/feed_version',
    suggestion: 'Call list_products for the current feed_version, and retry with it.',
    details: { current_feed_version: current },
  })
}

// Bids that have no effect, because the package has a fixed price (spec 4.5): the response says so.

import type { PackageRecord } from './media-buy.ts'

/** For `ext` of a response about these packages; empty if every bid counts. */
export function bidNotes(packages: readonly PackageRecord[]): {
  ext?: { request_notes: string[] }
} {
  const notes = packages.flatMap(({ package_id, bid_price, pricing: { rate } }) =>
    // The rate of an auction is the bid.
    bid_price === undefined || bid_price === rate
      ? []
      : [`bid_price ${bid_price} of ${package_id} is not applied: its price is fixed at ${rate}`],
  )
  return notes.length > 0 ? { ext: { request_notes: notes.slice(0, MAX_NOTES) } } : {}
}

const MAX_NOTES = 10

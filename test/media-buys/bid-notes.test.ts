import { expect, test } from 'vitest'
import { bidNotes } from '../../src/media-buys/bid-notes.ts'
import type { PackageRecord } from '../../src/media-buys/media-buy.ts'

const bought = (rate: number, bid_price?: number): PackageRecord => ({
  package_id: 'pk_1',
  product_id: 'product',
  pricing_option_id: 'cpm',
  pricing: { pricing_model: 'cpm', rate },
  budget: 100,
  paused: false,
  signals: [],
  ...(bid_price === undefined ? {} : { bid_price }),
})

test('spec 4.5: a bid on a fixed price is answered with a note', () => {
  expect(bidNotes([bought(12), bought(12, 30)])).toEqual({
    ext: { request_notes: ['bid_price 30 of pk_1 is not applied: its price is fixed at 12'] },
  })
})

test('a bid that is the price gets none', () => {
  expect(bidNotes([bought(12), bought(30, 30)])).toEqual({})
})

// The orders of an ad server: budgets, dates, pacing and pauses, and when they were changed. Past figures are
// computed from past orders, so a change never alters what was delivered before it.

import type { Transaction } from '../../lib/transaction.ts'
import type { MediaBuyRecord, PackageRecord } from '../media-buy.ts'
import { type Audience, audienceOf } from './audience.ts'

export interface Order {
  /** From when on, in milliseconds. */
  at: number
  packages: readonly OrderedPackage[]
}

export interface OrderedPackage {
  package_id: string
  budget: number
  pricing_model: string
  rate: number
  pacing: string
  start: number
  end: number
  /** Impressions wanted at most. */
  impressions?: number | undefined
  /** The audience and frequency cap. Default everyone. */
  audience?: Audience | undefined
  /** Whether it is delivered: the buy is active, and the package neither paused nor canceled. */
  runs: boolean
}

export interface OrderStore {
  /** Adds the order if it differs from the last one. */
  add(tx: Transaction, mediaBuyId: string, order: Order): Promise<void>
  /** In their order, by buy. */
  list(mediaBuyIds: readonly string[]): Promise<Map<string, Order[]>>
}

/** What the buy, in its current state, orders from `at` on. */
export function orderOf(buy: MediaBuyRecord, at: number): Order {
  return {
    at,
    packages: buy.packages.map((one) => ({
      package_id: one.package_id,
      budget: one.budget,
      pricing_model: one.pricing.pricing_model,
      rate: one.pricing.rate,
      pacing: one.pacing ?? 'even',
      start: one.start_at ?? buy.start_at,
      end: one.end_at ?? buy.end_at,
      ...(one.impressions === undefined ? {} : { impressions: one.impressions }),
      ...audienceFor(one, buy),
      runs: buy.status === 'active' && !one.paused && one.canceled !== true,
    })),
  }
}

function audienceFor(
  { targeting_overlay, start_at, end_at }: PackageRecord,
  buy: Pick<MediaBuyRecord, 'start_at' | 'end_at'>,
): Pick<OrderedPackage, 'audience'> {
  const flightMs = (end_at ?? buy.end_at) - (start_at ?? buy.start_at)
  const audience = audienceOf(targeting_overlay, flightMs)
  return audience ? { audience } : {}
}

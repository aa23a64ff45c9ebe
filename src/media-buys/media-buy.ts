// A media buy and its packages as they are stored (spec 2.12, 3.4, 4.5). Times are in milliseconds, by the database's
// clock; money is in the currency of the buy.

import type { ActivationKey } from '../protocol/schemas/deployment.ts'
import type { REPORTING_FREQUENCIES } from '../protocol/schemas/push-notification-config.ts'
import type { BuyStatus } from './states.ts'

/** A media buy, as it is kept. */
export interface MediaBuyRecord extends BuyStatus {
  media_buy_id: string
  /** The principal that owns the buy; it is not visible to others. */
  owner: string
  account_id: string | undefined
  /** From 1; grows with every change. */
  revision: number
  currency: string
  /** The total of all packages that are not canceled. */
  total_budget: number
  /** IANA name: reporting windows are aligned to this time zone. */
  time_zone: string
  confirmed_at: number | undefined
  status_changed_at: number
  created_at: number
  updated_at: number
  /** When the clock causes its next transition; undefined when it has ended. */
  due_at: number | undefined
  /** The settings of reporting_webhook without its channel; undefined if there is none. */
  reporting: ReportingTerms | undefined
  terms: BuyTerms
  /** From the request that created it, to be echoed verbatim in webhooks. */
  context: object | undefined
  ending: BuyEnding | undefined
  /** In their order. */
  packages: readonly PackageRecord[]
}

/** `reporting_webhook` without its address and secrets, which are stored as a channel. */
export interface ReportingTerms {
  reporting_frequency: (typeof REPORTING_FREQUENCIES)[number]
  /** Undefined: all. */
  requested_metrics?: readonly string[] | undefined
}

/** The buyer's terms for the whole buy. */
interface BuyTerms {
  brand?: object | undefined
  buyer_ref?: string | undefined
  name?: string | undefined
  po_number?: string | undefined
  /** What it was bought as. */
  proposal_id?: string | undefined
  ext?: object | undefined
}

/** Why it ended before its time. */
interface BuyEnding {
  by: 'buyer' | 'seller'
  at: number
  reason?: string | undefined
}

/** A part of a buy: one product, with its budget, dates and targeting. */
export interface PackageRecord {
  package_id: string
  product_id: string
  pricing_option_id: string
  /** As it was when it was bought. */
  pricing: PackagePricing
  budget: number
  paused: boolean
  canceled?: boolean | undefined
  /** Default: those of the buy. */
  start_at?: number | undefined
  end_at?: number | undefined
  pacing?: string | undefined
  bid_price?: number | undefined
  impressions?: number | undefined
  targeting_overlay?: Readonly<Record<string, unknown>> | undefined
  /** The agreed measurement for billing. */
  measurement_terms?: Readonly<Record<string, unknown>> | undefined
  /** The signals that the targeting names, resolved when it was set. */
  signals: readonly TargetedSignal[]
  buyer_ref?: string | undefined
  context?: object | undefined
  ext?: object | undefined
}

interface PackagePricing {
  pricing_model: string
  /** Per thousand, click, view and so on; the floor or the bid where the price is not fixed. */
  rate: number
}

export interface TargetedSignal {
  signal_agent_segment_id: string
  activation_key: ActivationKey
}

/** A rate below this, in money with six decimals, counts as zero: quotients stay finite. */
export const LEAST_RATE = 1e-6

/** Packages that are still wanted. */
export function livePackages({ packages }: Pick<MediaBuyRecord, 'packages'>): PackageRecord[] {
  return packages.filter(({ canceled }) => canceled !== true)
}

/** Sums of money without binary rounding errors. */
export function sumOf(amounts: readonly number[]): number {
  const sum = amounts.reduce((total, amount) => total + amount, 0)
  return Math.round(sum * 1e6) / 1e6
}

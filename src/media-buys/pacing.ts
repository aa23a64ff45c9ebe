// The pacing of a buy: what each package should have delivered by a time, spread over its dates as its pacing says,
// and how the available figures compare with that.

import { LEAST_RATE, type MediaBuyRecord, type PackageRecord, sumOf } from './media-buy.ts'
import { endOfFlight } from './reporting/plan-visit.ts'
import type { Snapshot } from './reporting/snapshot.ts'
import { isEnded } from './states.ts'

export interface Amounts {
  /** In the currency of the buy. */
  spend: number
  /** Set if the price or the buyer specifies a quantity. */
  impressions?: number | undefined
}

export interface Paced {
  pace: 'not_begun' | 'behind' | 'on_pace' | 'ahead' | 'ended' | 'unknown'
  delivered: { spend: number; impressions: number }
  /** In the windows with available figures: missing figures do not count as underdelivery. */
  expected: Amounts
  bought: Amounts
}

interface PacePoint extends Amounts {
  /** End of a window; the sums run up to then. */
  at: number
  spend: number
  impressions: number
  expected: Amounts
}

/** Thresholds beyond which delivery counts as behind or ahead. */
const BEHIND = 0.9
const AHEAD = 1.1

/** The share that should be delivered after the share `x` of the time. As soon as possible means at least evenly. */
function expectedShare(pacing: string | undefined, x: number): number {
  return pacing === 'front_loaded' ? 1 - (1 - x) ** 2 : x
}

/** @internal */
export function boughtBy({ budget, impressions, pricing }: PackageRecord): Amounts {
  const { pricing_model, rate } = pricing
  const isByThousand = (pricing_model === 'cpm' || pricing_model === 'vcpm') && rate >= LEAST_RATE
  const paidFor = isByThousand ? Math.floor((budget / rate) * 1_000) : undefined
  const wanted = impressions ?? paidFor
  return {
    spend: budget,
    impressions: wanted === undefined ? undefined : Math.min(wanted, paidFor ?? wanted),
  }
}

/** @internal */
export function expectedBy(buy: MediaBuyRecord, one: PackageRecord, at: number): Amounts {
  const start = one.start_at ?? buy.start_at
  const end = one.end_at ?? buy.end_at
  const x = Math.min(1, Math.max(0, (at - start) / Math.max(1, end - start)))
  const share = expectedShare(one.pacing, x)
  const { spend, impressions } = boughtBy(one)
  return {
    spend: spend * share,
    impressions: impressions === undefined ? undefined : impressions * share,
  }
}

interface PacedBuy {
  total: Paced
  packages: (Paced & { package_id: string })[]
  curve: PacePoint[]
}

/** For a snapshot that includes the windows. */
export function paceOf({ buy, figures, windows = [], period }: Snapshot): PacedBuy {
  const known = windows.filter((window) => window.figures !== undefined)
  const packages = buy.packages.map((one) => {
    const { impressions = 0, spend = 0 } =
      new Map(Object.entries(figures)).get(one.package_id) ?? {}
    const delivered = { impressions, spend }
    // No further delivery is expected of a canceled one.
    if (one.canceled) {
      return {
        package_id: one.package_id,
        pace: 'ended' as const,
        delivered,
        expected: delivered,
        bought: delivered,
      }
    }
    const expected = sum(
      known.map(({ start, end }) =>
        difference(expectedBy(buy, one, start), expectedBy(buy, one, end)),
      ),
    )
    const bought = boughtBy(one)
    const reported = { delivered, expected, bought }
    const isBegun = period.end > (one.start_at ?? buy.start_at)
    return {
      package_id: one.package_id,
      pace: wordOf(buy, reported, { isBegun, pacing: one.pacing }),
      ...reported,
    }
  })
  const total = {
    delivered: sum(packages.map(({ delivered }) => delivered)) as Paced['delivered'],
    expected: sum(packages.map(({ expected }) => expected)),
    bought: sum(packages.map(({ bought }) => bought)),
  }
  const isBegun = period.end > buy.start_at
  const isAsap = buy.packages.every(({ pacing }) => pacing === 'asap')
  return {
    total: { pace: wordOf(buy, total, { isBegun, pacing: isAsap ? 'asap' : undefined }), ...total },
    packages,
    curve: curveOf(buy, windows),
  }
}

function wordOf(
  buy: MediaBuyRecord,
  { delivered, expected }: Pick<Paced, 'delivered' | 'expected'>,
  { isBegun, pacing }: { isBegun: boolean; pacing: string | undefined },
): Paced['pace'] {
  if (isEnded(buy.status)) return 'ended'
  if (!isBegun) return 'not_begun'
  if (expected.spend <= 0) return 'unknown'
  const ratio = delivered.spend / expected.spend
  if (ratio < BEHIND) return 'behind'
  return ratio > AHEAD && pacing !== 'asap' ? 'ahead' : 'on_pace'
}

function curveOf(buy: MediaBuyRecord, windows: NonNullable<Snapshot['windows']>): PacePoint[] {
  const wanted = buy.packages.filter(({ canceled }) => !canceled)
  let so_far: Amounts = { spend: 0, impressions: 0 }
  return windows.map(({ end, figures }) => {
    const counts = Object.values(figures ?? {})
    so_far = sum([
      so_far,
      ...counts.map(({ spend = 0, impressions = 0 }) => ({ spend, impressions })),
    ])
    const at = Math.min(end, endOfFlight(buy))
    const { spend, impressions = 0 } = so_far
    return {
      at: end,
      spend,
      impressions,
      expected: sum(wanted.map((one) => expectedBy(buy, one, at))),
    }
  })
}

/** Impressions are only summed if they are known for all. */
function sum(all: readonly Amounts[]): Amounts {
  const impressions = all.map((one) => one.impressions)
  return {
    spend: sumOf(all.map(({ spend }) => spend)),
    impressions: impressions.every((one) => one !== undefined)
      ? Math.round(impressions.reduce((total, one) => total + one, 0))
      : undefined,
  }
}

function difference(from: Amounts, to: Amounts): Amounts {
  return {
    spend: to.spend - from.spend,
    impressions:
      to.impressions === undefined ? undefined : to.impressions - (from.impressions ?? 0),
  }
}

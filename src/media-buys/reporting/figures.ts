// Delivery figures, package by package: added up without binary rounding errors, compared, and written as the
// protocol represents them (spec 2.11). A package that has delivered nothing is not stored, and is returned with
// zeros.

import { canonicalDigest } from '../../lib/canonical-json.ts'
import { defined } from '../../lib/defined.ts'
import type { PackageMetrics } from '../delivery-source.ts'
import type { MediaBuyRecord, PackageRecord } from '../media-buy.ts'
import { plainly, qualifiedCounts, splitCounts } from './qualified-metrics.ts'

/** By package_id; only of packages that have delivered something. */
export type Figures = Readonly<Record<string, Counts>>

/** By metric: counts, and `spend` in the currency of the buy. */
export type Counts = Readonly<Record<string, number>>

const MICRO = 1e6

/** The figures from a source, for the packages of the buy. */
export function figuresOf(
  { packages }: Pick<MediaBuyRecord, 'packages'>,
  said: readonly PackageMetrics[],
): Figures {
  const known = new Set(packages.map(({ package_id }) => package_id))
  const own = said.filter(({ package_id }) => known.has(package_id))
  return sumOfFigures(
    own.map(({ package_id, impressions, spend, clicks, more, metric_values }) => ({
      [package_id]: {
        impressions,
        spend,
        ...defined({ clicks }),
        ...more,
        ...(metric_values ? qualifiedCounts(metric_values) : {}),
      },
    })),
  )
}

export function sumOfFigures(all: readonly Figures[]): Figures {
  const sum = createFiguresSum()
  for (const figures of all) sum.add(figures)
  return sum.total()
}

/** A running sum over windows: what was added before is not read again. */
export interface FiguresSum {
  add(figures: Figures): void
  subtract(figures: Figures): void
  total(): Figures
}

export function createFiguresSum(start: Figures = {}): FiguresSum {
  const sums = new Map<string, Map<string, number>>()
  const change = (figures: Figures, sign: 1 | -1) => {
    for (const [packageId, counts] of Object.entries(figures)) {
      const sum = sums.get(packageId) ?? new Map<string, number>()
      sums.set(packageId, sum)
      for (const [metric, value] of Object.entries(counts)) {
        sum.set(metric, added(sum.get(metric) ?? 0, sign * value))
      }
    }
  }
  change(start, 1)
  return {
    add: (figures) => change(figures, 1),
    subtract: (figures) => change(figures, -1),
    total: () => {
      const kept = [...sums].filter(([, sum]) => [...sum.values()].some((value) => value !== 0))
      return Object.fromEntries(kept.map(([id, sum]) => [id, Object.fromEntries(sum)]))
    },
  }
}

/** Money has at most six decimals, so that sums do not depend on their order. */
function added(a: number, b: number): number {
  return Math.round(a * MICRO + b * MICRO) / MICRO
}

/** Equal only for equal figures; a zero is the same as a missing value. */
export function figuresDigest(figures: Figures): string {
  const kept = Object.entries(figures).map(([id, counts]) => [
    id,
    Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== 0)),
  ])
  return canonicalDigest(Object.fromEntries(kept))
}

export interface SerializedFigures {
  totals: SerializedCounts
  by_package: (SerializedCounts & { package_id: string })[]
}

export interface SerializedCounts {
  impressions: number
  spend: number
  [metric: string]: unknown
}

/** The figures that every caller receives: totals, and every package of the buy. */
export function serializeFigures(
  buy: Pick<MediaBuyRecord, 'packages' | 'currency'>,
  figures: Figures,
  metrics?: readonly string[],
): SerializedFigures {
  const wanted = metrics && metrics.length > 0 ? new Set(metrics) : undefined
  const byPackage = new Map(Object.entries(figures))
  return {
    totals: serializeCounts(totalOf(figures), wanted),
    by_package: buy.packages.map((one) => ({
      package_id: one.package_id,
      ...serializePackageCounts(byPackage.get(one.package_id) ?? {}, wanted),
      ...serializeTerms(one, buy.currency),
    })),
  }
}

export function totalOf(figures: Figures): Counts {
  return sumOfFigures(Object.values(figures).map((counts) => ({ all: counts }))).all ?? {}
}

/** impressions and spend are always included, the others if requested. */
export function serializeCounts(counts: Counts, wanted?: ReadonlySet<string>): SerializedCounts {
  const { plain, qualified } = splitCounts(counts)
  const { impressions = 0, spend = 0, clicks = 0, ...more } = { ...plainly(qualified), ...plain }
  const all = {
    clicks,
    ...more,
    ...(impressions > 0
      ? { ctr: Math.min(1, Math.round((clicks / impressions) * MICRO) / MICRO) }
      : {}),
  }
  const others = Object.entries(all).filter(([metric]) => !wanted || wanted.has(metric))
  return { impressions, spend, ...Object.fromEntries(others) }
}

/** A metric with a qualifier is only in metric_values. */
function serializePackageCounts(counts: Counts, wanted?: ReadonlySet<string>): SerializedCounts {
  const { plain, qualified } = splitCounts(counts)
  const metric_values = qualified.filter(({ metric_id }) => !wanted || wanted.has(metric_id))
  if (metric_values.length === 0) return serializeCounts(plain, wanted)
  const inValues = new Set(metric_values.map(({ metric_id }) => metric_id))
  const flat = Object.entries(plain).filter(
    ([metric]) => metric === 'impressions' || !inValues.has(metric),
  )
  return { ...serializeCounts(Object.fromEntries(flat), wanted), metric_values }
}

function serializeTerms({ pricing, paused }: PackageRecord, currency: string): object {
  return { pricing_model: pricing.pricing_model, rate: pricing.rate, currency, paused }
}

// Divides the figures of a package among its creatives. Sources report by package: a single creative gets all of it,
// and several get shares by the weights of their assignments, which also control their rotation.

import type { PackageCreative } from '../store.ts'
import type { Counts } from './figures.ts'

export interface Divided {
  byCreative: ReadonlyMap<string, Counts>
  /** Whether the figures are a calculated share and not measured. */
  isDivided: boolean
}

const MICRO = 1e6
/** Of an assignment without one. */
const USUAL_WEIGHT = 100
const CANNOT_RUN: ReadonlySet<string> = new Set(['archived', 'rejected'])

export function divideCounts(counts: Counts, creatives: readonly PackageCreative[]): Divided {
  const running = creatives.filter(({ status }) => !CANNOT_RUN.has(status))
  const returned = running.length > 0 ? running : creatives
  const weights = returned.map(({ weight = USUAL_WEIGHT }) => weight)
  const sum = weights.reduce((total, one) => total + one, 0)
  const shares = weights.map((one) => (sum === 0 ? 1 / weights.length : one / sum))
  const byCreative = new Map<string, Record<string, number>>(
    creatives.map(({ creative_id }) => [creative_id, {}]),
  )
  for (const [metric, value] of Object.entries(counts)) {
    const parts = partsOf(value, shares, metric === 'spend' ? MICRO : 1)
    for (const [index, { creative_id }] of returned.entries()) {
      const own = byCreative.get(creative_id) as Record<string, number>
      own[metric] = parts[index] as number
    }
  }
  return { byCreative, isDivided: shares.filter((share) => share > 0).length > 1 }
}

/** Parts that add up to the whole, in steps of `1 / scale`; the rounding remainder goes to the largest. */
function partsOf(value: number, shares: readonly number[], scale: number): number[] {
  const whole = Math.round(value * scale)
  const parts = shares.map((share) => Math.floor(whole * share))
  const rest = whole - parts.reduce((total, one) => total + one, 0)
  const largest = shares.indexOf(Math.max(...shares))
  return parts.map((part, index) => (index === largest ? part + rest : part) / scale)
}

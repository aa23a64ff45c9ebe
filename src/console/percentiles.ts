// Percentiles of a handful of numbers.

/** The smallest value that at least this share of the values does not exceed; undefined if there are none. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

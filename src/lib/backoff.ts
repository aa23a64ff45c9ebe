// Pauses that double from a first to a longest one.

export interface BackoffOptions {
  firstMs: number
  maxMs: number
}

/** The pause after the `failures`-th failure in a row, the first being 1. */
export function backoffMs(failures: number, { firstMs, maxMs }: BackoffOptions): number {
  // 2^30 of any pause is past every maximum, and keeps the product a safe integer.
  const doublings = Math.min(Math.max(failures - 1, 0), 30)
  return Math.min(firstMs * 2 ** doublings, maxMs)
}

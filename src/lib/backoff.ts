// Exponential backoff: delays that double from a minimum to a maximum.

export interface BackoffOptions {
  firstMs: number
  maxMs: number
}

/** The delay after `failures` consecutive failures, starting with 1. */
export function backoffMs(failures: number, { firstMs, maxMs }: BackoffOptions): number {
  // 2^30 times any delay exceeds every maximum, and keeps the product a safe integer.
  const doublings = Math.min(Math.max(failures - 1, 0), 30)
  return Math.min(firstMs * 2 ** doublings, maxMs)
}

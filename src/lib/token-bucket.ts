// A rate limit per caller: a bucket that refills steadily and is forgotten when full again.

import type { Clock } from './clock.ts'

export interface RateLimit {
  /** Takes one token of `caller`; when there is none, says after how many seconds there is. */
  take(caller: string): { ok: true } | { ok: false; retryAfterSeconds: number }
}

export interface RateLimitOptions {
  clock: Clock
  perMinute: number
  /** Callers remembered at most; the longest unseen are forgotten first. Default 10 000. */
  maxCallers?: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

export function createRateLimit({
  clock,
  perMinute,
  maxCallers = 10_000,
}: RateLimitOptions): RateLimit {
  const buckets = new Map<string, Bucket>()
  const perMs = perMinute / 60_000

  return {
    take: (caller) => {
      const now = clock.now()
      const known = buckets.get(caller)
      const tokens = known
        ? Math.min(perMinute, known.tokens + (now - known.filledAt) * perMs)
        : perMinute
      // Re-inserted, so that the map's order is the order of use.
      buckets.delete(caller)
      buckets.set(caller, { tokens: tokens >= 1 ? tokens - 1 : tokens, filledAt: now })
      const oldest = buckets.keys().next()
      if (buckets.size > maxCallers && !oldest.done) buckets.delete(oldest.value)
      if (tokens >= 1) return { ok: true }
      return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perMs / 1_000)) }
    },
  }
}

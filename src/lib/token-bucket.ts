// A rate limit per caller: a bucket that refills steadily and is forgotten when full again.

import type { Clock } from './clock.ts'

export interface RateLimit {
  /** Takes tokens of `caller`, one by default; if there are too few, takes none and returns how long to wait. */
  take(caller: string, tokens?: number): Taken
}

type Taken = { ok: true } | { ok: false; retryAfterSeconds: number }

export interface RateLimitOptions {
  clock: Clock
  perMinute: number
  /** Maximum number of callers remembered; the least recently seen are dropped first. Default 10 000. */
  maxCallers?: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

const TAKEN: Taken = { ok: true }

export function createRateLimit({
  clock,
  perMinute,
  maxCallers = 10_000,
}: RateLimitOptions): RateLimit {
  const buckets = new Map<string, Bucket>()
  const perMs = perMinute / 60_000
  /** Its bucket is already at the end of the map, so it need not be moved there. */
  let latest: string | undefined

  const bucketOf = (caller: string, now: number): Bucket => {
    const known = buckets.get(caller)
    if (known && caller === latest) return known
    const bucket = known ?? { tokens: perMinute, filledAt: now }
    // Re-inserted, so that the map's order is the order of use.
    if (known) buckets.delete(caller)
    buckets.set(caller, bucket)
    latest = caller
    const oldest = buckets.keys().next()
    if (buckets.size > maxCallers && !oldest.done) buckets.delete(oldest.value)
    return bucket
  }

  return {
    take: (caller, tokens = 1) => {
      const now = clock.now()
      const bucket = bucketOf(caller, now)
      bucket.tokens = Math.min(
        perMinute,
        bucket.tokens + Math.max(0, now - bucket.filledAt) * perMs,
      )
      bucket.filledAt = now
      if (bucket.tokens >= tokens) {
        bucket.tokens -= tokens
        return TAKEN
      }
      const seconds = Math.ceil((tokens - bucket.tokens) / perMs / 1_000)
      return { ok: false, retryAfterSeconds: Math.max(1, seconds) }
    },
  }
}

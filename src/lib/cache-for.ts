// Caches what a read returned for a short time. For values that need not be exact, such as sizes for a cost estimate.

import { performance } from 'node:perf_hooks'
import { createRecentCache } from './recent-cache.ts'

export interface CacheOptions {
  ms: number
  /** Most keys in the cache. */
  size: number
  now?: () => number
}

export function cacheFor<T>(
  { ms, size, now = () => performance.now() }: CacheOptions,
  read: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const known = createRecentCache<{ until: number; value: T }>(size)
  return async (key) => {
    const found = known.get(key)
    if (found && now() < found.until) return found.value
    const value = await read(key)
    known.set(key, { until: now() + ms, value })
    return value
  }
}

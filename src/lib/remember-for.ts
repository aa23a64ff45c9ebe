// Remembers for a moment what a read returned: for values that need not be exact, such as the size that a cost is estimated by.

import { performance } from 'node:perf_hooks'
import { createRecentCache } from './recent-cache.ts'

export interface RememberOptions {
  ms: number
  /** Keys that are remembered at most. */
  size: number
  now?: () => number
}

export function rememberFor<T>(
  { ms, size, now = () => performance.now() }: RememberOptions,
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

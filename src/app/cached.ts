// A value that is computed only from time to time; calls in between share the result.

import type { Clock } from '../lib/clock.ts'

export function cachedFor<T>(
  ageMs: number,
  clock: Clock,
  compute: () => Promise<T>,
): () => Promise<T> {
  let value: Promise<T> | undefined
  let madeAt = 0
  return () => {
    if (value && clock.now() - madeAt < ageMs) return value
    madeAt = clock.now()
    value = compute().catch((error: unknown) => {
      value = undefined
      throw error
    })
    return value
  }
}

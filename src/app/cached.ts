// A value that is worth computing only now and then; those who ask meanwhile share it.

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

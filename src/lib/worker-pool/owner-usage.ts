// How much worker time each owner has used lately, beyond what short jobs take. It decays: half of it is
// forgotten after a minute.

import { createRecentCache } from '../recent-cache.ts'

/** The part of each job that is not counted. */
export const FREE_MS = 500
/** From this amount on, an owner counts as slow. */
export const SLOW_MS = 3_000
const HALF_LIFE_MS = 60_000
/** Maximum number of owners remembered; at least half of them are kept. */
const MAX_REMEMBERED = 20_000

export interface OwnerUsage {
  add(owner: string, ms: number, now: number): void
  /** In milliseconds, decayed. */
  of(owner: string, now: number): number
}

export function createOwnerUsage(): OwnerUsage {
  const used = createRecentCache<{ ms: number; at: number }>(MAX_REMEMBERED)
  const of = (owner: string, now: number) => {
    const known = used.get(owner)
    return known ? known.ms * 2 ** ((known.at - now) / HALF_LIFE_MS) : 0
  }
  return {
    of,
    add: (owner, ms, now) => {
      if (ms > 0) used.set(owner, { ms: of(owner, now) + ms, at: now })
    },
  }
}

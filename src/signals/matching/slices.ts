// Lets several searches share one thread in slices of a few milliseconds: between two slices a search pauses while
// one with a higher rank is running. Its usage so far counts at once, so a caller that floods the search, or requests
// much, waits for the others, and not the reverse.

import { type CallerRank, goesBefore } from './rank-of-caller.ts'

export interface Slices {
  /** For one search; `onResume` is called each time it continues. */
  begin(rank: CallerRank, onResume?: () => void): Slice
}

export interface Slice {
  /**
   * Called between two parts of the work: resolves at once while the slice is short, otherwise after others have run
   * and no search with precedence is left.
   */
  pause(): Promise<void>
  /** Waits for something done elsewhere: meanwhile this search does not count as using the thread. */
  wait<T>(work: Promise<T>): Promise<T>
  /** Adds time used for this search elsewhere, in milliseconds. */
  charge(ms: number): void
  /** The rank of its caller, including what this search has used. */
  rank(): CallerRank
  /** The time it has used, in milliseconds. */
  usedMs(): number
  end(): void
}

/** The time a typical search uses, in milliseconds: the unit of ranks. */
export const USUAL_MS = 50
/** How long a search runs without a break, in milliseconds: others wait no longer than this plus one part. */
const SLICE_MS = 3
/** Longest wait at one pause: a search that hangs must not block the others forever. */
const MAX_ASIDE_MS = 1_000

interface Active {
  rank(): CallerRank
}

export function createSlices(): Slices {
  const active = new Set<Active>()
  const aside = new Set<() => void>()
  /**
   * The rank that the last search reported: one value for all, or each of three could go before the next in a cycle.
   */
  let crowd = 0

  const mayGoOn = (own: Active) => isFirst(own, active)

  function standAside(own: Active): Promise<void> {
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer)
        aside.delete(look)
        resolve()
      }
      const look = () => {
        if (mayGoOn(own)) goOn()
      }
      const timer = setTimeout(goOn, MAX_ASIDE_MS)
      aside.add(look)
    })
  }

  function lookAgain(): void {
    for (const look of [...aside]) look()
  }

  return {
    begin: (caller, onResume = () => {}) => {
      if (!caller.hasKey) crowd = caller.crowd
      let used = 0
      let resumedAt = performance.now()
      const stop = () => {
        used += performance.now() - resumedAt
      }
      const goOn = () => {
        resumedAt = performance.now()
        onResume()
      }
      const rank = () => {
        const own = caller.own + used / USUAL_MS
        return { hasKey: caller.hasKey, own, crowd: caller.hasKey ? own : crowd }
      }
      const own: Active = { rank }
      active.add(own)
      onResume()
      return {
        pause: async () => {
          if (performance.now() - resumedAt < SLICE_MS) return
          stop()
          // Searches that arrived in the meantime only become visible after a turn of the event loop.
          await new Promise((resolve) => setImmediate(resolve))
          // The usage of this search may let another one continue and make this one wait.
          lookAgain()
          if (!mayGoOn(own)) await standAside(own)
          goOn()
        },
        wait: async (work) => {
          stop()
          try {
            return await work
          } finally {
            goOn()
          }
        },
        charge: (ms) => {
          used += ms
        },
        rank,
        usedMs: () => used,
        end: () => {
          active.delete(own)
          lookAgain()
        },
      }
    },
  }
}

/** Whether no other search goes before this one. */
function isFirst(own: Active, active: ReadonlySet<Active>): boolean {
  const rank = own.rank()
  for (const other of active) if (other !== own && goesBefore(other.rank(), rank)) return false
  return true
}

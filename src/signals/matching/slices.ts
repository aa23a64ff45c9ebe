// Lets several searches share one thread in slices of a few milliseconds: between two slices a search pauses while
// one with a higher rank is running. Its usage so far counts at once, so a caller that floods the search, or
// requests much, is held up by the others, and not the reverse.

import { type CallerRank, goesBefore } from './rank-of-caller.ts'

export interface Slices {
  /** For one search; `onResume` is called each time it continues. */
  begin(rank: CallerRank, onResume?: () => void): Slice
}

export interface Slice {
  /**
   * Between two parts of the work: resolves at once while the slice is short, and else when others have
   * had their turn and nobody goes before any more.
   */
  pause(): Promise<void>
  /** Waits for something that is done elsewhere: it is not this search that uses the thread meanwhile. */
  wait<T>(work: Promise<T>): Promise<T>
  /** Adds what was used for this search elsewhere, in milliseconds. */
  charge(ms: number): void
  /** The rank of its caller with what this search has used. */
  rank(): CallerRank
  /** What it has used, in milliseconds. */
  usedMs(): number
  end(): void
}

/** What a search of a usual kind uses, in milliseconds: what ranks are counted in. */
export const USUAL_MS = 50
/** What a search does at a stretch, in milliseconds: others wait no longer than this and one part more. */
const SLICE_MS = 3
/** Longest time to stand aside at one pause: one that hangs must not hold up the rest for good. */
const MAX_ASIDE_MS = 1_000

interface Active {
  rank(): CallerRank
}

export function createSlices(): Slices {
  const active = new Set<Active>()
  const aside = new Set<() => void>()
  /** As the last search reported it: one value for all, or three could each go before the next in a ring. */
  let crowd = 0

  function mayGoOn(own: Active): boolean {
    const rank = own.rank()
    for (const other of active) if (other !== own && goesBefore(other.rank(), rank)) return false
    return true
  }

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
          // Those that have arrived meanwhile are only seen when the loop has had its turn.
          await new Promise((resolve) => setImmediate(resolve))
          // What this one has used may let another go on, and hold this one up.
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

// Lets several searches share one thread by turns of some milliseconds: between two slices of its work a
// search stands aside while one that goes before it is under way. So whoever floods the search is held up
// by others, and not they by him.

import { type CallerRank, goesBefore } from './rank-of-caller.ts'

export interface Slices {
  /** For one search; `onResume` hears each time it goes on. */
  begin(rank: CallerRank, onResume?: () => void): Slice
}

export interface Slice {
  /**
   * Between two parts of the work: resolves at once while the slice is short, and else when others have
   * had their turn and nobody goes before any more.
   */
  pause(): Promise<void>
  end(): void
}

/** What a search does at a stretch, in milliseconds: others wait no longer than this and one part more. */
const SLICE_MS = 3

/** Longest time to stand aside at one pause: one that hangs must not hold up the rest for good. */
const MAX_ASIDE_MS = 1_000

interface Active {
  rank: CallerRank
}

export function createSlices(): Slices {
  const active = new Set<Active>()
  const aside = new Set<() => void>()

  function mayGoOn({ rank }: Active): boolean {
    for (const other of active) if (goesBefore(other.rank, rank)) return false
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

  return {
    begin: (rank, onResume = () => {}) => {
      const own: Active = { rank }
      let resumedAt = performance.now()
      active.add(own)
      onResume()
      return {
        pause: async () => {
          if (performance.now() - resumedAt < SLICE_MS) return
          // Those that have arrived meanwhile are only seen when the loop has had its turn.
          await new Promise((resolve) => setImmediate(resolve))
          if (!mayGoOn(own)) await standAside(own)
          resumedAt = performance.now()
          onResume()
        },
        end: () => {
          active.delete(own)
          for (const look of [...aside]) look()
        },
      }
    },
  }
}

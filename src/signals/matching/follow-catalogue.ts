// Keeps the index in step with the store: reads the changes it has not seen, in their order. Asked
// before every search, so that a change is found by the first search after it.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SignalStore } from '../store.ts'
import type { SignalIndex } from './signal-index.ts'

export interface Following {
  /** Resolves when all is in the index that the store had when this was called. */
  catchUp(): Promise<void>
}

const PAGE = 500

export interface FollowPorts {
  signals: Pick<SignalStore, 'changes' | 'latest' | 'get'>
  index: SignalIndex
  /** Begins the index anew: the store no longer knows what was removed since. */
  onExpired: () => SignalIndex
}

export function followCatalogue({ signals, index: first, onExpired }: FollowPorts): Following {
  let index = first
  let seen = 0
  let turn = Promise.resolve()

  async function readOn(): Promise<void> {
    // A database may show one turn of the event loop a single state: this turn's could be from before.
    await nextTurn()
    const until = await signals.latest()
    while (seen < until) {
      const page = await signals.changes(seen, PAGE)
      if (page.isExpired) {
        index = onExpired()
        seen = 0
        continue
      }
      for (const { id, stored } of page.changes) {
        if (stored) index.put(stored)
        else index.remove(id)
      }
      seen = page.last
      if (!page.more) break
      // Searches that wait for nothing here get their turn between two pages.
      await nextTurn()
    }
    await renewWorn()
  }

  /** What still lives in a block that is mostly dead moves on, so that the block can be given back. */
  async function renewWorn(): Promise<void> {
    const ids = [...index.worn()]
    for (let at = 0; at < ids.length; at += PAGE) {
      const stored = await signals.get(ids.slice(at, at + PAGE))
      for (const one of stored.values()) index.put(one)
    }
  }

  return {
    catchUp: () => {
      const reading = turn.then(readOn)
      // A failure is reported to its caller; the next read begins where this one stopped.
      turn = reading.catch(() => {})
      return reading
    },
  }
}

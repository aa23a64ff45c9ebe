// Keeps the index up to date with the store: reads the changes it has not seen, in order. Called before every search,
// so that a change is found by the first search after it.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SignalStore } from '../store.ts'
import type { SignalIndex } from './signal-index.ts'

export interface Following {
  /** Resolves when the index has everything that the store had when this was called. */
  catchUp(): Promise<void>
}

const PAGE = 500

export interface FollowPorts {
  signals: Pick<SignalStore, 'changes' | 'latest' | 'get'>
  index: SignalIndex
  /** Rebuilds the index: the store no longer records what was removed since. */
  onExpired: () => SignalIndex
}

export function followCatalogue({ signals, index: first, onExpired }: FollowPorts): Following {
  let index = first
  let seen = 0
  let turn = Promise.resolve()

  async function readOn(): Promise<void> {
    // A database may return the same snapshot throughout one turn of the event loop: this turn's could be an older
    // one.
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
      // Searches that do not have to wait here can run between two pages.
      await nextTurn()
    }
    await renewWorn()
  }

  /** Live rows of a mostly dead block are moved, so that the block can be freed. */
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

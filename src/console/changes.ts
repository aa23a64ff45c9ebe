// Notifies open screens that something has changed, but not how: they reload what they display. It checks once a
// second, and only while somebody listens, at the ends of indexes. The cost is therefore the same however much
// changes, and changes by other instances are detected too.

import { TOPICS, type Topic } from './api/events.ts'

/** A text for each topic that differs whenever something in the topic has changed. */
export type Fingerprints = Readonly<Record<Topic, string>>

export interface ChangePorts {
  fingerprints: () => Promise<Fingerprints>
  /** Calls back once after the given time. Returns a function that cancels it. */
  later: (ms: number, run: () => void) => () => void
  onFault: (error: unknown) => void
}

export interface Changes {
  /** Returns a function that stops listening. */
  listen(listener: (topics: readonly Topic[]) => void): () => void
}

/** At most one notification in this period. @internal */
export const CHANGES_EVERY_MS = 1_000

export function createChanges({ fingerprints, later, onFault }: ChangePorts): Changes {
  const listeners = new Set<(topics: readonly Topic[]) => void>()
  let known: Fingerprints | undefined
  let callOff: (() => void) | undefined

  async function look(): Promise<void> {
    try {
      const found = await fingerprints()
      const before = known
      known = found
      const topics = before ? TOPICS.filter((topic) => found[topic] !== before[topic]) : []
      if (topics.length > 0) for (const listener of [...listeners]) listener(topics)
    } catch (error) {
      onFault(error)
    }
    if (listeners.size > 0) callOff = later(CHANGES_EVERY_MS, () => void look())
    else rest()
  }

  function rest(): void {
    callOff?.()
    callOff = undefined
    known = undefined
  }

  return {
    listen: (listener) => {
      const isFirst = listeners.size === 0 && callOff === undefined && known === undefined
      listeners.add(listener)
      if (isFirst) void look()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) rest()
      }
    },
  }
}

// Wake-ups inside one process. Workers poll as well, so a lost or unrelated wake-up costs only time.

import type { OnWake } from '../../lib/transaction.ts'

export interface WakeBoard {
  wake(topic: string): void
  onWake: OnWake
}

export function wakeBoard(): WakeBoard {
  const listeners = new Map<string, Set<() => void>>()
  return {
    wake: (topic) => {
      for (const listener of listeners.get(topic) ?? []) listener()
    },
    onWake: (topic, listener) => {
      const known = listeners.get(topic) ?? new Set()
      known.add(listener)
      listeners.set(topic, known)
      return () => known.delete(listener)
    },
  }
}

// Remembers the nonces of one process (spec 8), for programs of a single instance and for tests. A
// fleet needs a store they share: two instances with a memory each accept a message twice.

import { type Clock, systemClock } from '../lib/clock.ts'
import type { ReplayStore } from './ports.ts'

export interface MemoryReplayOptions {
  /** Live nonces of one key. Default 100 000. */
  perKeyCap?: number
  /** Live nonces of all keys. Default 1 000 000. */
  totalCap?: number
  clock?: Clock
}

/** Full is refused, never made room for: forgetting a live nonce would let it be used again. */
export function memoryReplayStore({
  perKeyCap = 100_000,
  totalCap = 1_000_000,
  clock = systemClock,
}: MemoryReplayOptions = {}): ReplayStore {
  const noncesOf = new Map<string, Set<string>>()
  /** What may be forgotten from a second on, so that sweeping touches nothing else. */
  const dueAt = new Map<number, { keyid: string; nonce: string }[]>()
  let total = 0
  let sweptAt = 0

  function sweep(): void {
    const now = Math.floor(clock.now() / 1_000)
    if (now <= sweptAt) return
    sweptAt = now
    for (const [second, entries] of dueAt) {
      if (second > now) continue
      dueAt.delete(second)
      total -= entries.length
      for (const { keyid, nonce } of entries) forget(keyid, nonce)
    }
  }

  function forget(keyid: string, nonce: string): void {
    const nonces = noncesOf.get(keyid)
    nonces?.delete(nonce)
    if (nonces?.size === 0) noncesOf.delete(keyid)
  }

  function hasRoom(keyid: string): boolean {
    return total < totalCap && (noncesOf.get(keyid)?.size ?? 0) < perKeyCap
  }

  return {
    isFull: (keyid) => {
      sweep()
      return !hasRoom(keyid)
    },
    has: (keyid, nonce) => {
      sweep()
      return noncesOf.get(keyid)?.has(nonce) ?? false
    },
    insert: ({ keyid, nonce, expiresAt }) => {
      sweep() // and not again below: it may drop the very set that is added to
      const nonces = noncesOf.get(keyid)
      if (nonces?.has(nonce)) return 'seen'
      if (!hasRoom(keyid)) return 'full'
      if (nonces) nonces.add(nonce)
      else noncesOf.set(keyid, new Set([nonce]))
      const due = dueAt.get(expiresAt)
      if (due) due.push({ keyid, nonce })
      else dueAt.set(expiresAt, [{ keyid, nonce }])
      total++
      return 'added'
    },
  }
}

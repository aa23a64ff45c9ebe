// Remembers the nonces of one process (spec 8), for programs of a single instance and for tests. A
// fleet needs a store they share: two instances with a memory each accept a message twice.

import { type Clock, systemClock } from '../lib/clock.ts'
import type { ReplayStore, SignersKey } from './ports.ts'

export interface MemoryReplayOptions {
  /** Live nonces of one key. Default 100 000. */
  perKeyCap?: number
  /** Live nonces of all keys of one signer. Default 500 000. */
  perSignerCap?: number
  /** Live nonces of all signers. Default 1 000 000. */
  totalCap?: number
  clock?: Clock
}

interface Entry {
  key: string
  signer: string
  nonce: string
}

/** Full is refused, never made room for: forgetting a live nonce would let it be used again. */
export function memoryReplayStore({
  perKeyCap = 100_000,
  perSignerCap = 500_000,
  totalCap = 1_000_000,
  clock = systemClock,
}: MemoryReplayOptions = {}): ReplayStore {
  const noncesOf = new Map<string, Set<string>>()
  const heldBy = new Map<string, number>()
  /** What may be forgotten from a second on, so that sweeping touches nothing else. */
  const dueAt = new Map<number, Entry[]>()
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
      for (const entry of entries) forget(entry)
    }
  }

  function forget({ key, signer, nonce }: Entry): void {
    const nonces = noncesOf.get(key)
    nonces?.delete(nonce)
    if (nonces?.size === 0) noncesOf.delete(key)
    const held = (heldBy.get(signer) ?? 1) - 1
    if (held > 0) heldBy.set(signer, held)
    else heldBy.delete(signer)
  }

  function hasRoom({ signer, keyid }: SignersKey): boolean {
    const ofKey = noncesOf.get(idOf({ signer, keyid }))?.size ?? 0
    return total < totalCap && ofKey < perKeyCap && (heldBy.get(signer) ?? 0) < perSignerCap
  }

  return {
    isFull: (key) => {
      sweep()
      return !hasRoom(key)
    },
    has: (key, nonce) => {
      sweep()
      return noncesOf.get(idOf(key))?.has(nonce) ?? false
    },
    insert: ({ signer, keyid, nonce, expiresAt }) => {
      sweep() // and not again below: it may drop the very set that is added to
      const key = idOf({ signer, keyid })
      const nonces = noncesOf.get(key)
      if (nonces?.has(nonce)) return 'seen'
      if (!hasRoom({ signer, keyid })) return 'full'
      if (nonces) nonces.add(nonce)
      else noncesOf.set(key, new Set([nonce]))
      heldBy.set(signer, (heldBy.get(signer) ?? 0) + 1)
      const due = dueAt.get(expiresAt)
      if (due) due.push({ key, signer, nonce })
      else dueAt.set(expiresAt, [{ key, signer, nonce }])
      total++
      return 'added'
    },
  }
}

function idOf({ signer, keyid }: SignersKey): string {
  return JSON.stringify([signer, keyid])
}

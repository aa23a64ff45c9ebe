// Stores the nonces of one process (spec 8), for programs with a single instance and for tests. Several instances
// need a shared store: two instances with separate memory would each accept the same message.

import type { Clock } from '../lib/clock.ts'
import { earlierClock } from '../lib/steady-clock.ts'
import type { ReplayStore } from './ports.ts'

export interface MemoryReplayOptions {
  /** Live nonces of one key. Default 100 000. */
  perKeyCap?: number
  /** Live nonces of all keys of one signer. Default 500 000. */
  perSignerCap?: number
  /** Live nonces of all signers. Default 1 000 000. */
  totalCap?: number
  clock?: Clock
}

interface SignersNonces {
  signer: string
  /** How many there are, of all keys. */
  held: number
  ofKey: Map<string, Set<string>>
}

interface Entry {
  of: SignersNonces
  keyid: string
  nonce: string
}

/** When full, new nonces are refused: evicting a live nonce would allow a replay. */
export function memoryReplayStore({
  perKeyCap = 100_000,
  perSignerCap = 500_000,
  totalCap = 1_000_000,
  clock = earlierClock,
}: MemoryReplayOptions = {}): ReplayStore {
  const bySigner = new Map<string, SignersNonces>()
  /** Nonces by the second from which they may be deleted, so that sweeping touches nothing else. */
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

  function forget({ of, keyid, nonce }: Entry): void {
    const nonces = of.ofKey.get(keyid)
    nonces?.delete(nonce)
    if (nonces?.size === 0) of.ofKey.delete(keyid)
    if (--of.held === 0) bySigner.delete(of.signer)
  }

  function hasRoom(of: SignersNonces | undefined, keyid: string): boolean {
    if (total >= totalCap) return false
    return (of?.held ?? 0) < perSignerCap && (of?.ofKey.get(keyid)?.size ?? 0) < perKeyCap
  }

  function addSigner(signer: string): SignersNonces {
    const of = { signer, held: 0, ofKey: new Map() }
    bySigner.set(signer, of)
    return of
  }

  return {
    isFull: ({ signer, keyid }) => {
      sweep()
      return !hasRoom(bySigner.get(signer), keyid)
    },
    has: ({ signer, keyid }, nonce) => {
      sweep()
      return bySigner.get(signer)?.ofKey.get(keyid)?.has(nonce) ?? false
    },
    insert: ({ signer, keyid, nonce, expiresAt }) => {
      sweep() // not repeated below: it may delete the very set that is being added to
      const known = bySigner.get(signer)
      if (known?.ofKey.get(keyid)?.has(nonce)) return 'seen'
      if (!hasRoom(known, keyid)) return 'full'
      const of = known ?? addSigner(signer)
      const nonces = of.ofKey.get(keyid)
      if (nonces) nonces.add(nonce)
      else of.ofKey.set(keyid, new Set([nonce]))
      of.held++
      const due = dueAt.get(expiresAt)
      if (due) due.push({ of, keyid, nonce })
      else dueAt.set(expiresAt, [{ of, keyid, nonce }])
      total++
      return 'added'
    },
  }
}

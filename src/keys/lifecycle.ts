// Decides which key signs, which are published, and what a rotation or a revocation changes
// (spec 5). Everything here is a function of the keys and the time.

import type { KeyPurpose, SigningKeyRecord } from './store.ts'

export type KeyState = 'published' | 'active' | 'retiring' | 'removed' | 'revoked'

/**
 * How long a key stays published after its last signature: the maximum signature window (300 s), the clock skew (60
 * s), and twice the cache time of a key set for instances and verifiers that lag.
 */
export const RETIRING_MS = 960_000

/**
 * Instances read the keys again after two seconds at the latest. With a shorter lead, one instance could sign with a
 * key that another does not publish yet.
 */
export const SHORTEST_LEAD_SECONDS = 5

export function stateAt(key: SigningKeyRecord, now: number): KeyState {
  if (key.revoked_at !== null) return 'revoked'
  if (key.retired_at !== null && now >= key.retired_at) {
    return key.remove_at !== null && now >= key.remove_at ? 'removed' : 'retiring'
  }
  return key.active_from !== null && now >= key.active_from ? 'active' : 'published'
}

/** The key to sign with; undefined when the purpose has none. */
export function signingKeyAt(
  keys: readonly SigningKeyRecord[],
  now: number,
  purpose: KeyPurpose = 'webhook-signing',
): SigningKeyRecord | undefined {
  // If the clock of this machine lags, the very first key is still in the future; use it anyway.
  return chainOf(keys, now, purpose)[0]
}

/** The contents of the key set: every key that has signed or will sign, and has not expired. */
export function publishedKeysAt(
  keys: readonly SigningKeyRecord[],
  now: number,
): SigningKeyRecord[] {
  return keys.filter((key) => !['removed', 'revoked'].includes(stateAt(key, now)))
}

/** The keys that do not sign yet, ordered by their start; the ones without a date come last. */
export function waitingKeysAt(
  keys: readonly SigningKeyRecord[],
  now: number,
  purpose: KeyPurpose,
): SigningKeyRecord[] {
  const waiting = keys.filter((key) => key.purpose === purpose && stateAt(key, now) === 'published')
  const dateless = waiting.filter(({ active_from }) => active_from === null)
  return [...chainOf(waiting, now, purpose), ...dateless]
}

export interface RotationTiming {
  now: number
  /** How long a key is published before it signs. */
  leadMs: number
}

/**
 * What changes when `next` takes over: it signs once it has been published for the lead time, or immediately if no
 * key signs yet; the previous key signs until then. A key that was scheduled to take over later than `next` is
 * retired unused.
 */
export function planRotation(
  keys: readonly SigningKeyRecord[],
  next: SigningKeyRecord,
  { now, leadMs }: RotationTiming,
): SigningKeyRecord[] {
  const others = keys.filter(({ kid }) => kid !== next.kid)
  const chain = chainOf(others, now, next.purpose)
  const from = chain.length === 0 ? now : Math.max(now, next.published_at + leadMs)
  const kept = chain.filter(({ active_from }) => active_from < from)
  const overtaken = chain.filter(({ active_from }) => active_from >= from)
  return [
    ...overtaken.map((key) => retiredFrom(key, now)),
    ...linked([...kept, { ...next, active_from: from }]),
  ]
}

/**
 * What changes when a key is revoked: it is void from now on, and its validity period goes to the previous key or, if
 * it was the signing key, to the next one, or to the oldest that is published without a date. If there is none of
 * these, `needsSuccessor` requests a new key.
 */
export function planRevocation(
  keys: readonly SigningKeyRecord[],
  revoked: SigningKeyRecord,
  now: number,
): { changed: SigningKeyRecord[]; needsSuccessor: boolean } {
  const others = keys.filter(({ kid }) => kid !== revoked.kid)
  const [first, ...later] = chainOf(others, now, revoked.purpose)
  const heir = first ?? waitingKeysAt(others, now, revoked.purpose)[0]
  return {
    changed: [
      { ...revoked, revoked_at: now, private_key: null },
      ...(heir
        ? linked([{ ...heir, active_from: Math.min(heir.active_from ?? now, now) }, ...later])
        : []),
    ],
    needsSuccessor: heir === undefined,
  }
}

interface Scheduled extends SigningKeyRecord {
  active_from: number
}

/** The key that signs now and those that will sign later, in that order. */
function chainOf(keys: readonly SigningKeyRecord[], now: number, purpose: KeyPurpose): Scheduled[] {
  return keys
    .filter((key): key is Scheduled => key.purpose === purpose && key.active_from !== null)
    .filter((key) => ['active', 'published'].includes(stateAt(key, now)))
    .sort((a, b) => a.active_from - b.active_from)
}

/** Each key signs until the next one starts; the last one has no end. */
function linked(chain: readonly Scheduled[]): SigningKeyRecord[] {
  return chain.map((key, index) => {
    const next = chain[index + 1]
    return next ? retiredFrom(key, next.active_from) : { ...key, retired_at: null, remove_at: null }
  })
}

function retiredFrom(key: SigningKeyRecord, at: number): SigningKeyRecord {
  return { ...key, retired_at: at, remove_at: at + RETIRING_MS }
}

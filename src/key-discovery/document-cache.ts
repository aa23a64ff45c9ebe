// Caches documents fetched for a verifier (spec 5): limited in number and time, failures for a shorter time, one
// request at a time for each URL. A caller that does not find a key may request a fresh copy, but only once per
// cool-down; otherwise third parties could make this receiver overload a seller.

import type { Clock } from '../lib/clock.ts'
import { createRecentCache } from '../lib/recent-cache.ts'
import type { DiscoveryFailure } from '../signing/profile.ts'
import { KEY_DISCOVERY_LIMITS } from './limits.ts'

/** `failure` is the corresponding code of the request profile, if there is one. */
export type Loaded<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: string; failure?: DiscoveryFailure }

export interface DocumentCacheOptions<Value> {
  load: (url: string) => Promise<Loaded<Value>>
  clock: Clock
  /** How long a document is used, in milliseconds. Default 5 minutes. */
  ttlMs?: number
  /** How long a failure is cached, in milliseconds. Default 30 seconds. */
  failureTtlMs?: number
  /** Minimum time between two refreshes of one URL, in milliseconds. Default 30 seconds. */
  coolDownMs?: number
  /**
   * Maximum number of cached documents. Default 4000: twice the maximum number of registered ones, since a cache
   * keeps at least half of its size.
   */
  maxEntries?: number
}

export interface DocumentCache<Value> {
  /** `isNew` when it was fetched for this call. */
  get(url: string): Promise<{ loaded: Loaded<Value>; isNew: boolean }>
  /** Fetches again, or returns undefined within the cool-down. */
  refresh(url: string): Promise<Loaded<Value> | undefined>
  /** What `get` would return without a fetch. */
  atHand(url: string): Loaded<Value> | undefined
  /** The last readable copy, however old: a hint, not proof. */
  last(url: string): Value | undefined
  /** The next caller fetches it again. */
  forget(url: string): void
}

interface Entry<Value> {
  loaded: Loaded<Value>
  goodUntil: number
}

export function createDocumentCache<Value>({
  load,
  clock,
  ttlMs = 300_000,
  failureTtlMs = 30_000,
  coolDownMs = KEY_DISCOVERY_LIMITS.refreshSeconds.value * 1_000,
  maxEntries = 4_000,
}: DocumentCacheOptions<Value>): DocumentCache<Value> {
  const entries = createRecentCache<Entry<Value>>(maxEntries)
  const readable = createRecentCache<Value>(maxEntries)
  const refreshedAt = createRecentCache<number>(maxEntries)
  const flights = new Map<string, Promise<Loaded<Value>>>()

  const fly = (url: string): Promise<Loaded<Value>> => {
    const flying = flights.get(url)
    if (flying) return flying
    const flight = load(url)
      .then((loaded) => {
        if (loaded.ok) readable.set(url, loaded.value)
        // A failed refresh does not replace a copy that is still valid: third parties can trigger a refresh.
        const held = entries.get(url)
        const isHeldGood = held?.loaded.ok === true && clock.now() < held.goodUntil
        if (loaded.ok || !isHeldGood) {
          entries.set(url, { loaded, goodUntil: clock.now() + (loaded.ok ? ttlMs : failureTtlMs) })
        }
        return loaded
      })
      .finally(() => flights.delete(url))
    flights.set(url, flight)
    return flight
  }

  const atHand = (url: string): Loaded<Value> | undefined => {
    const entry = entries.get(url)
    return entry && clock.now() < entry.goodUntil ? entry.loaded : undefined
  }

  return {
    atHand,
    last: readable.get,
    forget: entries.delete,
    get: async (url) => {
      const loaded = atHand(url)
      if (loaded) return { loaded, isNew: false }
      return { loaded: await fly(url), isNew: true }
    },
    refresh: async (url) => {
      const flying = flights.get(url)
      if (flying) return flying
      const last = refreshedAt.get(url)
      if (last !== undefined && clock.now() - last < coolDownMs) return undefined
      refreshedAt.set(url, clock.now())
      return fly(url)
    },
  }
}

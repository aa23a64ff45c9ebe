// The documents that say which keys a seller has (spec 5), cached between deliveries: its brand.json, its key set,
// and the adagents.json of publishers that may pin its keys.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { createRecentCache } from '../lib/recent-cache.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { Jwk } from '../signing/ports.ts'
import { sameAgentUrl } from './agent-url.ts'
import { type CachedKeys, createCachedKeys } from './cached-keys.ts'
import { createDocumentCache, type Loaded } from './document-cache.ts'
import { createFetchLimiter, type FetchLimiter } from './fetch-limiter.ts'
import { createBrandLocator, type KeyLocator } from './key-locator.ts'
import { type KeySet, loadKeySet } from './key-set.ts'
import { adagentsJsonUrl, loadPins } from './publisher-pin.ts'
import type { TrustedSeller } from './trusted-seller.ts'

export type Warn = (message: string, about: string, fields: Record<string, unknown>) => void

/** Fetches what is not at hand. */
export interface Documents {
  /** `isNew` when the set was fetched for this call. */
  keysOf(
    seller: TrustedSeller,
  ): Promise<{ jwksUrl: string | undefined; keys: Loaded<KeySet>; isNew: boolean }>
  /** Fetches a new copy of a key set; undefined within the cool-down. */
  refreshKeys(jwksUrl: string): Promise<Loaded<KeySet> | undefined>
  /** The keys a publisher pins; a pin without the key is fetched again. */
  pinOf(publisher: string, agentUrl: string, keyid: string): Promise<PinLookup>
}

type PinLookup = { ok: true; isPinned: boolean; jwk?: Jwk } | { ok: false }

export interface KeySources extends Documents, CachedKeys {
  /** The same, but without a new fetch if the cached copy lacks the key. */
  asTheyAre: Documents
}

export interface KeySourcesOptions {
  egress: Pick<Egress, 'fetch'>
  clock: Clock
  warn: Warn
  /** How a key set is found. Default: through the brand.json at the origin of the agent's URL. */
  locator?: KeyLocator | undefined
  /** Limits all fetches. Default: a separate limiter. */
  gate?: FetchLimiter | undefined
  /** How long a failure is remembered, in milliseconds. Default 30 seconds. */
  failureTtlMs?: number | undefined
}

export function createKeySources(options: KeySourcesOptions): KeySources {
  const { egress, clock, warn } = options
  const { fetch } = egress
  const { gate = createFetchLimiter() } = options
  const { locator = createBrandLocator({ fetch, gate, clock }) } = options
  const kept = { clock, ...defined({ failureTtlMs: options.failureTtlMs }) }
  const keySets = createDocumentCache({ ...kept, load: gate((url) => loadKeySet(fetch, url)) })
  const pins = createDocumentCache({ clock, load: gate((url) => loadPins(fetch, url)) })
  const lastJwksUrl = createRecentCache<string>(4_000)

  async function jwksUrlOf({ agentUrl, jwksUrl }: TrustedSeller): Promise<Loaded<string>> {
    if (jwksUrl !== undefined) return { ok: true, value: jwksUrl }
    const uri = await locator.find(agentUrl)
    const before = lastJwksUrl.get(agentUrl)
    if (uri.ok && before !== undefined && before !== uri.value) {
      warn('a seller moved its key set', agentUrl, { before, after: uri.value })
    }
    if (uri.ok) lastJwksUrl.set(agentUrl, uri.value)
    return uri
  }

  const keysOf: Documents['keysOf'] = async (seller) => {
    const url = await jwksUrlOf(seller)
    const { loaded, isNew } = url.ok ? await keySets.get(url.value) : { loaded: url, isNew: false }
    if (!loaded.ok) {
      warn('a seller has no usable keys', seller.agentUrl, { reason: loaded.reason })
    }
    return { jwksUrl: url.ok ? url.value : undefined, keys: loaded as Loaded<KeySet>, isNew }
  }

  async function pinnedBy(publisher: string, agentUrl: string) {
    const { loaded, isNew } = await pins.get(adagentsJsonUrl(publisher))
    if (!loaded.ok) {
      warn('a publisher has no usable adagents.json', publisher, { reason: loaded.reason })
      return undefined
    }
    return { pin: loaded.value.get(sameAgentUrl(agentUrl)), isNew }
  }

  const pinOf: Documents['pinOf'] = async (publisher, agentUrl, keyid) => {
    const found = await pinnedBy(publisher, agentUrl)
    if (!found) return { ok: false }
    const { pin, isNew } = found
    if (!pin || pin.has(keyid) || isNew) return pinAnswer(pin, keyid)
    const again = await pins.refresh(adagentsJsonUrl(publisher))
    return pinAnswer(again?.ok ? again.value.get(sameAgentUrl(agentUrl)) : pin, keyid)
  }

  const asTheyAre: Documents = {
    keysOf,
    refreshKeys: async () => undefined,
    pinOf: async (publisher, agentUrl, keyid) => {
      const found = await pinnedBy(publisher, agentUrl)
      return found ? pinAnswer(found.pin, keyid) : { ok: false }
    },
  }

  return {
    keysOf,
    refreshKeys: keySets.refresh,
    pinOf,
    asTheyAre,
    ...createCachedKeys({ locator, keySets, pins, lastJwksUrl }),
  }
}

function pinAnswer(pin: KeySet | undefined, keyid: string): PinLookup {
  const jwk = pin?.get(keyid)
  return { ok: true, isPinned: pin !== undefined, ...defined({ jwk }) }
}

// What the cached documents say about a seller's keys (spec 5), without a fetch.

import type { RecentCache } from '../lib/recent-cache.ts'
import type { Jwk } from '../signing/ports.ts'
import { sameAgentUrl } from './agent-url.ts'
import type { DocumentCache, Loaded } from './document-cache.ts'
import type { KeyLocator } from './key-locator.ts'
import { type KeySet, keysById } from './key-set.ts'
import { adagentsJsonUrl } from './publisher-pin.ts'
import type { TrustedSeller } from './trusted-seller.ts'

export interface CachedKeys {
  /** The next caller that needs the seller's keys fetches them again. */
  forget(seller: TrustedSeller): void
  /** Whether all of a seller's documents are cached, so that nothing has to be fetched. */
  isAtHand(seller: TrustedSeller): boolean
  /** The keys with this id in the seller's documents as last read, however long ago. */
  lastKeys(seller: TrustedSeller, keyid: string): Jwk[]
  /** A key that the seller published when it was last reached, used while it is unreachable. */
  awayKey(seller: TrustedSeller, keyid: string): AwayKey | undefined
  /** The address of the seller's key set, if cached. */
  urlAtHand(seller: TrustedSeller): string | undefined
  /** Whether the seller's key set was ever read. */
  wasReceived(seller: TrustedSeller): boolean
  /** Why the seller's keys cannot be found, if cached. */
  faultOf(seller: TrustedSeller): (Loaded<never> & { ok: false }) | undefined
}

export interface AwayKey {
  agentUrl: string
  jwksUrl: string
  jwk: Jwk
}

interface Caches {
  locator: KeyLocator
  /** By their URLs. */
  keySets: DocumentCache<KeySet>
  /** The keys that publishers pin, by agent, under the URL of their adagents.json. */
  pins: DocumentCache<ReadonlyMap<string, KeySet>>
  /** The last known URL of an agent's key set. */
  lastJwksUrl: RecentCache<string>
}

export function createCachedKeys({ locator, keySets, pins, lastJwksUrl }: Caches): CachedKeys {
  const lastUrlOf = ({ agentUrl, jwksUrl }: TrustedSeller) => jwksUrl ?? lastJwksUrl.get(agentUrl)

  /** The seller's key set as far as known without a fetch; undefined if a fetch is needed. */
  const setAtHand = ({ agentUrl, jwksUrl }: TrustedSeller): Loaded<KeySet> | undefined => {
    if (jwksUrl !== undefined) return keySets.atHand(jwksUrl)
    const uri = locator.atHand(agentUrl)
    return uri?.ok ? keySets.atHand(uri.value) : uri
  }

  const isAway = (seller: TrustedSeller): boolean => {
    const set = setAtHand(seller)
    return !set?.ok && !NOT_NAMED.includes(set?.failure)
  }

  const lastKey = (seller: TrustedSeller, keyid: string): AwayKey | undefined => {
    const jwksUrl = lastUrlOf(seller)
    const jwk = jwksUrl === undefined ? undefined : keySets.last(jwksUrl)?.get(keyid)
    return jwk && jwksUrl !== undefined ? { agentUrl: seller.agentUrl, jwksUrl, jwk } : undefined
  }

  return {
    forget: (seller) => {
      locator.forget(seller.agentUrl)
      const url = lastUrlOf(seller)
      if (url !== undefined) keySets.forget(url)
    },
    isAtHand: (seller) =>
      setAtHand(seller) !== undefined &&
      (seller.publishers ?? []).every((one) => pins.atHand(adagentsJsonUrl(one)) !== undefined),
    lastKeys: (seller, keyid) =>
      [
        lastKey(seller, keyid)?.jwk,
        keysById(seller.pin ?? []).get(keyid),
        ...(seller.publishers ?? []).map((one) =>
          pins.last(adagentsJsonUrl(one))?.get(sameAgentUrl(seller.agentUrl))?.get(keyid),
        ),
      ].filter((jwk) => jwk !== undefined),
    awayKey: (seller, keyid) => (isAway(seller) ? lastKey(seller, keyid) : undefined),
    urlAtHand: ({ agentUrl, jwksUrl }) => {
      const uri = jwksUrl === undefined ? locator.atHand(agentUrl) : undefined
      return uri?.ok ? uri.value : jwksUrl
    },
    wasReceived: (seller) => {
      const url = lastUrlOf(seller)
      return url !== undefined && keySets.last(url) !== undefined
    },
    faultOf: (seller) => {
      const set = setAtHand(seller)
      return set && !set.ok ? set : undefined
    },
  }
}

/** An agent that its own brand.json does not list is not unavailable: it has no keys. */
const NOT_NAMED: readonly unknown[] = [
  'signature_agent_not_in_brand_json',
  'signature_brand_json_ambiguous',
]

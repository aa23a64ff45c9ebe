// Finds which seller's key a keyid refers to, for the webhook verifier (spec 5): from the URL of a trusted seller's
// agent to its brand.json, from the agents[] entry with that URL (trailing slashes are ignored) to its key set, and
// from there to the kid. Several sellers may use the same keyid; the signature then determines which one it is. One
// key belongs to one seller; if several publish it, it belongs to the seller that was known to have it first, or to
// none. No seller waits for another's documents, unless the other may claim the same key.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import type { LogLine } from '../lib/log-line.ts'
import { createRecentCache, type RecentCache } from '../lib/recent-cache.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { steadyClock } from '../lib/steady-clock.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import type { FindKey, FoundKey, Jwk } from '../signing/ports.ts'
import type { DiscoveryFailure } from '../signing/profile.ts'
import { brandJsonUrl } from './brand-agents.ts'
import type { AwayKey } from './cached-keys.ts'
import type { Loaded } from './document-cache.ts'
import type { FetchLimiter } from './fetch-limiter.ts'
import { gatherClaims } from './gather-claims.ts'
import type { KeyLocator } from './key-locator.ts'
import { isSameKey, type KeySet, keysById, thumbprint } from './key-set.ts'
import { createKeySources, type Documents, type KeySources, type Warn } from './key-sources.ts'
import { adagentsJsonUrl } from './publisher-pin.ts'
import type { TrustedSeller } from './trusted-seller.ts'

export interface SenderKeysOptions {
  /** The sellers whose keys are accepted; a function is called each time. */
  sellers: readonly TrustedSeller[] | (() => readonly TrustedSeller[])
  egress: Pick<Egress, 'fetch'>
  /** How a key set is found. Default: through the brand.json at the origin of the agent's URL. */
  locator?: KeyLocator
  /** Limits all fetches. Default: a separate limiter. */
  gate?: FetchLimiter
  /** How long a failure to find keys is remembered, in milliseconds. Default 30 seconds. */
  failureTtlMs?: number
  /** Default: the system's clock. */
  clock?: Clock
  /** Called with the reason when a seller's keys could not be found. Default: none. */
  log?: { warn: LogLine }
}

export interface SenderKeys {
  /**
   * Looks up a key id among the keys of every trusted seller, or only of agentUrl. Returns several if sellers have
   * different keys with this id.
   */
  find(
    keyid: string,
    only?: { seller?: string },
  ): Promise<FoundKey | readonly FoundKey[] | undefined>
  /** For a route that belongs to one seller. */
  forSeller(agentUrl: string): FindKey
  /** A seller's published keys; `refresh` fetches a new copy, within the cool-down. */
  keySet(agentUrl: string, options?: { refresh?: boolean }): Promise<Loaded<KeySet>>
  /** Fetches the keys before anyone needs them; if none are found, the first delivery tries again. */
  lookUp(agentUrl: string): Promise<Loaded<KeySet>>
  /** Where a seller's key set is, as far as that is known. */
  keySetUrl(agentUrl: string): string | undefined
  /**
   * Why no keys can be found for a seller that may own this key, as of the last `find`; undefined if its keys are
   * available, or were and did not include this one.
   */
  faultOf(agentUrl: string, keyid: string): KeyFault | undefined
}

interface KeyFault {
  failure: DiscoveryFailure
  detail: string
}

/** Throws a TypeError if the address of a seller or publisher is invalid. */
export function createSenderKeys({
  sellers,
  egress,
  locator,
  gate,
  failureTtlMs,
  clock = steadyClock,
  log,
}: SenderKeysOptions): SenderKeys {
  const warn = occasionally(clock, log)
  const sources = createKeySources({ egress, clock, warn, locator, gate, failureTtlMs })
  const all = typeof sellers === 'function' ? sellers : () => sellers
  const trusted = createSellerIndex(all)
  for (const { agentUrl, publishers = [] } of all()) {
    for (const url of [brandJsonUrl(agentUrl), ...publishers.map(adagentsJsonUrl)]) new URL(url)
  }

  const firstReceived = createFirstReceived()
  const owners = createRecentCache<string>(MAX_OWNERS)

  const find: SenderKeys['find'] = async (keyid, { seller } = {}) => {
    const requested = all().filter(({ agentUrl }) => seller === undefined || agentUrl === seller)
    const claims = await claimsOf(requested, keyid, { sources, firstReceived })
    const distinct = withDistinctKeySets(claims)
    const found = distinct.filter((claim) => {
      const away = requested.filter((one) => isCopyOf(sources.awayKey(one, keyid), claim))
      const copies = distinct.filter(
        (one) => one !== claim && isSameKey(one.key.jwk, claim.key.jwk),
      )
      const rivals = [
        ...away.map(({ agentUrl }) => agentUrl),
        ...copies.map(({ key }) => key.signer),
      ]
      if (rivals.length === 0) {
        if (seller === undefined) remember(owners, claim)
        return true
      }
      // A copy of a public key proves nothing: it would let one seller pass for another, or silence it.
      warn('several sellers claim a key', keyid, { sellers: [claim.key.signer, ...rivals] })
      return owners.get(thumbprint(claim.key.jwk)) === claim.key.signer
    })
    const [first, ...others] = found.map(({ key }) => key)
    return others.length === 0 ? first : [first as FoundKey, ...others]
  }

  return {
    find,
    forSeller: (agentUrl) => (keyid) => find(keyid, { seller: agentUrl }),
    lookUp: async (agentUrl) => {
      const seller = trusted(agentUrl)
      if (!seller) return NOT_TRUSTED
      const { keys } = await sources.keysOf(seller)
      if (keys.ok && keys.value.size > 0) return keys
      sources.forget(seller)
      return keys.ok ? { ok: false, reason: 'its key set has no key that can be used' } : keys
    },
    keySet: async (agentUrl, { refresh = false } = {}) => {
      const seller = trusted(agentUrl)
      if (!seller) return NOT_TRUSTED
      const { jwksUrl, keys } = await sources.keysOf(seller)
      if (!refresh || jwksUrl === undefined) return keys
      return (await sources.refreshKeys(jwksUrl)) ?? keys
    },
    keySetUrl: (agentUrl) => {
      const seller = trusted(agentUrl)
      return seller && sources.urlAtHand(seller)
    },
    faultOf: (agentUrl, keyid) => {
      const seller = trusted(agentUrl)
      if (!seller) return undefined
      const fault = sources.faultOf(seller)
      if (!fault?.failure) return undefined
      // Not relevant for a seller that has answered before and had no such key.
      const before = sources.lastKeys(seller, keyid)
      if (before.length === 0 && sources.wasReceived(seller)) return undefined
      return { failure: fault.failure, detail: fault.reason }
    },
  }
}

/** Finds a seller by its URL; the index is rebuilt when the list changes. */
function createSellerIndex(all: () => readonly TrustedSeller[]) {
  let indexed: readonly TrustedSeller[] | undefined
  let byUrl = new Map<string, TrustedSeller>()
  return (agentUrl: string): TrustedSeller | undefined => {
    const sellers = all()
    if (sellers !== indexed) {
      indexed = sellers
      // If two have the same URL, the first one counts.
      byUrl = new Map(sellers.map((one) => [one.agentUrl, one] as const).reverse())
    }
    return byUrl.get(agentUrl)
  }
}

const NOT_TRUSTED = { ok: false, reason: 'the agent is no trusted seller' } as const

interface Claim {
  key: FoundKey
  jwksUrl: string | undefined
}

/** Number of keys for which the first known publisher is remembered. */
const MAX_OWNERS = 10_000

function remember(owners: RecentCache<string>, { key }: Claim): void {
  const id = thumbprint(key.jwk)
  if (owners.get(id) === undefined) owners.set(id, key.signer)
}

/** Agents of one operator may share a key set: the first of them represents it. */
function withDistinctKeySets(claims: readonly Claim[]): Claim[] {
  return claims.filter(
    ({ jwksUrl }, at) =>
      jwksUrl === undefined || claims.findIndex((one) => one.jwksUrl === jwksUrl) === at,
  )
}

interface Looking {
  sources: KeySources
  firstReceived: FirstReceived
}

/** Looks at cached documents first. Only a key that is in none of them is worth a new fetch. */
async function claimsOf(
  requested: readonly TrustedSeller[],
  keyid: string,
  { sources, firstReceived }: Looking,
): Promise<Claim[]> {
  const near = requested.filter(sources.isAtHand)
  const known = await Promise.all(
    near.map((one) =>
      // Most sellers have no key with this id, and third parties control how often this is looked up.
      sources.lastKeys(one, keyid).length > 0 ? claimOf(one, keyid, sources.asTheyAre) : undefined,
    ),
  )
  const isKnown = known.some((claim) => claim !== undefined)
  if (isKnown && near.length === requested.length)
    return known.filter((claim) => claim !== undefined)
  const claimsNear = new Map(near.map((seller, at) => [seller, known[at]]))
  const pending = requested.map((seller) => {
    const answer =
      isKnown && claimsNear.has(seller)
        ? Promise.resolve(claimsNear.get(seller))
        : claimOf(seller, keyid, isKnown ? sources.asTheyAre : sources)
    const received = firstReceived(seller.agentUrl, answer)
    const before = sources.lastKeys(seller, keyid)
    return {
      answer,
      // If its key was a different one, the signature distinguishes the two.
      neededFor: ({ key }: Claim) =>
        before.some((jwk) => isSameKey(jwk, key.jwk)) ? answer : received,
    }
  })
  return gatherClaims(pending, MAX_WAIT_MS)
}

/** Maximum wait for documents; a sender stops trying soon after. */
const MAX_WAIT_MS = 10_000

/** How long a seller that has never answered may delay others, since it might claim their key. */
const FIRST_HEARD_MS = 1_000

type FirstReceived = (agentUrl: string, answer: Promise<unknown>) => Promise<unknown>

/** Resolves when a seller has answered once since the start, or its time is over. */
function createFirstReceived(): FirstReceived {
  const received = new Map<string, Promise<unknown>>()
  return (agentUrl, answer) => {
    const known = received.get(agentUrl)
    if (known) return known
    const first = withTimeout(FIRST_HEARD_MS, answer).catch(() => {})
    received.set(agentUrl, first)
    return first
  }
}

/**
 * If the keys differ, the signature determines whose it is. A copy could impersonate a seller that is unreachable.
 */
function isCopyOf(away: AwayKey | undefined, { key, jwksUrl }: Claim): boolean {
  if (!away || away.agentUrl === key.signer || away.jwksUrl === jwksUrl) return false
  return isSameKey(away.jwk, key.jwk)
}

async function claimOf(
  seller: TrustedSeller,
  keyid: string,
  documents: Documents,
): Promise<Claim | undefined> {
  const [published, pinned] = await Promise.all([
    publishedKey(seller, keyid, documents),
    pinnedKey(seller, keyid, documents),
  ])
  if (!pinned.isAdmitted) return undefined
  const { jwksUrl, jwk } = published
  // The pin takes precedence: its members override those of the seller's own key set.
  const key = pinned.jwk ? { ...jwk, ...pinned.jwk } : jwk
  if (!key) return undefined
  const revokedAt = revocationTimeOf(key)
  return {
    jwksUrl,
    key: { jwk: key, signer: seller.agentUrl, ...defined({ revokedAt }) },
  }
}

async function publishedKey(
  seller: TrustedSeller,
  keyid: string,
  { keysOf, refreshKeys }: Documents,
): Promise<{ jwksUrl: string | undefined; jwk?: Jwk }> {
  const { jwksUrl, keys, isNew } = await keysOf(seller)
  const known = keys.ok ? keys.value.get(keyid) : undefined
  if (known) return { jwksUrl, jwk: known }
  if (jwksUrl === undefined || isNew) return { jwksUrl }
  const again = await refreshKeys(jwksUrl)
  const jwk = again?.ok ? again.value.get(keyid) : undefined
  return { jwksUrl, ...defined({ jwk }) }
}

type Pinned = { isAdmitted: true; jwk?: Jwk } | { isAdmitted: false }

async function pinnedKey(
  { agentUrl, pin, publishers = [] }: TrustedSeller,
  keyid: string,
  { pinOf }: Documents,
): Promise<Pinned> {
  let isPinned = pin !== undefined
  const configured = pin && keysById(pin).get(keyid)
  if (configured) return { isAdmitted: true, jwk: configured }
  for (const publisher of publishers) {
    const found = await pinOf(publisher, agentUrl, keyid)
    // Withholding the pin from us must not lift it.
    if (!found.ok) return { isAdmitted: false }
    if (found.jwk) return { isAdmitted: true, jwk: found.jwk }
    isPinned ||= found.isPinned
  }
  return isPinned ? { isAdmitted: false } : { isAdmitted: true }
}

/** `revoked_at` of a pin, in seconds. An unreadable one means revoked from the beginning of time. */
function revocationTimeOf({ revoked_at: at }: Jwk): number | undefined {
  if (at === undefined || at === null) return undefined
  const milliseconds = typeof at === 'string' ? Date.parse(at) : Number.NaN
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1_000)
}

const WARNING_PAUSE_MS = 60_000

/** Logs each warning about each subject at most once a minute: third parties control how often a key is looked up. */
function occasionally(clock: Clock, log: SenderKeysOptions['log']): Warn {
  const lastAt = createRecentCache<number>(1_000)
  return (message, about, fields) => {
    const id = `${message} ${about}`
    const last = lastAt.get(id)
    if (last !== undefined && clock.now() - last < WARNING_PAUSE_MS) return
    lastAt.set(id, clock.now())
    log?.warn({ about, ...fields }, message)
  }
}

// Whose key a keyid names, for the verifier of webhooks (spec 5): from the URL of a trusted seller's
// agent to its brand.json, from the agents[] entry with exactly that URL to its key set, from there
// to the kid. A key belongs to one seller; one that several claim belongs to none.

import { type Clock, systemClock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { createRecentCache } from '../../lib/recent-cache.ts'
import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import type { FindKey, FoundKey, Jwk } from '../../signing/ports.ts'
import { brandJsonUrl, jwksUriOf, loadBrandAgents } from './brand-agents.ts'
import { createDocumentCache, type Loaded } from './document-cache.ts'
import { type KeySet, keysById, loadKeySet } from './key-set.ts'
import { adagentsJsonUrl, loadPins } from './publisher-pin.ts'

/** A seller whose webhooks are accepted. */
export interface TrustedSeller {
  /** The URL of its agent, as its brand.json writes it. */
  agentUrl: string
  /** Its key set. Default: found through its brand.json. */
  jwksUrl?: string
  /** Domains (or origins) of publishers whose adagents.json may pin its keys. Default none. */
  publishers?: readonly string[]
  /** Keys it is pinned to, as `signing_keys` of an adagents.json lists them. Default none. */
  pin?: readonly Jwk[]
}

export interface SenderKeysOptions {
  sellers: readonly TrustedSeller[]
  egress: Pick<Egress, 'fetch'>
  /** Default: the system's clock. */
  clock?: Clock
  /** Hears why a seller's keys could not be found. Default: nobody. */
  log?: Pick<Log, 'warn'>
}

export interface SenderKeys {
  /** Looks among the keys of every trusted seller, or of one; agentUrl names it. */
  find(keyid: string, only?: { seller?: string }): Promise<FoundKey | undefined>
  /** For a route that belongs to one seller. */
  forSeller(agentUrl: string): FindKey
  /** A seller's published keys; `refresh` asks for a new copy, within the cool-down. */
  keySet(agentUrl: string, options?: { refresh?: boolean }): Promise<Loaded<KeySet>>
}

/** Throws a TypeError for a seller or publisher whose address is none. */
export function createSenderKeys({
  sellers,
  egress,
  clock = systemClock,
  log,
}: SenderKeysOptions): SenderKeys {
  const warn = occasionally(clock, log)
  const sources = createSources({ egress, clock, warn })
  const trusted = new Map(sellers.map((seller) => [seller.agentUrl, seller]))
  for (const { agentUrl, publishers = [] } of sellers) {
    for (const url of [brandJsonUrl(agentUrl), ...publishers.map(adagentsJsonUrl)]) new URL(url)
  }

  const find: SenderKeys['find'] = async (keyid, { seller } = {}) => {
    const asked = [...trusted.values()].filter(
      ({ agentUrl }) => seller === undefined || agentUrl === seller,
    )
    const claims = await Promise.all(asked.map((one) => claimOf(one, keyid, sources)))
    const found = claims.filter((claim) => claim !== undefined)
    const [first, ...others] = found
    if (!first) return undefined
    // Agents of one operator may share a key set. A kid in two sets could be somebody's attempt to
    // pass for somebody else, and only a route that names its seller can tell.
    if (others.some(({ jwksUrl }) => jwksUrl !== first.jwksUrl)) {
      const claimants = found.map(({ key }) => key.signer)
      warn('several sellers claim a key', keyid, { sellers: claimants })
      return undefined
    }
    return first.key
  }

  return {
    find,
    forSeller: (agentUrl) => (keyid) => find(keyid, { seller: agentUrl }),
    keySet: async (agentUrl, { refresh = false } = {}) => {
      const seller = trusted.get(agentUrl)
      if (!seller) return { ok: false, reason: 'the agent is no trusted seller' }
      const { jwksUrl, keys } = await sources.keysOf(seller)
      if (!refresh || jwksUrl === undefined) return keys
      return (await sources.keySets.refresh(jwksUrl)) ?? keys
    },
  }
}

interface Claim {
  key: FoundKey
  jwksUrl: string | undefined
}

async function claimOf(
  seller: TrustedSeller,
  keyid: string,
  sources: Sources,
): Promise<Claim | undefined> {
  const [published, pinned] = await Promise.all([
    publishedKey(seller, keyid, sources),
    pinnedKey(seller, keyid, sources),
  ])
  if (!pinned.isAdmitted) return undefined
  const { jwksUrl, jwk } = published
  // The pin wins: its members stand over those of the seller's own key set.
  const key = pinned.jwk ? { ...jwk, ...pinned.jwk } : jwk
  if (!key) return undefined
  const revokedAt = revocationTimeOf(key)
  return {
    jwksUrl,
    key: { jwk: key, signer: seller.agentUrl, ...(revokedAt === undefined ? {} : { revokedAt }) },
  }
}

async function publishedKey(
  seller: TrustedSeller,
  keyid: string,
  sources: Sources,
): Promise<{ jwksUrl: string | undefined; jwk?: Jwk }> {
  const { jwksUrl, keys, isNew } = await sources.keysOf(seller)
  const known = keys.ok ? keys.value.get(keyid) : undefined
  if (known) return { jwksUrl, jwk: known }
  if (jwksUrl === undefined || isNew) return { jwksUrl }
  const again = await sources.keySets.refresh(jwksUrl)
  const jwk = again?.ok ? again.value.get(keyid) : undefined
  return { jwksUrl, ...(jwk ? { jwk } : {}) }
}

type Pinned = { isAdmitted: true; jwk?: Jwk } | { isAdmitted: false }

async function pinnedKey(
  { agentUrl, pin, publishers = [] }: TrustedSeller,
  keyid: string,
  sources: Sources,
): Promise<Pinned> {
  let isPinned = pin !== undefined
  const configured = pin && keysById(pin).get(keyid)
  if (configured) return { isAdmitted: true, jwk: configured }
  for (const publisher of publishers) {
    const found = await sources.pinOf(publisher, agentUrl, keyid)
    // Whoever can keep the pin from us must not thereby lift it.
    if (!found.ok) return { isAdmitted: false }
    if (found.jwk) return { isAdmitted: true, jwk: found.jwk }
    isPinned ||= found.isPinned
  }
  return isPinned ? { isAdmitted: false } : { isAdmitted: true }
}

type PinLookup = { ok: true; isPinned: boolean; jwk?: Jwk } | { ok: false }

type Sources = ReturnType<typeof createSources>

interface SourcesOptions {
  egress: Pick<Egress, 'fetch'>
  clock: Clock
  warn: Warn
}

function createSources({ egress, clock, warn }: SourcesOptions) {
  const { fetch } = egress
  const brands = createDocumentCache({ clock, load: (url) => loadBrandAgents(fetch, url) })
  const keySets = createDocumentCache({ clock, load: (url) => loadKeySet(fetch, url) })
  const pins = createDocumentCache({ clock, load: (url) => loadPins(fetch, url) })
  const lastJwksUrl = createRecentCache<string>(1_000)

  async function jwksUrlOf({ agentUrl, jwksUrl }: TrustedSeller): Promise<Loaded<string>> {
    if (jwksUrl !== undefined) return { ok: true, value: jwksUrl }
    const { loaded } = await brands.get(brandJsonUrl(agentUrl))
    if (!loaded.ok) return loaded
    const uri = jwksUriOf(loaded.value, agentUrl)
    const before = lastJwksUrl.get(agentUrl)
    if (uri.ok && before !== undefined && before !== uri.value) {
      warn('a seller moved its key set', agentUrl, { before, after: uri.value })
    }
    if (uri.ok) lastJwksUrl.set(agentUrl, uri.value)
    return uri
  }

  return {
    keySets,
    keysOf: async (seller: TrustedSeller) => {
      const url = await jwksUrlOf(seller)
      const { loaded, isNew } = url.ok
        ? await keySets.get(url.value)
        : { loaded: url, isNew: false }
      if (!loaded.ok) {
        warn('a seller has no usable keys', seller.agentUrl, { reason: loaded.reason })
      }
      return { jwksUrl: url.ok ? url.value : undefined, keys: loaded as Loaded<KeySet>, isNew }
    },
    pinOf: async (publisher: string, agentUrl: string, keyid: string): Promise<PinLookup> => {
      const url = adagentsJsonUrl(publisher)
      const { loaded, isNew } = await pins.get(url)
      if (!loaded.ok) {
        warn('a publisher has no usable adagents.json', publisher, { reason: loaded.reason })
        return { ok: false }
      }
      const pin = loaded.value.get(agentUrl)
      if (!pin || pin.has(keyid) || isNew) return pinAnswer(pin, keyid)
      const again = await pins.refresh(url)
      return pinAnswer(again?.ok ? again.value.get(agentUrl) : pin, keyid)
    },
  }
}

function pinAnswer(pin: KeySet | undefined, keyid: string): PinLookup {
  const jwk = pin?.get(keyid)
  return { ok: true, isPinned: pin !== undefined, ...(jwk ? { jwk } : {}) }
}

/** `revoked_at` of a pin, in seconds; one that cannot be read revokes from the beginning of time. */
function revocationTimeOf({ revoked_at: at }: Jwk): number | undefined {
  if (at === undefined || at === null) return undefined
  const milliseconds = typeof at === 'string' ? Date.parse(at) : Number.NaN
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1_000)
}

type Warn = (message: string, about: string, fields: Record<string, unknown>) => void

const WARNING_PAUSE_MS = 60_000

/** Each warning about each subject once a minute: strangers decide how often a key is asked for. */
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

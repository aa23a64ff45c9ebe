// Finds where a caller publishes its keys for requests (spec 5): from the URL of its agent, which the operator
// registered, to the agent's capabilities, from there to its brand.json, to the only entry with the agent's URL in
// canonical form, and to the key set, which must be on the host that the agent named. Each failure has its own code.

import type { Clock } from '../lib/clock.ts'
import { sameSite } from '../lib/host-name.ts'
import { toAsciiName } from '../lib/idna.ts'
import { isUrl } from '../lib/is-url.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import type { DiscoveryFailure } from '../signing/profile.ts'
import { defaultJwksUri, loadBrand } from './brand-agents.ts'
import { type CallerBrand, readCallerBrand } from './caller-brand.ts'
import { createDocumentCache, type Loaded } from './document-cache.ts'
import type { Fetch } from './fetch-document.ts'
import type { FetchLimiter } from './fetch-limiter.ts'
import type { KeyLocator } from './key-locator.ts'

/** An agent's response when its capabilities are requested without a key. */
export type ReadCapabilities = (
  agentUrl: string,
) => Promise<{ ok: true; capabilities: Record<string, unknown> } | { ok: false; reason: string }>

export interface CallerLocatorOptions {
  readCapabilities: ReadCapabilities
  fetch: Fetch
  gate: FetchLimiter
  clock: Clock
  /** How long a failure is remembered, in milliseconds. */
  failureTtlMs: number
}

export function createCallerLocator(options: CallerLocatorOptions): KeyLocator {
  const { readCapabilities, fetch, gate, clock, failureTtlMs } = options
  const kept = { clock, failureTtlMs }
  const identities = createDocumentCache({
    ...kept,
    load: gate(async (agentUrl): Promise<Loaded<CallerIdentity>> => {
      const read = await readCapabilities(agentUrl)
      if (read.ok) return identityIn(read.capabilities)
      return refuse('signature_capabilities_unreachable', read.reason)
    }),
  })
  const brands = createDocumentCache({
    ...kept,
    load: gate(async (url): Promise<Loaded<CallerBrand>> => {
      const brand = await loadBrand(fetch, url)
      return brand.ok ? readCallerBrand(brand.value) : brand
    }),
  })
  const found = new WeakMap<CallerIdentity, { brand: CallerBrand; keySet: Loaded<string> }>()
  // The same two documents give the same result, and each unknown key id checks every registered agent.
  const located = (brand: CallerBrand, agentUrl: string, identity: CallerIdentity) => {
    const before = found.get(identity)
    if (before?.brand === brand) return before.keySet
    const keySet = keySetIn(brand, agentUrl, identity)
    found.set(identity, { brand, keySet })
    return keySet
  }
  return {
    find: async (agentUrl) => {
      const { loaded: identity } = await identities.get(agentUrl)
      if (!identity.ok) return identity
      const { loaded: brand } = await brands.get(identity.value.brandJsonUrl)
      return brand.ok ? located(brand.value, agentUrl, identity.value) : brand
    },
    atHand: (agentUrl) => {
      const identity = identities.atHand(agentUrl)
      if (!identity?.ok) return identity
      const brand = brands.atHand(identity.value.brandJsonUrl)
      return brand?.ok ? located(brand.value, agentUrl, identity.value) : brand
    },
    forget: (agentUrl) => {
      const identity = identities.atHand(agentUrl)
      if (identity?.ok) brands.forget(identity.value.brandJsonUrl)
      identities.forget(agentUrl)
    },
  }
}

interface CallerIdentity {
  brandJsonUrl: string
  /** The host of the keys for requests, including the port if present. */
  keyOrigin: string | undefined
}

function identityIn({ identity }: Record<string, unknown>): Loaded<CallerIdentity> {
  const { brand_json_url: url, key_origins: origins } = isObject(identity) ? identity : {}
  if (typeof url !== 'string' || !isUrl(url)) {
    const reason = 'its capabilities have no identity.brand_json_url'
    return refuse('signature_brand_json_url_missing', reason)
  }
  const origin = isObject(origins) ? origins.request_signing : undefined
  const keyOrigin = typeof origin === 'string' ? origin : undefined
  return { ok: true, value: { brandJsonUrl: url, keyOrigin } }
}

function keySetIn(
  brand: CallerBrand,
  agentUrl: string,
  { brandJsonUrl, keyOrigin }: CallerIdentity,
): Loaded<string> {
  const agentHost = new URL(agentUrl).hostname
  if (!sameSite(agentHost, new URL(brandJsonUrl).hostname) && !brand.isOperator(agentHost)) {
    const reason = `${brandJsonUrl} is of another domain than the agent, which it does not list as authorized`
    return refuse('signature_brand_origin_mismatch', reason)
  }
  const entry = brand.entryOf(agentUrl)
  if (!entry.ok) return entry
  const { url, jwksUri = defaultJwksUri(url) } = entry.value
  if (!isUrl(jwksUri)) return refuse('signature_jwks_untrusted', 'its jwks_uri is no URL')
  if (keyOrigin === undefined) {
    const reason = 'its capabilities have no identity.key_origins.request_signing'
    return refuse('signature_key_origin_missing', reason)
  }
  if (isAtOrigin(jwksUri, keyOrigin)) return { ok: true, value: jwksUri }
  const reason = 'its key set is not on the host of identity.key_origins.request_signing'
  return refuse('signature_key_origin_mismatch', reason)
}

/** An origin is a host with an optional port, or a URL of which only the host and port count. */
function isAtOrigin(url: string, origin: string): boolean {
  const { hostname, host } = new URL(url)
  const bare = origin.replace(SCHEME, '').replace(AFTER_HOST, '').toLowerCase()
  const named = toAsciiName(bare) ?? bare
  return named === hostname || named === host || bare === host
}

const SCHEME = /^https?:\/\//i
const AFTER_HOST = /[/?#].*$/s

function refuse(failure: DiscoveryFailure, reason: string): Loaded<never> {
  return { ok: false, reason, failure }
}

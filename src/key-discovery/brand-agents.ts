// Finds a seller's agent in its brand.json, and from there its key set (spec 5). The document may redirect to another
// one, once. The agent is the entry with the same URL; trailing slashes are ignored.

import { normaliseHost } from '../lib/host-name.ts'
import { plainText } from '../lib/plain-text.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { sameAgentUrl } from './agent-url.ts'
import type { Loaded } from './document-cache.ts'
import { type Fetch, type Fetched, fetchDocument, MAX_BRAND_JSON_BYTES } from './fetch-document.ts'
import { KEY_DISCOVERY_LIMITS } from './limits.ts'

const BRAND_JSON = '/.well-known/brand.json'
const JWKS_JSON = '/.well-known/jwks.json'

/** Where the seller of an agent publishes its brand.json. */
export function brandJsonUrl(agentUrl: string): string {
  return new URL(BRAND_JSON, agentUrl).href
}

/** The agents of a brand.json, after following at most one pointer. */
export async function loadBrandAgents(fetch: Fetch, url: string): Promise<Loaded<BrandAgent[]>> {
  const loaded = await loadBrand(fetch, url)
  return loaded.ok ? { ok: true, value: agentsOf(loaded.value) } : loaded
}

/** A brand.json, after following at most one pointer. */
export async function loadBrand(
  fetch: Fetch,
  url: string,
): Promise<Loaded<Record<string, unknown>>> {
  const first = await fetchDocument(fetch, url, MAX_BRAND_JSON_BYTES)
  if (!first.ok) return notLoaded(first)
  const pointer = pointerOf(first.document)
  if (pointer === undefined) return asBrand(first.document)

  const second = await fetchDocument(fetch, pointer, MAX_BRAND_JSON_BYTES)
  if (!second.ok) return notLoaded({ ...second, reason: `${pointer}: ${second.reason}` })
  if (pointerOf(second.document) !== undefined) {
    return malformed(`${pointer} sends on again: one pointer is followed`)
  }
  return asBrand(second.document)
}

function notLoaded({ fault, reason }: Fetched & { ok: false }): Loaded<never> {
  if (fault === 'malformed') return malformed(reason)
  return { ok: false, reason, failure: 'signature_brand_json_unreachable' }
}

function asBrand(document: unknown): Loaded<Record<string, unknown>> {
  if (!isObject(document)) return malformed('the answer is no JSON object')
  const most = KEY_DISCOVERY_LIMITS.brandEntries.value
  if (agentsOf(document).length > most) return malformed(`it has more than ${most} agents`)
  return { ok: true, value: document }
}

export function malformed(reason: string): Loaded<never> {
  return { ok: false, reason, failure: 'signature_brand_json_malformed' }
}

export interface BrandAgent {
  url: string
  jwksUri: string | undefined
}

export function jwksUriOf(agents: readonly BrandAgent[], agentUrl: string): Loaded<string> {
  const wanted = sameAgentUrl(agentUrl)
  const alike = agents.filter(({ url }) => sameAgentUrl(url) === wanted)
  const exact = alike.filter(({ url }) => url === agentUrl)
  const [entry, ...more] = exact.length > 0 ? exact : alike
  if (!entry) return noEntry(agents)
  if (more.length > 0) return severalEntries()
  return { ok: true, value: entry.jwksUri ?? defaultJwksUri(agentUrl) }
}

/** The default location of an agent's keys if its entry does not specify one. */
export function defaultJwksUri(agentUrl: string): string {
  return new URL(JWKS_JSON, agentUrl).href
}

const MAX_NAMED = 5

export function noEntry(agents: readonly BrandAgent[]): Loaded<never> {
  const known = agents.slice(0, MAX_NAMED).map(({ url }) => plainText(url))
  const which = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`
  const reason = `no entry of agents[] has this URL: ${which}`
  return { ok: false, reason, failure: 'signature_agent_not_in_brand_json' }
}

export function severalEntries(): Loaded<never> {
  const reason = 'several entries of agents[] have this URL'
  return { ok: false, reason, failure: 'signature_brand_json_ambiguous' }
}

function pointerOf(document: unknown): string | undefined {
  if (!isObject(document)) return undefined
  const { authoritative_location: location, house } = document
  if (typeof location === 'string') return location
  if (typeof house !== 'string') return undefined
  const host = normaliseHost(house)
  return `https://${host.ok ? host.domain : house}${BRAND_JSON}`
}

/** The agents of the document and of each brand in it. The rest of the document is ignored. */
export function agentsOf(document: Record<string, unknown>): BrandAgent[] {
  const brands = Array.isArray(document.brands) ? document.brands.filter(isObject) : []
  return [document, ...brands].flatMap(({ agents }) =>
    Array.isArray(agents) ? agents.flatMap(agentOf) : [],
  )
}

function agentOf(entry: unknown): BrandAgent[] {
  if (!isObject(entry) || typeof entry.url !== 'string') return []
  const { url, jwks_uri: uri } = entry
  if (uri === undefined) return [{ url, jwksUri: undefined }]
  // An entry with a broken jwks_uri still counts as the entry for its URL: no key set is found, and the default is
  // not used.
  return [{ url, jwksUri: typeof uri === 'string' ? uri : '' }]
}

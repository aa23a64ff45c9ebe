// Finds a seller's agent in its brand.json, and from there its key set (spec 5). The document may
// send on to another one, once; the agent is the one whose URL is equal, but for a slash at its end.

import { normaliseHost } from '../lib/host-name.ts'
import { plainText } from '../lib/plain-text.ts'
import { isObject } from '../protocol/manifest-variants.ts'
import { sameAgentUrl } from './agent-url.ts'
import type { Loaded } from './document-cache.ts'
import { type Fetch, fetchDocument, MAX_BRAND_JSON_BYTES } from './fetch-document.ts'

const BRAND_JSON = '/.well-known/brand.json'
const JWKS_JSON = '/.well-known/jwks.json'

/** Where the seller of an agent publishes its brand.json. */
export function brandJsonUrl(agentUrl: string): string {
  return new URL(BRAND_JSON, agentUrl).href
}

/** The agents of a brand.json, its one possible pointer followed. */
export async function loadBrandAgents(fetch: Fetch, url: string): Promise<Loaded<BrandAgent[]>> {
  const first = await fetchDocument(fetch, url, MAX_BRAND_JSON_BYTES)
  if (!first.ok) return first
  const pointer = pointerOf(first.document)
  if (pointer === undefined) return { ok: true, value: agentsOf(first.document) }

  const second = await fetchDocument(fetch, pointer, MAX_BRAND_JSON_BYTES)
  if (!second.ok) return { ok: false, reason: `${pointer}: ${second.reason}` }
  if (pointerOf(second.document) !== undefined) {
    return { ok: false, reason: `${pointer} sends on again: one pointer is followed` }
  }
  return { ok: true, value: agentsOf(second.document) }
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
  if (!entry) return { ok: false, reason: noEntry(agents) }
  if (more.length > 0) return { ok: false, reason: 'several entries of agents[] have this URL' }
  return { ok: true, value: entry.jwksUri ?? new URL(JWKS_JSON, agentUrl).href }
}

const MAX_NAMED = 5

function noEntry(agents: readonly BrandAgent[]): string {
  const known = agents.slice(0, MAX_NAMED).map(({ url }) => plainText(url))
  const which = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`
  return `no entry of agents[] has this URL: ${which}`
}

function pointerOf(document: unknown): string | undefined {
  if (!isObject(document)) return undefined
  const { authoritative_location: location, house } = document
  if (typeof location === 'string') return location
  if (typeof house !== 'string') return undefined
  const host = normaliseHost(house)
  return `https://${host.ok ? host.domain : house}${BRAND_JSON}`
}

/** Those of the document and of each brand in it. What else the document says is not looked at. */
function agentsOf(document: unknown): BrandAgent[] {
  if (!isObject(document)) return []
  const brands = Array.isArray(document.brands) ? document.brands.filter(isObject) : []
  return [document, ...brands].flatMap(({ agents }) =>
    Array.isArray(agents) ? agents.flatMap(agentOf) : [],
  )
}

function agentOf(entry: unknown): BrandAgent[] {
  if (!isObject(entry) || typeof entry.url !== 'string') return []
  const { url, jwks_uri: uri } = entry
  if (uri === undefined) return [{ url, jwksUri: undefined }]
  // An entry with a broken jwks_uri still stands for its URL: no key set is found, not a default one.
  return [{ url, jwksUri: typeof uri === 'string' ? uri : '' }]
}

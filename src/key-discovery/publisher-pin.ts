// A publisher's pin (spec 5): if an adagents.json lists a seller's signing keys, no other key of that seller is
// accepted, whatever the seller's own key set says.

import { isObject } from '../protocol/schemas/checks.ts'
import { sameAgentUrl } from './agent-url.ts'
import type { Loaded } from './document-cache.ts'
import { type Fetch, fetchDocument, MAX_ADAGENTS_JSON_BYTES } from './fetch-document.ts'
import { type KeySet, keysById } from './key-set.ts'

/** Pins by the URL of the agent they are for, without a trailing slash. */
export type Pins = ReadonlyMap<string, KeySet>

/** The address of the adagents.json for a publisher's domain or origin. */
export function adagentsJsonUrl(publisher: string): string {
  const origin = publisher.includes('://') ? publisher : `https://${publisher}`
  return new URL('/.well-known/adagents.json', origin).href
}

/** The pins of an adagents.json, after following at most one pointer. No document means no pins. */
export async function loadPins(fetch: Fetch, url: string): Promise<Loaded<Pins>> {
  const first = await fetchDocument(fetch, url, MAX_ADAGENTS_JSON_BYTES)
  if (!first.ok) return first.isAbsent ? { ok: true, value: new Map() } : first
  const pointer = pointerOf(first.document)
  if (pointer === undefined) return pinsOf(first.document)

  const second = await fetchDocument(fetch, pointer, MAX_ADAGENTS_JSON_BYTES)
  if (!second.ok) return { ok: false, reason: `${pointer}: ${second.reason}` }
  if (pointerOf(second.document) !== undefined) {
    return { ok: false, reason: `${pointer} sends on again: one pointer is followed` }
  }
  return pinsOf(second.document)
}

function pointerOf(document: unknown): string | undefined {
  const location = isObject(document) ? document.authoritative_location : undefined
  return typeof location === 'string' ? location : undefined
}

function pinsOf(document: unknown): Loaded<Pins> {
  if (!isObject(document) || !Array.isArray(document.authorized_agents)) {
    return { ok: false, reason: 'the answer is no adagents.json: authorized_agents is expected' }
  }
  const listed = new Map<string, unknown[]>()
  for (const agent of document.authorized_agents.filter(isObject)) {
    const { url: written, signing_keys: keys } = agent
    if (typeof written !== 'string' || keys === undefined) continue
    const url = sameAgentUrl(written)
    // A pin that is not a list contains no key, and so accepts none.
    listed.set(url, [...(listed.get(url) ?? []), ...(Array.isArray(keys) ? keys : [])])
  }
  return { ok: true, value: new Map([...listed].map(([url, keys]) => [url, keysById(keys)])) }
}

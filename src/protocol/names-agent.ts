// Whether a manifest lists an agent by its URL and id, for the proof that an agent reference needs (spec 2.1, 3.1).
// Expects documents that passed the check of their type.

import { canonicalUrl } from '../lib/canonical-url.ts'
import type { ManifestType } from './manifest-reference.ts'
import { isObject } from './schemas/checks.ts'

export interface AgentQuestion {
  url: string
  id: string
  /** The time at which an authorization must be valid, in milliseconds. */
  now: number
}

/** `other_id` if the URL is listed but not with this id. */
export type AgentNaming = 'named' | 'other_id' | 'not_named'

export function namesAgent(
  document: unknown,
  type: ManifestType,
  question: AgentQuestion,
): AgentNaming {
  const isRequested = requestedUrl(question.url)
  if (!isObject(document) || !isRequested) return 'not_named'
  let found: AgentNaming = 'not_named'
  const entries = type === 'brand.json' ? brandAgents(document) : authorized(document, question.now)
  for (const { url, ids } of entries) {
    if (!isRequested(url)) continue
    const known = ids()
    // A file without agent ids identifies its agents only by their URLs.
    if (known.length === 0 || known.includes(question.id)) return 'named'
    found = 'other_id'
  }
  return found
}

/** An agent of a manifest; its ids are only collected when its URL is the requested one. */
interface Entry {
  url: unknown
  ids: () => unknown[]
}

type Fields = Record<string, unknown>

/** The agents of the file, and those of each brand in it. */
function* brandAgents(document: Fields): Iterable<Entry> {
  for (const owner of [document, ...objectsOf(document.brands)]) {
    const older = [owner.brand_agent, owner.rights_agent].filter(isObject)
    for (const agent of [...objectsOf(owner.agents), ...older]) {
      yield { url: agent.url, ids: () => [agent.id] }
    }
  }
}

/** Authorizations that are valid now. An id is one of the properties that the agent may sell. */
function* authorized(document: Fields, now: number): Iterable<Entry> {
  for (const agent of objectsOf(document.authorized_agents)) {
    if (isOver(agent, now)) continue
    yield { url: agent.url, ids: () => propertyIds(agent, document) }
  }
}

function isOver({ effective_from, effective_until }: Fields, now: number): boolean {
  const from = typeof effective_from === 'string' ? Date.parse(effective_from) : Number.NaN
  const until = typeof effective_until === 'string' ? Date.parse(effective_until) : Number.NaN
  return now < from || now >= until
}

/** An entry that lists no properties applies to all properties of the file. */
function propertyIds(agent: Fields, document: Fields): unknown[] {
  const listed = Array.isArray(agent.property_ids) ? (agent.property_ids as unknown[]) : []
  const own = [...listed, ...objectsOf(agent.properties).map(({ property_id }) => property_id)]
  const ids = own.length > 0 ? own : objectsOf(document.properties).map((one) => one.property_id)
  return agent.id === undefined ? ids : [agent.id, ...ids]
}

function objectsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

const BEYOND_ASCII = /\P{ASCII}/u

/** Compares with one URL; most others are rejected without parsing them. */
function requestedUrl(requested: string): ((url: unknown) => boolean) | undefined {
  const canonical = canonicalUrl(requested)
  if (canonical === undefined) return undefined
  const host = new URL(canonical).hostname
  return (url) => {
    if (typeof url !== 'string') return false
    if (!BEYOND_ASCII.test(url) && !url.toLowerCase().includes(host)) return false
    return canonicalUrl(url) === canonical
  }
}

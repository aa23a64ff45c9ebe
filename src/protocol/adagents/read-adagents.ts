// Parses the bytes of an adagents.json, strictly as data: reports every error with its location, and ignores
// everything that an error affects. A pure function, so that it can run where it does not block others.

import { type BoundedJsonLimits, parseBoundedJson } from '../../lib/bounded-json.ts'
import { parseUrl } from '../../lib/is-url.ts'
import { jsonFault, linesOfPointers } from '../../lib/json-places.ts'
import { parseStrictJson } from '../../lib/strict-json.ts'
import { createFaults, type Faults, type FileFault, quoted } from './faults.ts'
import {
  below,
  domainOf,
  type FileMembers,
  isMembers,
  kindOf,
  listAt,
  textAt,
  timeAt,
} from './fields.ts'
import type { FileEntry, FileProperty, PublisherFile, Revocation } from './file-model.ts'
import { ADAGENTS_LIMITS, type AdagentsBounds } from './limits.ts'
import { readEntry } from './read-entry.ts'
import { countOf, readProperty } from './read-property.ts'

export interface AdagentsQuestion extends AdagentsBounds {
  /** The domain whose well-known path has the file: properties that name no publisher belong to it. */
  ownDomain: string | null
}

interface Report {
  faults: FileFault[]
  total_faults: number
  /** Whether there are no errors in any entry. */
  is_clean: boolean
}

export type AdagentsReading = Report &
  (
    | { kind: 'broken'; reason: 'not_json' | 'not_valid' }
    | { kind: 'pointer'; location: string; last_updated: number | null }
    | { kind: 'inline'; file: PublisherFile }
  )

const JSON_BOUNDS: BoundedJsonLimits = {
  maxDepth: 64,
  maxValues: ADAGENTS_LIMITS.adagentsValues.value,
  maxMembers: 50_000,
}

/** Never throws. Time and memory grow with the number of bytes, and not with the content. */
export function readAdagents(bytes: Uint8Array, question: AdagentsQuestion): AdagentsReading {
  const faults = createFaults()
  const document = parse(bytes, faults)
  if (document === undefined) return { kind: 'broken', reason: 'not_json', ...reportOf(faults) }
  const read = readDocument(document.value, faults, question)
  return { ...read, ...reportOf(faults, document.text) }
}

function parse(bytes: Uint8Array, faults: Faults): { value: unknown; text: string } | undefined {
  const bounded = parseBoundedJson(bytes, JSON_BOUNDS)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (!bounded.ok) {
    const fault = bounded.reason === 'not_json' ? jsonFault(text) : undefined
    faults.error('', PARSE_FAULTS[bounded.reason] + (fault ? `, column ${fault.column}` : ''))
    const [first] = faults.list
    if (first && fault) first.line = fault.line
    return undefined
  }
  const strict = parseStrictJson(text)
  if (!strict.ok) {
    const names =
      strict.reason === 'duplicate_keys'
        ? `: ${strict.keys.slice(0, 5).map(quoted).join(', ')}`
        : ''
    faults.error('', `has the same member twice in one object${names}`)
    return undefined
  }
  return { value: bounded.value, text }
}

const PARSE_FAULTS = {
  not_utf8: 'the file is not UTF-8',
  not_json: 'the file is not valid JSON from this point on',
  too_deep: `the file has more than ${JSON_BOUNDS.maxDepth} levels`,
  too_many_values: `the file has more than ${JSON_BOUNDS.maxValues} values`,
  too_wide: `the file has an object of more than ${JSON_BOUNDS.maxMembers} members`,
} as const

function reportOf(faults: Faults, text?: string): Report {
  const { list, total, errors } = faults
  const lines =
    text === undefined
      ? undefined
      : linesOfPointers(
          text,
          list.map(({ pointer }) => pointer),
        )
  return {
    faults: list.map((fault) => {
      const line = fault.line ?? lines?.get(fault.pointer)
      return line === undefined ? fault : { ...fault, line }
    }),
    total_faults: total,
    is_clean: errors === 0,
  }
}

type Read =
  | { kind: 'broken'; reason: 'not_valid' }
  | { kind: 'pointer'; location: string; last_updated: number | null }
  | { kind: 'inline'; file: PublisherFile }
const BROKEN = { kind: 'broken', reason: 'not_valid' } as const

function readDocument(document: unknown, faults: Faults, question: AdagentsQuestion): Read {
  const place = { pointer: '', faults }
  if (!isMembers(document)) {
    faults.error('', `must be an object (got ${kindOf(document)})`)
    return BROKEN
  }
  const last_updated = timeAt(document, 'last_updated', place) ?? null
  if (document.authoritative_location !== undefined) {
    const location = readLocation(document, faults, question)
    return location === undefined ? BROKEN : { kind: 'pointer', location, last_updated }
  }
  if (!Array.isArray(document.authorized_agents)) {
    faults.error(
      '/authorized_agents',
      `must be a list of agents, or the file must have an authoritative_location (got ${kindOf(document.authorized_agents)})`,
    )
    return BROKEN
  }
  const file = readInline(document, faults, question)
  return file === undefined ? BROKEN : { kind: 'inline', file: { ...file, last_updated } }
}

function readLocation(
  document: FileMembers,
  faults: Faults,
  { allowHttp }: AdagentsQuestion,
): string | undefined {
  if (document.authorized_agents !== undefined) {
    faults.error('/authorized_agents', 'cannot be in a file that has an authoritative_location')
    return undefined
  }
  const place = { pointer: '', faults }
  const text = textAt(document, 'authoritative_location', { place, max: 2_048 })
  if (text === undefined) return undefined
  const url = parseUrl(text)
  const isSecure = url?.protocol === 'https:' || (allowHttp && url?.protocol === 'http:')
  if (!url || !isSecure || url.username !== '' || url.password !== '' || /\s/.test(text)) {
    faults.error('/authoritative_location', `must be an https URL (got ${quoted(text)})`)
    return undefined
  }
  url.hash = ''
  return url.href
}

function readInline(
  document: FileMembers,
  faults: Faults,
  { ownDomain, allowHttp, maxProperties }: AdagentsQuestion,
): Omit<PublisherFile, 'last_updated'> | undefined {
  const place = { pointer: '', faults }
  const agents = listAt(document, 'authorized_agents', place)
  const mostAgents = ADAGENTS_LIMITS.adagentsAgents.value
  if (agents.length > mostAgents) {
    faults.error(
      '/authorized_agents',
      `must have at most ${mostAgents} entries (got ${agents.length})`,
    )
    return undefined
  }
  const properties: FileProperty[] = []
  let n = 0
  const readAll = (values: readonly unknown[], pointer: string, entry: number | null) => {
    for (const [index, value] of values.entries()) {
      if (n >= maxProperties) return faults.error(pointer, tooMany(maxProperties))
      const at = { pointer: `${pointer}/${index}`, faults, n: n++, entry, ownDomain }
      const property = readProperty(value, at)
      if (property) properties.push(property)
    }
  }
  readAll(listAt(document, 'properties', place), '/properties', null)
  const entries: FileEntry[] = []
  for (const [index, value] of agents.entries()) {
    const at = { pointer: `/authorized_agents/${index}`, faults, n: index, allowHttp }
    const entry = readEntry(value, at)
    if (!entry) continue
    entries.push(entry)
    if (entry.authorization_type !== 'inline_properties') continue
    readAll((value as { properties: unknown[] }).properties, `${at.pointer}/properties`, index)
  }
  if (isTooLarge(properties, entries, { faults, maxProperties, document })) return undefined
  warnOfRepeats(entries, properties, faults)
  return {
    properties,
    entries,
    revoked: readRevoked(document, faults),
    contact: contactOf(document.contact),
    counts: {
      formats: countOf(document.formats),
      placements: countOf(document.placements),
      signals: countOf(document.signals),
      collections: countOf(document.collections),
    },
  }
}

const tooMany = (most: number) => `must have at most ${most} properties in all`

/**
 * The multiplicative effect of a file is limited as a product: each entry may apply to each publisher that the file
 * describes.
 */
function isTooLarge(
  properties: readonly FileProperty[],
  entries: readonly FileEntry[],
  {
    faults,
    maxProperties,
    document,
  }: { faults: Faults; maxProperties: number; document: FileMembers },
): boolean {
  if (countOf(document.properties) > maxProperties) return true
  const publishers = new Set(properties.map(({ publisher_domain }) => publisher_domain)).size
  const pairs = entries.reduce(
    (sum, { selectors }) =>
      sum +
      selectors.reduce(
        (most, { publisher_domains }) => most + (publisher_domains?.length ?? publishers),
        0,
      ),
    0,
  )
  const chosen = entries.reduce((sum, entry) => sum + mayChoose(entry, properties.length), 0)
  const mostPairs = ADAGENTS_LIMITS.adagentsPairs.value
  const mostChosen = ADAGENTS_LIMITS.adagentsChosen.value
  if (pairs > mostPairs) {
    faults.error(
      '/authorized_agents',
      `must name at most ${mostPairs} pairs of an agent and a publisher (got ${pairs})`,
    )
  }
  if (chosen > mostChosen) {
    faults.error(
      '/authorized_agents',
      `must choose at most ${mostChosen} properties, each counted for every entry (got up to ${chosen})`,
    )
  }
  return pairs > mostPairs || chosen > mostChosen
}

/** An upper bound, computed without selecting properties. */
function mayChoose({ selectors }: FileEntry, properties: number): number {
  const isListed = selectors.every(({ by }) => by === 'ids')
  const listed = selectors.reduce((sum, { values }) => sum + values.length, 0)
  if (selectors.length === 0) return 0
  return isListed ? Math.min(listed, properties) : properties
}

function warnOfRepeats(
  entries: readonly FileEntry[],
  properties: readonly FileProperty[],
  faults: Faults,
): void {
  const agents = new Set<string>()
  for (const { agent_url, n } of entries) {
    if (agents.has(agent_url)) {
      faults.warn(
        `/authorized_agents/${n}/url`,
        `is the agent of another entry: some readers then accept none (got ${quoted(agent_url)})`,
      )
    }
    agents.add(agent_url)
  }
  const ids = new Set<string>()
  for (const { property_id, publisher_domain, n, entry } of properties) {
    if (entry !== null) continue
    const key = `${publisher_domain} ${property_id}`
    if (ids.has(key))
      faults.warn(
        `/properties/${n}/property_id`,
        `is the id of another property of this publisher (got ${quoted(property_id)})`,
      )
    ids.add(key)
  }
}

function readRevoked(document: FileMembers, faults: Faults): Revocation[] {
  const place = { pointer: '', faults }
  const list = below(place, 'revoked_publisher_domains')
  return listAt(document, 'revoked_publisher_domains', place).flatMap((value, index) => {
    const at = below(list, index)
    if (!isMembers(value)) {
      at.faults.error(
        at.pointer,
        `must be an object with a publisher_domain (got ${kindOf(value)})`,
      )
      return []
    }
    const publisher_domain = domainOf(value.publisher_domain, below(at, 'publisher_domain'))
    // A revocation with an invalid time still counts as a revocation.
    const revoked_at = timeAt(value, 'revoked_at', at) ?? null
    const reason = textAt(value, 'reason', { place: at, isRequired: false }) ?? null
    return publisher_domain === undefined ? [] : [{ publisher_domain, revoked_at, reason }]
  })
}

function contactOf(value: unknown): PublisherFile['contact'] {
  if (!isMembers(value)) return null
  const { name, email } = value
  return {
    ...(typeof name === 'string' ? { name: name.slice(0, 255) } : {}),
    ...(typeof email === 'string' ? { email: email.slice(0, 254) } : {}),
  }
}

// A property of an adagents.json: its type, its publisher, and its identifiers.

import { normaliseDomain, normaliseHost } from '../../lib/host-name.ts'
import { isStorable } from '../../lib/storable-text.ts'
import { type Faults, quoted } from './faults.ts'
import { below, domainOf, isMembers, listAt, membersOf, type Place, textAt } from './fields.ts'
import type { FileProperty, PropertyIdentifier } from './file-model.ts'
import { ADAGENTS_LIMITS } from './limits.ts'

export interface PropertyPlace {
  pointer: string
  faults: Faults
  n: number
  /** The entry that brings it. */
  entry: number | null
  /** The publisher of a property if the file does not name one; null if that is not the host of the file. */
  ownDomain: string | null
}

/** Undefined if it is not a valid property. */
export function readProperty(value: unknown, place: PropertyPlace): FileProperty | undefined {
  const members = membersOf(value, place)
  if (!members) return undefined
  const { ownDomain, n, entry } = place
  const property_type = textAt(members, 'property_type', { place, max: 64 })
  const name = textAt(members, 'name', { place })
  const identifiers = readIdentifiers(listAt(members, 'identifiers', place), place)
  if (identifiers.length === 0) {
    place.faults.error(`${place.pointer}/identifiers`, 'must have at least one identifier')
  }
  const explicit =
    members.publisher_domain === undefined
      ? null
      : domainOf(members.publisher_domain, below(place, 'publisher_domain'))
  const [first] = identifiers
  const given = textAt(members, 'property_id', { place, isRequired: false })
  if (property_type === undefined || name === undefined || !first || explicit === undefined) {
    return undefined
  }
  return {
    n,
    property_id: given ?? `${first.type}:${first.value}`.slice(0, 255),
    property_type,
    name,
    publisher_domain: explicit ?? ownDomain ?? domainIn(identifiers),
    identifiers,
    tags: tagsOf(listAt(members, 'tags', place)),
    entry,
  }
}

/** If a file at another host does not name a publisher, the property belongs to the domain in its identifiers. */
function domainIn(identifiers: readonly PropertyIdentifier[]): string | null {
  const domain = identifiers.find(({ type }) => type === 'domain')
  return domain ? siteOf(domain.value) : null
}

function siteOf(value: string): string | null {
  const named = normaliseDomain(value.startsWith('*.') ? value.slice(2) : value)
  return named.ok ? named.domain : null
}

function readIdentifiers(values: readonly unknown[], place: Place): PropertyIdentifier[] {
  const most = ADAGENTS_LIMITS.adagentsIdentifiers.value
  if (values.length > most) {
    place.faults.error(
      `${place.pointer}/identifiers`,
      `must have at most ${most} identifiers (got ${values.length})`,
    )
    return []
  }
  const read: PropertyIdentifier[] = []
  const list = below(place, 'identifiers')
  for (const [index, value] of values.entries()) {
    const at = below(list, index)
    const members = membersOf(value, at)
    if (!members) continue
    const type = textAt(members, 'type', { place: at, max: 64 })
    const text = textAt(members, 'value', { place: at, max: 1_024 })
    if (type === undefined || text === undefined) continue
    const canonical = canonicalIdentifier(type, text)
    if (canonical !== undefined) read.push({ type, value: canonical })
    else at.faults.error(`${at.pointer}/value`, `must be a domain (got ${quoted(text)})`)
  }
  return read
}

/**
 * The canonical spelling for comparing identifiers; undefined for an invalid domain. A domain may begin with `*.`,
 * which matches its subdomains.
 */
export function canonicalIdentifier(type: string, value: string): string | undefined {
  if (type === 'rss_url') return canonicalFeed(value)
  if (type !== 'domain' && type !== 'subdomain') return value.toLowerCase()
  const isWildcard = value.startsWith('*.')
  const normalise = type === 'domain' ? normaliseDomain : normaliseHost
  const named = normalise(isWildcard ? value.slice(2) : value)
  if (!named.ok) return undefined
  const bare = type === 'domain' ? withoutMobile(named.domain) : named.domain
  return isWildcard ? `*.${bare}` : bare
}

/** `m.` is removed like `www.`, unless nothing would be left of the domain. */
function withoutMobile(domain: string): string {
  return /^m\.[^.]+\../.test(domain) ? domain.slice(2) : domain
}

function canonicalFeed(value: string): string {
  const [, origin = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/is.exec(value) ?? []
  return origin === '' ? value : origin.toLowerCase() + rest
}

function tagsOf(values: readonly unknown[]): string[] {
  const texts = values.filter(
    (value): value is string =>
      typeof value === 'string' && value.length <= 255 && isStorable(value),
  )
  return [...new Set(texts)].slice(0, MAX_TAGS)
}

const MAX_TAGS = 100

/** Counts of a list that is not parsed here. */
export function countOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return isMembers(value) ? Object.keys(value).length : 0
}

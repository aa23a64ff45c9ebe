// An entry of `authorized_agents`: an error in what it authorizes, or in when and where, makes the entry authorize
// nothing.

import { hasValidALabels } from '../../lib/idna.ts'
import { canonicalAgentUrl } from '../agent-url.ts'
import { quoted } from './faults.ts'
import {
  below,
  domainOf,
  type FileMembers,
  isMembers,
  membersOf,
  type Place,
  textAt,
  textsAt,
  timeAt,
} from './fields.ts'
import {
  AUTHORIZATION_TYPES,
  type AuthorizationType,
  type FileEntry,
  type PinnedKey,
  type Selector,
} from './file-model.ts'

export interface EntryPlace extends Place {
  n: number
  allowHttp: boolean
}

/** The member that each type requires. */
const COMPANIONS: Readonly<Record<AuthorizationType, string>> = {
  property_ids: 'property_ids',
  property_tags: 'property_tags',
  inline_properties: 'properties',
  publisher_properties: 'publisher_properties',
  signal_ids: 'signal_ids',
  signal_tags: 'signal_tags',
}

/** Undefined for an entry that authorizes nothing. */
export function readEntry(value: unknown, place: EntryPlace): FileEntry | undefined {
  const members = membersOf(value, place)
  if (!members) return undefined
  const { faults } = place
  const before = faults.errors
  const agent_url = readUrl(members, place)
  const authorized_for = textAt(members, 'authorized_for', { place, max: 500 }) ?? ''
  const authorization_type = readType(members, place)
  const selectors = authorization_type && readSelectors(members, authorization_type, place)
  const terms = readTerms(members, place)
  if (!agent_url || !authorization_type || !selectors || faults.errors > before) return undefined
  return { n: place.n, agent_url, authorization_type, authorized_for, selectors, ...terms }
}

function readUrl(members: FileMembers, place: EntryPlace): string | undefined {
  const text = textAt(members, 'url', { place, max: 2_048 })
  if (text === undefined) return undefined
  const url = canonicalAgentUrl(text)
  const isSecure = url?.startsWith('https:') || (place.allowHttp && url !== undefined)
  const isPlain = url !== undefined && !/[\s@]/.test(text) && hasValidALabels(new URL(url).hostname)
  if (url !== undefined && isSecure && isPlain) return url
  place.faults.error(
    `${place.pointer}/url`,
    `must be an https URL such as https://agent.example.com/mcp (got ${quoted(text)})`,
  )
  return undefined
}

function readType(members: FileMembers, place: Place): AuthorizationType | undefined {
  const given = members.authorization_type
  const type = AUTHORIZATION_TYPES.find((known) => known === given)
  if (type) return type
  const what =
    given === undefined ? 'is required: without it the entry authorizes nothing. Give' : 'must be'
  const got = given === undefined ? '' : ` (got ${quoted(given)})`
  place.faults.error(
    `${place.pointer}/authorization_type`,
    `${what} one of ${AUTHORIZATION_TYPES.join(', ')}${got}`,
  )
  return undefined
}

function readSelectors(
  members: FileMembers,
  type: AuthorizationType,
  place: Place,
): Selector[] | undefined {
  const companion = COMPANIONS[type]
  if (type === 'publisher_properties') return readPublisherSelectors(members, place)
  if (type === 'inline_properties') {
    const list = members.properties
    if (Array.isArray(list) && list.length > 0) return [{ ...EVERYWHERE, by: 'entry', values: [] }]
    place.faults.error(
      `${place.pointer}/properties`,
      'is required for inline_properties: give a list of at least one property',
    )
    return undefined
  }
  const values = textsAt(members, companion, { place, isRequired: true })
  if (!values) return undefined
  if (type === 'signal_ids' || type === 'signal_tags') return []
  return [{ ...EVERYWHERE, by: type === 'property_ids' ? 'ids' : 'tags', values }]
}

const EVERYWHERE = { publisher_domains: null, property_types: null } as const

function readPublisherSelectors(members: FileMembers, place: Place): Selector[] | undefined {
  const list = members.publisher_properties
  const at = below(place, 'publisher_properties')
  if (!Array.isArray(list) || list.length === 0) {
    at.faults.error(at.pointer, 'is required: give a list of at least one selector')
    return undefined
  }
  const selectors = list.map((value, index) => readSelector(value, below(at, index)))
  return selectors.filter((selector) => selector !== undefined)
}

function readSelector(value: unknown, place: Place): Selector | undefined {
  const members = membersOf(value, place)
  if (!members) return undefined
  const publisher_domains = readDomains(members, place)
  const by = { all: 'all', by_id: 'ids', by_tag: 'tags' }[String(members.selection_type)] as
    | 'all'
    | 'ids'
    | 'tags'
    | undefined
  if (by === undefined) {
    place.faults.error(
      `${place.pointer}/selection_type`,
      `must be one of all, by_id, by_tag (got ${quoted(members.selection_type)})`,
    )
    return undefined
  }
  if (by === 'ids' && members.publisher_domains !== undefined) {
    place.faults.error(
      `${place.pointer}/publisher_domains`,
      'by_id selects properties of one publisher: use publisher_domain instead',
    )
    return undefined
  }
  const companion = by === 'ids' ? 'property_ids' : 'property_tags'
  const values = by === 'all' ? [] : textsAt(members, companion, { place, isRequired: true })
  const property_types = textsAt(members, 'property_types', { place }) ?? null
  if (!publisher_domains || !values) return undefined
  return { publisher_domains, by, values, property_types }
}

/** Exactly one of `publisher_domain` and `publisher_domains`. */
function readDomains(members: FileMembers, place: Place): string[] | undefined {
  const { publisher_domain: one, publisher_domains: several } = members
  if ((one === undefined) === (several === undefined)) {
    place.faults.error(
      place.pointer,
      'must have exactly one of publisher_domain and publisher_domains',
    )
    return undefined
  }
  if (one !== undefined) {
    const domain = domainOf(one, below(place, 'publisher_domain'))
    return domain === undefined ? undefined : [domain]
  }
  const at = below(place, 'publisher_domains')
  if (!Array.isArray(several) || several.length === 0) {
    at.faults.error(at.pointer, 'must be a list of at least one domain')
    return undefined
  }
  const domains = several.map((value, index) => domainOf(value, below(at, index)))
  const good = domains.filter((domain) => domain !== undefined)
  return good.length === domains.length ? [...new Set(good)] : undefined
}

const COUNTRY = /^[A-Z]{2}$/

function readTerms(members: FileMembers, place: Place) {
  const from = timeAt(members, 'effective_from', place)
  const until = timeAt(members, 'effective_until', place)
  if (typeof from === 'number' && typeof until === 'number' && until <= from) {
    place.faults.error(`${place.pointer}/effective_until`, 'must be after effective_from')
  }
  const { delegation_type, exclusive, collections } = members
  if (delegation_type !== undefined && !DELEGATIONS.includes(delegation_type as string)) {
    place.faults.error(
      `${place.pointer}/delegation_type`,
      `must be one of ${DELEGATIONS.join(', ')} (got ${quoted(delegation_type)})`,
    )
  }
  return {
    countries: textsAt(members, 'countries', { place, pattern: COUNTRY }) ?? null,
    placement_ids: textsAt(members, 'placement_ids', { place }) ?? null,
    placement_tags: textsAt(members, 'placement_tags', { place }) ?? null,
    collections:
      Array.isArray(collections) && collections.length > 0 ? collections.slice(0, 100) : null,
    delegation_type: typeof delegation_type === 'string' ? delegation_type : null,
    exclusive: exclusive === true,
    effective_from: from ?? null,
    effective_until: until ?? null,
    signing_keys: readKeys(members, place),
  }
}

const DELEGATIONS = ['direct', 'delegated', 'ad_network']

/** RFC 7518 §6: the members that a public key must not contain. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']
const MAX_KEYS = 50

function readKeys(members: FileMembers, place: Place): PinnedKey[] | null {
  const { signing_keys: keys } = members
  if (keys === undefined) return null
  const at = below(place, 'signing_keys')
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) {
    at.faults.error(at.pointer, `must be a list of 1 to ${MAX_KEYS} public keys`)
    return null
  }
  return keys.flatMap((key, index) => {
    const here = below(at, index)
    if (!isMembers(key)) {
      here.faults.error(here.pointer, 'must be a public key as a JWK')
      return []
    }
    const kid = textAt(key, 'kid', { place: here })
    const kty = textAt(key, 'kty', { place: here })
    const secret = PRIVATE_MEMBERS.find((name) => Object.hasOwn(key, name))
    if (secret !== undefined) {
      here.faults.error(
        `${here.pointer}/${secret}`,
        'publishes a private key: list the public key alone, and replace the exposed one',
      )
      return []
    }
    return kid && kty ? [{ ...publicMembers(key), kid, kty }] : []
  })
}

function publicMembers(key: FileMembers): FileMembers {
  const kept = ['kid', 'kty', 'alg', 'use', 'crv', 'x', 'y', 'n', 'e', 'revoked_at']
  return Object.fromEntries(
    Object.entries(key).filter(([name, value]) => kept.includes(name) && typeof value === 'string'),
  )
}

// Decides which properties of the catalogue the properties of a publisher's file are. The file speaks for its own domain
// and for nothing that another publisher has: it can never take over the property of another.

import { createPacer } from '../../lib/pacer.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { PropertyIdentifier } from '../../protocol/adagents/file-model.ts'
import { type CatalogProperty, CONFIDENCE, keyOf, type LinkedIdentifier } from './property.ts'
import type { CatalogEntry, IdentifierLink } from './store.ts'

/** What the file that speaks for a publisher says about one of its properties. */
interface DescribedProperty {
  property_id: string
  property_type: string
  name: string
  identifiers: readonly PropertyIdentifier[]
}

export interface PublisherFacts {
  publisher: string
  /** Null if no file speaks for it. */
  adagents_url: string | null
  described: readonly DescribedProperty[]
  own: readonly CatalogEntry[]
  links: readonly IdentifierLink[]
  now: number
}

export interface PlannedProperty {
  before: CatalogEntry | CatalogProperty | undefined
  after: CatalogProperty
  identifiers: LinkedIdentifier[]
}

export interface CatalogPlan {
  kept: PlannedProperty[]
  /** Removed from the file. */
  gone: CatalogEntry[]
  merged: { alias_rid: string; canonical_rid: string }[]
}

/** The facts by what they are looked up by: a file may have tens of thousands of properties. */
interface Index {
  publisher: string
  linked: ReadonlyMap<string, IdentifierLink>
  named: ReadonlySet<string>
  byRid: ReadonlyMap<string, CatalogEntry>
  byName: ReadonlyMap<string, CatalogEntry[]>
  /** The properties that have been found already. */
  used: Set<string>
}

export async function planPublisher(facts: PublisherFacts): Promise<CatalogPlan> {
  const pacer = createPacer({ isInTransaction: true })
  const index = indexOf(facts)
  const merged: CatalogPlan['merged'] = []
  const kept: PlannedProperty[] = []
  const taken = new Set<string>()
  for (const described of distinct(facts.described)) {
    const identifiers = claimable(described, index).filter((one) => !taken.has(keyOf(one)))
    for (const one of identifiers) taken.add(keyOf(one))
    const [before, ...others] = candidates(described, identifiers, index)
    if (before) index.used.add(before.property_rid)
    const after = propertyOf(described, before, facts)
    for (const { property_rid } of others) {
      index.used.add(property_rid)
      merged.push({ alias_rid: property_rid, canonical_rid: after.property_rid })
    }
    kept.push({ before, after, identifiers })
    if (pacer.isDue()) await pacer.pause()
  }
  const gone = facts.own.filter(
    ({ property_rid, status }) => !index.used.has(property_rid) && status !== 'removed',
  )
  return { kept, gone, merged }
}

function indexOf({ publisher, described, own, links }: PublisherFacts): Index {
  const byName = new Map<string, CatalogEntry[]>()
  for (const one of own) {
    const name = one.property_id ?? ''
    const known = byName.get(name)
    if (known) known.push(one)
    else byName.set(name, [one])
  }
  return {
    publisher,
    linked: new Map(links.map((link) => [keyOf(link), link])),
    named: new Set(described.map((one) => one.property_id)),
    byRid: new Map(own.map((one) => [one.property_rid, one])),
    byName,
    used: new Set(),
  }
}

/** A file may define the same id twice: inline and in its list. */
function distinct(described: readonly DescribedProperty[]): DescribedProperty[] {
  return [...new Map(described.map((one) => [one.property_id, one])).values()]
}

/** The identifiers that a publisher may give to its property, each with its confidence. */
function claimable(
  { identifiers }: DescribedProperty,
  { publisher, linked }: Index,
): LinkedIdentifier[] {
  return identifiers.flatMap(({ type, value }) => {
    const confidence = confidenceOf({ type, value }, publisher)
    const link = linked.get(keyOf({ type, value }))
    return !link || mayTake(link, { confidence, publisher }) ? [{ type, value, confidence }] : []
  })
}

function confidenceOf({ type, value }: PropertyIdentifier, publisher: string): number {
  if (type !== 'domain' && type !== 'subdomain') return CONFIDENCE.strong
  const isOwn = value === publisher || value.endsWith(`.${publisher}`)
  return isOwn ? CONFIDENCE.authoritative : CONFIDENCE.medium
}

function mayTake(
  { confidence: had, property }: IdentifierLink,
  { confidence, publisher }: { confidence: number; publisher: string },
): boolean {
  if (property.publisher_domain === publisher) return true
  // Of what is not the publisher's own domain, only what nobody else has.
  if (confidence === CONFIDENCE.medium) return false
  return property.status === 'removed' || confidence > had
}

/** The properties of the catalogue that this one is: the first stays, the others are merged into it. */
function candidates(
  { property_id }: DescribedProperty,
  identifiers: readonly LinkedIdentifier[],
  { publisher, linked, named, byRid, byName, used }: Index,
): CatalogProperty[] {
  const byIdentifier = new Map<string, CatalogProperty>()
  for (const identifier of identifiers) {
    const property = linked.get(keyOf(identifier))?.property
    if (!property || used.has(property.property_rid)) continue
    const isOwn = property.publisher_domain === publisher
    const isFree = property.source !== 'authoritative'
    // Another property of the file has its name: it is that one, although an identifier has moved.
    const isOther =
      isOwn && property.property_id !== property_id && named.has(property.property_id ?? '')
    if (isOther || !(isOwn || isFree)) continue
    byIdentifier.set(property.property_rid, byRid.get(property.property_rid) ?? property)
  }
  const found = [...byIdentifier.values()].sort((a, b) =>
    a.property_rid < b.property_rid ? -1 : 1,
  )
  const own = byName.get(property_id)?.find((one) => !used.has(one.property_rid))
  if (!own) return found
  // The publisher's own name for it decides which id stays.
  return [own, ...found.filter((one) => one.property_rid !== own.property_rid)]
}

function propertyOf(
  { property_id, property_type, name }: DescribedProperty,
  before: CatalogProperty | undefined,
  { publisher, adagents_url, now }: PublisherFacts,
): CatalogProperty {
  const after: CatalogProperty = {
    property_rid: before?.property_rid ?? uuid7(now),
    publisher_domain: publisher,
    property_id,
    property_type,
    name,
    source: 'authoritative',
    status: 'active',
    adagents_url,
    created_by: before?.created_by ?? null,
    resolved_at: before?.resolved_at ?? now,
    created_at: before?.created_at ?? now,
    updated_at: before?.updated_at ?? now,
    source_updated_at: before?.source_updated_at ?? now,
  }
  return after
}

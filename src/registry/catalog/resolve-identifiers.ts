// Finds the properties that identifiers belong to. In the mode `resolve`, unknown ones are contributed: each becomes a
// property of its own, which a publisher's file can later confirm.

import { defined } from '../../lib/defined.ts'
import type { Transact, Transaction } from '../../lib/transaction.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { PropertyIdentifier } from '../../protocol/adagents/file-model.ts'
import { canonicalIdentifier } from '../../protocol/adagents/read-property.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import { infrastructureOf } from '../properties/ad-infrastructure.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { FeedStore } from '../store.ts'
import { propertyEvent } from './events.ts'
import { type CatalogProperty, type CLASSIFICATIONS, CONFIDENCE, keyOf } from './property.ts'
import type { CatalogStore, IdentifierLink } from './store.ts'

export interface ResolvePorts {
  catalog: CatalogStore
  feed: FeedStore
  transact: Transact
}

interface ResolvedEntry {
  identifier: PropertyIdentifier
  property_rid: string | null
  classification: (typeof CLASSIFICATIONS)[number]
  status: 'existing' | 'created' | 'excluded' | 'not_found'
  source: string | null
}

interface ResolveSummary {
  total: number
  resolved: number
  created: number
  excluded: number
  not_found: number
}

export interface Resolved {
  ok: true
  resolved: ResolvedEntry[]
  summary: ResolveSummary
}

/** Reads only, in the order in which they were sent. */
export async function lookUpIdentifiers(
  { catalog }: Pick<ResolvePorts, 'catalog'>,
  identifiers: readonly PropertyIdentifier[],
): Promise<Resolved> {
  const asked = identifiers.map(readIdentifier)
  const links = await catalog.byIdentifiers(wanted(asked))
  const linked = new Map(links.map((link) => [keyOf(link), link]))
  return summed(asked.map((one) => entryOf(one, linked)))
}

/** Contributes what is unknown, on behalf of an organisation. */
export async function resolveIdentifiers(
  ports: ResolvePorts,
  identifiers: readonly PropertyIdentifier[],
  { organizationId, actor }: { organizationId: string; actor: string },
): Promise<Resolved | Refusal> {
  const asked = identifiers.map(readIdentifier)
  return ports.transact(async (tx) => {
    await ports.catalog.lock(tx)
    const links = await ports.catalog.byIdentifiers(wanted(asked), tx)
    const linked = new Map(links.map((link) => [keyOf(link), link]))
    const unknown = new Map(
      wanted(asked).flatMap((one) => (linked.has(keyOf(one)) ? [] : [[keyOf(one), one] as const])),
    )
    const had = await ports.catalog.contributed(tx, organizationId)
    const most = CATALOGUE_LIMITS.contributedProperties.value
    if (had + unknown.size > most) {
      return refuse(429, 'Too many contributed properties', {
        message: `an organization contributes at most ${most} properties: look them up with mode "lookup"`,
        retryAfter: 3_600,
      })
    }
    await reactivate(ports, tx, links)
    const created = await contribute(ports, tx, { unknown, organizationId, actor })
    for (const [key, link] of created) linked.set(key, link)
    return summed(
      asked.map((one) => {
        const entry = entryOf(one, linked)
        const isNew = one.key !== undefined && created.has(one.key)
        return isNew ? { ...entry, status: 'created' as const } : entry
      }),
    )
  })
}

interface Asked {
  sent: PropertyIdentifier
  /** Undefined for what is no identifier, or belongs to ad infrastructure. */
  canonical?: PropertyIdentifier
  key?: string
  isInfrastructure: boolean
}

function readIdentifier({ type, value }: PropertyIdentifier): Asked {
  const sent = { type, value }
  const read = canonicalIdentifier(type, value)
  if (read === undefined) return { sent, isInfrastructure: false }
  const isName = type === 'domain' || type === 'subdomain'
  if (isName && infrastructureOf(read) !== undefined) return { sent, isInfrastructure: true }
  const canonical = { type, value: read }
  return { sent, canonical, key: keyOf(canonical), isInfrastructure: false }
}

function wanted(asked: readonly Asked[]): PropertyIdentifier[] {
  const all = asked.flatMap(({ canonical }) => canonical ?? [])
  return [...new Map(all.map((one) => [keyOf(one), one])).values()]
}

function entryOf(
  { sent, key, isInfrastructure }: Asked,
  linked: ReadonlyMap<string, IdentifierLink>,
): ResolvedEntry {
  const none = { identifier: sent, property_rid: null, source: null }
  if (isInfrastructure) return { ...none, classification: 'ad_infra', status: 'excluded' }
  if (key === undefined) return { ...none, classification: 'unclassified', status: 'excluded' }
  const property = linked.get(key)?.property
  if (!property) return { ...none, classification: 'unclassified', status: 'not_found' }
  const { property_rid, source } = property
  return { identifier: sent, property_rid, classification: 'property', status: 'existing', source }
}

function summed(resolved: ResolvedEntry[]): Resolved {
  const count = (status: ResolvedEntry['status']) =>
    resolved.filter((one) => one.status === status).length
  const created = count('created')
  return {
    ok: true,
    resolved,
    summary: {
      total: resolved.length,
      resolved: count('existing') + created,
      created,
      excluded: count('excluded'),
      not_found: count('not_found'),
    },
  }
}

/** A property that is resolved again is no longer stale. */
async function reactivate(
  { catalog, feed }: ResolvePorts,
  tx: Transaction,
  links: readonly IdentifierLink[],
): Promise<void> {
  const now = await tx.now()
  const found = new Map(links.map(({ property }) => [property.property_rid, property]))
  await catalog.touch(tx, [...found.keys()])
  const stale = [...found.values()].filter(({ status }) => status === 'stale')
  const active = stale.map((one) => ({
    ...one,
    status: 'active' as const,
    resolved_at: now,
    updated_at: now,
  }))
  await catalog.put(tx, active)
  await feed.append(
    tx,
    active.map((property) =>
      propertyEvent('reactivated', property, {
        identifiers: links.filter((link) => link.property.property_rid === property.property_rid),
      }),
    ),
  )
}

async function contribute(
  { catalog, feed }: ResolvePorts,
  tx: Transaction,
  {
    unknown,
    organizationId,
    actor,
  }: {
    unknown: ReadonlyMap<string, PropertyIdentifier>
    organizationId: string
    actor: string
  },
): Promise<Map<string, IdentifierLink>> {
  const now = await tx.now()
  const links = [...unknown].map(([key, identifier]) => {
    const link = { ...identifier, confidence: CONFIDENCE.contributed }
    return [key, { ...link, property: contributed(organizationId, now) }] as const
  })
  await catalog.put(
    tx,
    links.map(([, { property }]) => property),
  )
  await catalog.link(
    tx,
    links.map(([, { property, type, value, confidence }]) => ({
      type,
      value,
      confidence,
      property_rid: property.property_rid,
    })),
  )
  await feed.append(
    tx,
    links.map(([, link]) =>
      propertyEvent('created', link.property, { identifiers: [link], ...defined({ actor }) }),
    ),
  )
  return new Map(links)
}

function contributed(organizationId: string, now: number): CatalogProperty {
  return {
    property_rid: uuid7(now),
    publisher_domain: null,
    property_id: null,
    property_type: null,
    name: null,
    source: 'contributed',
    status: 'active',
    adagents_url: null,
    created_by: organizationId,
    resolved_at: now,
    created_at: now,
    updated_at: now,
    source_updated_at: now,
  }
}

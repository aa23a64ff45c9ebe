// Brings the catalogue in step with the file that speaks for a publisher, with an event for each property that changed.

import { createPacer } from '../../lib/pacer.ts'
import type { Transaction } from '../../lib/transaction.ts'
import type { PropertyIdentifier } from '../../protocol/adagents/file-model.ts'
import { AUTHORIZATION_LIMITS } from '../authorizations/limits.ts'
import type { FileStore, Speaker, StoredProperty } from '../authorizations/store.ts'
import type { CrawlStore } from '../crawler/store.ts'
import type { NewFeedEvent } from '../feed.ts'
import type { FeedStore } from '../store.ts'
import { mergedEvent, propertyEvent } from './events.ts'
import { type CatalogPlan, type PlannedProperty, planPublisher } from './plan-publisher.ts'
import { type CatalogProperty, keyOf, type LinkedIdentifier } from './property.ts'
import type { CatalogEntry, CatalogStore } from './store.ts'

export interface SyncPorts {
  catalog: CatalogStore
  crawl: Pick<CrawlStore, 'speakers'>
  files: Pick<FileStore, 'propertiesOf' | 'get'>
  feed: FeedStore
}

/** The catalogue must be locked. Returns how many properties were looked at. */
export async function syncPublisher(
  { catalog, feed, ...ports }: SyncPorts,
  tx: Transaction,
  publisher: string,
): Promise<number> {
  const now = await tx.now()
  const { described, adagents_url } = await fileOf(ports, tx, publisher)
  const own = await catalog.ofPublisher(tx, publisher)
  const identifiers = described.flatMap((one) => one.identifiers)
  const links = await catalog.byIdentifiers(identifiers, tx)
  const plan = await planPublisher({ publisher, adagents_url, described, own, links, now })
  await write({ catalog, feed }, tx, changesIn(plan, now))
  await mergeAll({ catalog, feed }, tx, plan)
  return described.length + own.length
}

async function fileOf(
  { crawl, files }: Pick<SyncPorts, 'crawl' | 'files'>,
  tx: Transaction,
  publisher: string,
): Promise<{ described: StoredProperty[]; adagents_url: string | null }> {
  const [speaker] = (await crawl.speakers(tx, [publisher])) as [Speaker | undefined]
  if (speaker?.file_id == null) return { described: [], adagents_url: null }
  const all = await files.propertiesOf(tx, [speaker.file_id], [publisher])
  const described = all.slice(0, AUTHORIZATION_LIMITS.propertiesOfPublisher.value)
  return { described, adagents_url: (await files.get(speaker.file_id))?.url ?? null }
}

interface Change {
  property: CatalogProperty
  links: LinkedIdentifier[]
  unlinked: PropertyIdentifier[]
  event: NewFeedEvent
}

function changesIn(plan: CatalogPlan, now: number): Change[] {
  const kept = plan.kept.flatMap((planned): Change[] => {
    const { after, identifiers } = planned
    const changed_fields = changesOf(planned)
    const kind = kindOf(planned, changed_fields)
    if (kind === undefined) return []
    const property = { ...after, updated_at: now, source_updated_at: now }
    const has = new Set(identifiers.map(keyOf))
    const unlinked = linkedTo(planned).filter((one) => !has.has(keyOf(one)))
    const changes = kind === 'updated' ? { changed_fields } : {}
    const event = propertyEvent(kind, property, { identifiers, ...changes })
    return [{ property, links: identifiers, unlinked, event }]
  })
  const gone = plan.gone.map(({ identifiers, ...before }): Change => {
    const property: CatalogProperty = { ...before, status: 'removed', updated_at: now }
    const last_resolved_at = new Date(before.resolved_at).toISOString()
    const reason = 'removed_from_file'
    const event = propertyEvent('stale', property, { identifiers, last_resolved_at, reason })
    return { property, links: [], unlinked: [], event }
  })
  return [...kept, ...gone]
}

/** Rows that are written without a pause. */
const WRITTEN_AT_ONCE = 200

/** An identifier may move from one property to another: all are taken away before any is given. */
async function write(
  { catalog, feed }: Pick<SyncPorts, 'catalog' | 'feed'>,
  tx: Transaction,
  changes: readonly Change[],
): Promise<void> {
  const pacer = createPacer({ isInTransaction: true })
  const unlinked = changes.flatMap((one) => one.unlinked)
  for (let start = 0; start < unlinked.length; start += WRITTEN_AT_ONCE) {
    await catalog.unlink(tx, unlinked.slice(start, start + WRITTEN_AT_ONCE))
    if (pacer.isDue()) await pacer.pause()
  }
  for (let start = 0; start < changes.length; start += WRITTEN_AT_ONCE) {
    const some = changes.slice(start, start + WRITTEN_AT_ONCE)
    await catalog.put(
      tx,
      some.map(({ property }) => property),
    )
    await catalog.link(
      tx,
      some.flatMap(({ links, property: { property_rid } }) =>
        links.map((one) => ({ ...one, property_rid })),
      ),
    )
    await feed.append(
      tx,
      some.map(({ event }) => event),
    )
    if (pacer.isDue()) await pacer.pause()
  }
}

async function mergeAll(
  { catalog, feed }: Pick<SyncPorts, 'catalog' | 'feed'>,
  tx: Transaction,
  { kept, merged }: CatalogPlan,
): Promise<void> {
  const pacer = createPacer({ isInTransaction: true })
  const byRid = new Map(kept.map(({ after }) => [after.property_rid, after]))
  for (const one of merged) {
    await catalog.merge(tx, { ...one, evidence: 'adagents_json' })
    await feed.append(tx, [
      mergedEvent(one.alias_rid, byRid.get(one.canonical_rid) as CatalogProperty),
    ])
    if (pacer.isDue()) await pacer.pause()
  }
}

function kindOf({ before }: PlannedProperty, changed: readonly string[]) {
  if (!before) return 'created' as const
  if (before.status !== 'active') return 'reactivated' as const
  return changed.length > 0 ? ('updated' as const) : undefined
}

const COMPARED = [
  'publisher_domain',
  'property_id',
  'property_type',
  'name',
  'source',
  'adagents_url',
] as const

function changesOf(planned: PlannedProperty): string[] {
  const { before, after, identifiers } = planned
  if (!before) return []
  const changed: string[] = COMPARED.filter((name) => before[name] !== after[name])
  const had = linkedTo(planned).map(keyOf).sort().join('\n')
  if (had !== identifiers.map(keyOf).sort().join('\n')) changed.push('identifiers')
  return changed
}

/** The identifiers that a property had, if it was the publisher's own. */
function linkedTo({ before }: PlannedProperty): LinkedIdentifier[] {
  return before && 'identifiers' in before ? (before as CatalogEntry).identifiers : []
}

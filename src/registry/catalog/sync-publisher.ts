// Brings the catalogue in step with the file that speaks for a publisher, with an event for each property that changed.

import type { Transaction } from '../../lib/transaction.ts'
import type { PropertyIdentifier } from '../../protocol/adagents/file-model.ts'
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
  const links = await catalog.byIdentifiers(
    described.flatMap((one) => one.identifiers),
    tx,
  )
  const plan = planPublisher({ publisher, adagents_url, described, own, links, now })
  const events = await write(catalog, tx, { plan, now })
  await feed.append(tx, events)
  return described.length + own.length
}

async function fileOf(
  { crawl, files }: Pick<SyncPorts, 'crawl' | 'files'>,
  tx: Transaction,
  publisher: string,
): Promise<{ described: StoredProperty[]; adagents_url: string | null }> {
  const [speaker] = (await crawl.speakers(tx, [publisher])) as [Speaker | undefined]
  if (speaker?.file_id == null) return { described: [], adagents_url: null }
  const described = await files.propertiesOf(tx, [speaker.file_id], [publisher])
  return { described, adagents_url: (await files.get(speaker.file_id))?.url ?? null }
}

async function write(
  catalog: CatalogStore,
  tx: Transaction,
  { plan, now }: { plan: CatalogPlan; now: number },
): Promise<NewFeedEvent[]> {
  const events: NewFeedEvent[] = []
  const put: CatalogProperty[] = []
  const links: (LinkedIdentifier & { property_rid: string })[] = []
  const unlinked: PropertyIdentifier[] = []
  for (const planned of plan.kept) {
    const { after, identifiers } = planned
    const { property_rid } = after
    const changed_fields = changesOf(planned)
    const kind = kindOf(planned, changed_fields)
    if (kind === undefined) continue
    const written = { ...after, updated_at: now, source_updated_at: now }
    put.push(written)
    links.push(...identifiers.map((one) => ({ ...one, property_rid })))
    const kept = new Set(identifiers.map(keyOf))
    unlinked.push(...linkedTo(planned).filter((one) => !kept.has(keyOf(one))))
    const changes = kind === 'updated' ? { changed_fields } : {}
    events.push(propertyEvent(kind, written, { identifiers, ...changes }))
  }
  for (const { identifiers, ...property } of plan.gone) {
    const removed: CatalogProperty = { ...property, status: 'removed', updated_at: now }
    put.push(removed)
    const last_resolved_at = new Date(property.resolved_at).toISOString()
    const reason = 'removed_from_file'
    events.push(propertyEvent('stale', removed, { identifiers, last_resolved_at, reason }))
  }
  await catalog.put(tx, put)
  if (unlinked.length > 0) await catalog.unlink(tx, unlinked)
  await catalog.link(tx, links)
  const byRid = new Map(plan.kept.map(({ after }) => [after.property_rid, after]))
  for (const merged of plan.merged) {
    await catalog.merge(tx, { ...merged, evidence: 'adagents_json' })
    events.push(mergedEvent(merged.alias_rid, byRid.get(merged.canonical_rid) as CatalogProperty))
  }
  return events
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

// Brings the catalogue of properties in step with the files of publishers: a crawl that changes something writes a mark,
// and this worker takes the marks, some publishers in each transaction. What a killed process had taken is still marked.

import { createPoller, type Poller } from '../../lib/poller.ts'
import type { OnWake, Transact, Transaction } from '../../lib/transaction.ts'
import { propertyEvent } from './events.ts'
import type { CatalogStore } from './store.ts'
import { type SyncPorts, syncPublisher } from './sync-publisher.ts'

const CATALOG_TOPIC = 'registry.catalog'

/** In the transaction of the change. */
export async function markCatalog(
  { catalog }: { catalog: Pick<CatalogStore, 'mark'> },
  tx: Transaction,
  publishers: readonly string[],
): Promise<void> {
  if (publishers.length === 0) return
  await catalog.mark(tx, publishers)
  await tx.wake(CATALOG_TOPIC)
}

export interface CatalogWorkerPorts extends SyncPorts {
  transact: Transact
  onWake: OnWake
  onFault: (error: unknown) => void
}

const POLL_MS = 15_000
const PUBLISHERS_AT_ONCE = 10
const DAY_MS = 24 * 60 * 60 * 1_000
/** A contributed property that nobody resolves any more becomes stale. */
const UNRESOLVED_FOR_MS = 90 * DAY_MS
const STALE_AT_ONCE = 200

export function createCatalogWorker(ports: CatalogWorkerPorts): {
  start(): void
  stop(): Promise<void>
} {
  let unsubscribe = () => {}
  const looks: Poller = createPoller({
    name: 'worker: bring the catalogue of properties in step',
    intervalMs: POLL_MS,
    onFault: ports.onFault,
    round: async () => {
      const synced = await syncMarked(ports)
      return synced > 0 || (await makeStale(ports)) > 0
    },
  })
  return {
    start: () => {
      unsubscribe = ports.onWake(CATALOG_TOPIC, looks.wake)
      looks.start()
    },
    stop: async () => {
      unsubscribe()
      await looks.stop()
    },
  }
}

/** Returns how many publishers were marked. @internal */
export function syncMarked(ports: SyncPorts & { transact: Transact }): Promise<number> {
  return ports.transact(async (tx) => {
    await ports.catalog.lock(tx)
    const publishers = await ports.catalog.takeMarked(tx, PUBLISHERS_AT_ONCE)
    for (const publisher of publishers) await syncPublisher(ports, tx, publisher)
    return publishers.length
  })
}

/** Returns how many became stale. @internal */
export function makeStale({
  transact,
  catalog,
  feed,
}: Pick<CatalogWorkerPorts, 'transact' | 'catalog' | 'feed'>): Promise<number> {
  return transact(async (tx) => {
    await catalog.lock(tx)
    const now = await tx.now()
    const found = await catalog.unresolved(tx, now - UNRESOLVED_FOR_MS, STALE_AT_ONCE)
    const stale = found.map(({ identifiers, ...property }) => ({
      identifiers,
      property: { ...property, status: 'stale' as const, updated_at: now },
    }))
    await catalog.put(
      tx,
      stale.map(({ property }) => property),
    )
    await feed.append(
      tx,
      stale.map(({ property, identifiers }) =>
        propertyEvent('stale', property, {
          identifiers,
          last_resolved_at: new Date(property.resolved_at).toISOString(),
          reason: 'not_resolved',
        }),
      ),
    )
    return stale.length
  })
}

// A changed file changes the authorizations of every publisher it speaks for or names. They are processed publisher
// by publisher, some in each transaction. If a process is killed, the next one continues where it stopped.

import { createPoller, type Poller } from '../../lib/poller.ts'
import type { OnWake, Transact } from '../../lib/transaction.ts'
import { markCatalog } from '../catalog/catalog-worker.ts'
import type { CatalogStore } from '../catalog/store.ts'
import { CRAWL_LIMITS } from '../crawler/limits.ts'
import type { CrawlStore } from '../crawler/store.ts'
import { type ApplyPorts, applyToPublishers, type EntryCache } from './apply.ts'
import type { FileVersion } from './store.ts'

export const APPLY_TOPIC = 'registry.files'

export interface ApplyWorkerPorts extends ApplyPorts {
  crawl: Pick<CrawlStore, 'speakers' | 'add'>
  catalog: Pick<CatalogStore, 'mark'>
  transact: Transact
  onWake: OnWake
  onFault: (error: unknown) => void
}

const PUBLISHERS_AT_ONCE = 100
/** Rows that one transaction may have to write. */
const ROWS_AT_ONCE = 2_000
const POLL_MS = 15_000

export function createApplyWorker(ports: ApplyWorkerPorts): {
  start(): void
  stop(): Promise<void>
} {
  let unsubscribe = () => {}
  const looks: Poller = createPoller({
    name: 'worker: compute authorizations from files',
    intervalMs: POLL_MS,
    onFault: ports.onFault,
    round: async (signal) => {
      const [file] = await ports.files.unapplied(1)
      if (file) await applyFile(ports, file, signal)
      return file !== undefined
    },
  })
  return {
    start: () => {
      unsubscribe = ports.onWake(APPLY_TOPIC, looks.wake)
      looks.start()
    },
    stop: async () => {
      unsubscribe()
      await looks.stop()
    },
  }
}

/** Runs until every publisher is done, or `signal` is aborted. */
async function applyFile(
  ports: Omit<ApplyWorkerPorts, 'onWake' | 'onFault'>,
  file: FileVersion,
  signal?: AbortSignal,
): Promise<void> {
  const { files, transact } = ports
  const stored = await files.get(file.id)
  if (!stored) return
  const limit = Math.max(
    1,
    Math.min(PUBLISHERS_AT_ONCE, Math.floor(ROWS_AT_ONCE / Math.max(1, stored.entry_count))),
  )
  const cache: EntryCache = new Map()
  let seen = 0
  for (let after = ''; !signal?.aborted; ) {
    const publishers = await files.publishers(file.id, { after, limit })
    const last = publishers.at(-1)
    if (last === undefined) break
    await transact(async (tx) => {
      await applyToPublishers(ports, tx, { publishers, cache })
      await markCatalog(ports, tx, publishers)
      const unknown = publishers.slice(0, Math.max(0, CRAWL_LIMITS.foundDomains.value - seen))
      await ports.crawl.add(tx, unknown, { foundBy: 'file', at: await tx.now() })
    })
    seen += publishers.length
    after = last
  }
  if (signal?.aborted) return
  await transact((tx) => files.applied(tx, file))
  while ((await transact((tx) => files.dropOthers(tx, file.id))) > 0) {
    if (signal?.aborted) return
  }
}

// Matching with all its dependencies, on the thread that runs it: the matcher over the stores, the vectors created in
// the background, and the status of both.

import { setTimeout as pause } from 'node:timers/promises'
import { createPoller } from '../../lib/poller.ts'
import type { Transact } from '../../lib/transaction.ts'
import { embedMissing } from '../matching/embed-missing.ts'
import type { Layers } from '../matching/layers.ts'
import { createQueryMatcher } from '../matching/match-query.ts'
import type { SearchQuery } from '../matching/query.ts'
import { MODEL_NAME, type SentenceModel } from '../matching/sentence-model.ts'
import { staticTable } from '../matching/static-table.ts'
import { createUnderstanding } from '../matching/understand-with-index.ts'
import type { SignalStore, SignalVectorStore } from '../store.ts'
import type { ModelStatus, RankedAnswer, RankedCaller, SearchStatus } from './signal-search.ts'

export interface MatchingStores {
  signals: Pick<SignalStore, 'changes' | 'latest' | 'get'>
  vectors: SignalVectorStore
  transact: Transact
}

export interface MatchingServiceOptions {
  stores: MatchingStores
  model: () => Promise<SentenceModel | undefined>
  modelStatus: () => ModelStatus
  onFault: (error: unknown) => void
  /** Of matching. Default all. */
  layers?: Layers | undefined
}

export interface MatchingService {
  search(
    query: SearchQuery,
    abort: AbortSignal,
    by?: RankedCaller & { onResume?: () => void },
  ): Promise<RankedAnswer>
  status(): Promise<SearchStatus>
  start(): void
  /** Checks for changes of the catalogue now. */
  wake(): void
  stop(): Promise<void>
}

const FOLLOW_MS = 500
const EMBED_MS = 5_000
/** A server that has been up for this long is prepared for the first search. */
const WARM_UP_MS = 5_000

export function createMatchingService(options: MatchingServiceOptions): MatchingService {
  const { stores, model, modelStatus, onFault, layers } = options
  const { signals, vectors, transact } = stores
  const table = staticTable()
  const matcher = createQueryMatcher({
    signals,
    vectors,
    transact,
    table,
    onFault,
    layers,
    model,
    understand: createUnderstanding(table, () => performance.now(), layers),
    now: () => performance.now(),
  })
  const following = createPoller({
    name: 'worker: follow changes of the signal catalogue',
    round: async () => {
      await matcher.catchUp()
      return false
    },
    intervalMs: FOLLOW_MS,
    onFault,
  })
  const embedding = createPoller({
    name: 'worker: make vectors of signals',
    round: async (stop) => {
      if (hasNone(modelStatus()) || stop.aborted) return false
      return embedMissing({ vectors, transact, modelName: MODEL_NAME, model, onFault }, stop)
    },
    intervalMs: EMBED_MS,
    onFault,
  })

  async function status(): Promise<SearchStatus> {
    const counts = await vectors.counts(MODEL_NAME)
    return { signals: counts.signals, vectors: counts.vectors, model: modelStatus() }
  }

  let warmingUp: NodeJS.Timeout | undefined
  return {
    search: async (query, abort, by) => {
      let usedMs: number | undefined
      const onUsed = (ms: number) => {
        usedMs = ms
      }
      const answer = await matcher.match(query, abort, by && { ...by, onUsed })
      return { ...answer, usedMs, model: modelStatus() }
    },
    status,
    start: () => {
      warmingUp = setTimeout(() => {
        if (matcher.size > 0) model().catch(onFault)
      }, WARM_UP_MS)
      following.start()
      embedding.start()
    },
    wake: () => {
      following.wake()
      embedding.wake()
    },
    stop: async () => {
      clearTimeout(warmingUp)
      // Waits for the text that the model is processing, and no longer.
      await Promise.race([
        Promise.all([following.stop(), embedding.stop()]),
        pause(5_000, undefined, { ref: false }),
      ])
    },
  }
}

const hasNone = ({ state }: ModelStatus) => state === 'missing' || state === 'off'

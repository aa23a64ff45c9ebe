// The thread that searches the catalogue: it opens the database for itself, holds the index, and has the
// sentence model in another thread. Started by `signal-search.ts`.

import { serveCalls, startData } from '../lib/serve-calls.ts'
import type {
  RankedAnswer,
  RankedSearcher,
  SearchQuery,
  SearchStatus,
} from '../signals/matching/query.ts'
import { createSearchService, type SearchService } from '../signals/search/matching-service.ts'
import { createModelThread, MODEL_OFF } from '../signals/search/threaded-model.ts'
import { openStorage, type StorageConfig } from './open-storage.ts'

export type SearchRequest =
  | { kind: 'search'; query: SearchQuery; by: RankedSearcher | undefined }
  | { kind: 'status' }
  | { kind: 'changed' }
export type SearchResponse = RankedAnswer | SearchStatus | undefined

export interface SearchStart extends StorageConfig {
  /** Whether the sentence model is used. */
  hasModel: boolean
}

const { hasModel, ...config } = startData<SearchStart>()

// What goes wrong in the background reaches the server's log through its standard error.
let isClosing = false
const onFault = (error: unknown) => {
  if (!isClosing) console.error('signal search:', error instanceof Error ? error.message : error)
}

const NO_MODEL = { model: async () => undefined, modelStatus: () => MODEL_OFF }
const thread = createModelThread(
  new URL('../signals/search/model-worker.js', import.meta.url),
  onFault,
)
const opening = openStorage(config).then((storage) => {
  const service = createSearchService({
    ...{ storage, onFault },
    ...(hasModel ? { model: thread.model, modelStatus: () => thread.status } : NO_MODEL),
  })
  service.start()
  return { storage, service }
})

serveCalls<SearchRequest, SearchResponse>({
  handle: async (request, abort, onResume) =>
    answer((await opening).service, request, { abort, onResume }),
  close: async () => {
    isClosing = true
    const { storage, service } = await opening
    const stopping = service.stop()
    await thread.close()
    await stopping
    await storage.close()
  },
})

async function answer(
  service: SearchService,
  request: SearchRequest,
  { abort, onResume }: { abort: AbortSignal; onResume: () => void },
): Promise<SearchResponse> {
  if (request.kind === 'search') {
    thread.yieldTo()
    const { query, by } = request
    return service.search(query, abort, by && { ...by, onResume })
  }
  if (request.kind === 'status') return service.status()
  service.wake()
  return undefined
}

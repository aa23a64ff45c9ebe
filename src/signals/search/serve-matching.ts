// The matching thread, from start to end: it receives a catalogue that is being opened, holds the index, and runs the
// sentence model in another thread. The counterpart of `threaded-matching.ts`.

import { serveCalls } from '../../lib/serve-calls.ts'
import type { SearchQuery } from '../matching/query.ts'
import {
  createMatchingService,
  type MatchingService,
  type MatchingStores,
} from './matching-service.ts'
import type { RankedAnswer, RankedCaller, SearchStatus } from './signal-search.ts'
import { createModelThread, MODEL_OFF } from './threaded-model.ts'

export type MatchingRequest =
  | { kind: 'search'; query: SearchQuery; by: RankedCaller | undefined }
  | { kind: 'status' }
  | { kind: 'changed' }
export type MatchingResponse = RankedAnswer | SearchStatus | undefined

export interface ServedMatching {
  stores: Promise<MatchingStores & { close(): Promise<void> }>
  /** Whether the sentence model is used. */
  hasModel: boolean
}

const NO_MODEL = { model: async () => undefined, modelStatus: () => MODEL_OFF }

/** In a worker thread, once. */
export function serveMatching({ stores: opening, hasModel }: ServedMatching): void {
  // Errors in the background reach the server's log through the thread's standard error.
  let isClosing = false
  const onFault = (error: unknown) => {
    if (!isClosing) console.error('signal search:', error instanceof Error ? error.message : error)
  }
  const thread = createModelThread(new URL('./model-worker.js', import.meta.url), onFault)
  const starting = opening.then((stores) => {
    const service = createMatchingService({
      stores,
      onFault,
      ...(hasModel ? { model: thread.model, modelStatus: () => thread.status } : NO_MODEL),
    })
    service.start()
    return { stores, service }
  })

  serveCalls<MatchingRequest, MatchingResponse>({
    handle: async (request, abort, onResume) => {
      const { service } = await starting
      if (request.kind === 'search') thread.yieldTo()
      return answerOf(service, request, { abort, onResume })
    },
    close: async () => {
      isClosing = true
      const { stores, service } = await starting
      const stopping = service.stop()
      await thread.close()
      await stopping
      await stores.close()
    },
  })
}

async function answerOf(
  service: MatchingService,
  request: MatchingRequest,
  { abort, onResume }: { abort: AbortSignal; onResume: () => void },
): Promise<MatchingResponse> {
  if (request.kind === 'search') {
    const { query, by } = request
    return service.search(query, abort, by && { ...by, onResume })
  }
  if (request.kind === 'status') return service.status()
  service.wake()
  return undefined
}

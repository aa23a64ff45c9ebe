// The search on the calling thread, without the sentence model: for a server that runs from its sources, as in tests,
// since a worker thread needs the compiled files.

import { noteWork } from '../../lib/turn-watch.ts'
import { createMatchingService, type MatchingStores } from './matching-service.ts'
import type { BareSearch, ModelStatus } from './signal-search.ts'

export function createSameThreadMatching(
  stores: MatchingStores,
  onFault: (error: unknown) => void,
): BareSearch {
  const service = createMatchingService({
    stores,
    onFault,
    model: async () => undefined,
    modelStatus: () => NOT_COMPILED,
  })
  return {
    search: async (...query) => {
      // In a separate context, so that what the caller does later is not counted as matching.
      await undefined
      const end = noteWork('thread: signal matching')
      try {
        return await service.search(...query)
      } finally {
        end()
      }
    },
    status: service.status,
    model: NOT_COMPILED,
    // Searches look for changes themselves, so nothing needs to run here.
    start: () => {},
    stop: service.stop,
  }
}

const NOT_COMPILED: ModelStatus = {
  state: 'missing',
  reason: 'it runs only in a worker thread of the compiled server',
}

// The search on the thread that asks, without the sentence model: for a server that runs from its sources,
// as in tests, since a worker thread needs the compiled files.

import { createMatchingService, type MatchingStores } from './matching-service.ts'
import type { BareSearch, ModelStatus } from './signal-search.ts'

export function createSameThreadMatching(
  stores: MatchingStores,
  onFault: (error: unknown) => void,
): BareSearch {
  const service = createMatchingService({
    ...{ stores, onFault },
    model: async () => undefined,
    modelStatus: () => NOT_COMPILED,
  })
  return {
    search: service.search,
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

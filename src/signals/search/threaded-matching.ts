// The search for the server's main thread, which is never blocked by it: a worker thread does the matching, and this
// calls it. The code that starts it specifies the worker and the location of its catalogue.

import { createWorkerCalls } from '../../lib/worker-calls.ts'
import { SIGNALS_TOPIC, type SignalStore } from '../store.ts'
import type { MatchingRequest, MatchingResponse } from './serve-matching.ts'
import type { BareSearch, RankedAnswer, SearchStatus } from './signal-search.ts'
import { MODEL_OFF, modelAtStart } from './threaded-model.ts'

export interface ThreadedMatchingOptions {
  /** The file that the thread runs: it opens the database, and calls `serveMatching`. */
  worker: URL
  /** What that file is started with. */
  workerData: unknown
  signals: Pick<SignalStore, 'latest'>
  /** Receives changes of the catalogue. */
  onWake: (topic: string, listener: () => void) => () => void
  onFault: (error: unknown) => void
  /** Whether the sentence model is used, if it is installed. */
  hasModel: boolean
  /** Whether the thread starts before the first search. Default true. */
  isWarmedUp?: boolean | undefined
  /** How long the thread may be unresponsive before it is replaced, in milliseconds. Default 10000. */
  hangMs?: number | undefined
}

/** Much longer than any part of a search takes, and shorter than a caller waits. */
const HANG_MS = 10_000

export function createThreadedMatching(options: ThreadedMatchingOptions): BareSearch {
  const { worker, workerData, signals, onWake, onFault, hasModel } = options
  const { isWarmedUp = true, hangMs = HANG_MS } = options
  const calls = createWorkerCalls<MatchingRequest, MatchingResponse>({
    url: worker,
    workerData,
    hangMs,
    onFault,
  })
  let model = hasModel ? modelAtStart() : MODEL_OFF
  const received = async <Answer extends RankedAnswer | SearchStatus>(
    request: MatchingRequest,
    abort?: AbortSignal,
  ) => {
    const answer = (await calls.call(request, abort)) as Answer
    model = answer.model ?? model
    return answer
  }
  const status = () => received<SearchStatus>({ kind: 'status' })
  let stopListening = () => {}
  let hasSearched = false
  return {
    search: (query, abort, by) => {
      hasSearched = true
      return received<RankedAnswer>({ kind: 'search', query, by }, abort)
    },
    status,
    get model() {
      return model
    },
    start: () => {
      stopListening = onWake(SIGNALS_TOPIC, () => {
        if (isWarmedUp || hasSearched) calls.call({ kind: 'changed' }).catch(onFault)
      })
      if (!isWarmedUp) return
      // The first call starts the worker, so that the catalogue is read before the first search; without such a call,
      // the first search starts it.
      const begun = signals.latest().then((latest) => (latest > 0 ? status() : undefined))
      begun.catch(onFault)
    },
    stop: async () => {
      stopListening()
      await calls.close()
    },
  }
}

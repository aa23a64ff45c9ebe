// The search over the catalogue for the server's own thread, which never waits for it: a worker thread
// does the work. Run from TypeScript sources, as tests do, it works on this thread and without the
// sentence model, since a worker needs the compiled files.

import type { SearchRequest, SearchResponse, SearchStart } from '../../app/matching-worker.ts'
import type { Storage, StorageConfig } from '../../app/open-storage.ts'
import type { Worker } from '../../app/parts.ts'
import { createWorkerCalls } from '../../lib/worker-calls.ts'
import type {
  ModelStatus,
  RankedAnswer,
  RankedSearch,
  SearchStatus,
  SignalSearch,
} from '../matching/query.ts'
import { SIGNALS_TOPIC } from '../store.ts'
import { createSearchService } from './matching-service.ts'
import { MODEL_OFF, modelAtStart } from './threaded-model.ts'

export interface SignalSearchOptions {
  config: StorageConfig
  storage: Pick<Storage, 'signals' | 'signalVectors' | 'transact' | 'onWake'>
  onFault: (error: unknown) => void
  /** Whether the sentence model is used, where it is installed. Default true. */
  hasModel?: boolean
  /** How long the thread may do nothing before it is replaced, in milliseconds. Default 10000. */
  hangMs?: number
  /** Whether a worker thread does the work. Default: where the files are compiled. */
  isThreaded?: boolean
}

/** The search, without a queue of its own. */
export type BareSearch = RankedSearch & Pick<SignalSearch, 'status'> & Worker & KnowsModel

export interface KnowsModel {
  /** As the latest answer told: asks nobody, so that a probe may ask it. */
  readonly model: ModelStatus
}

/** Far more than any part of a search takes, and less than a caller waits. */
const HANG_MS = 10_000

export function createSignalSearch(options: SignalSearchOptions): BareSearch {
  const { isThreaded = import.meta.url.endsWith('.js') } = options
  return isThreaded ? onThread(options) : inProcess(options)
}

function onThread(options: SignalSearchOptions): BareSearch {
  const { config, storage, onFault, hasModel = true, hangMs = HANG_MS } = options
  const { data, databaseUrl, databasePool } = config
  const calls = createWorkerCalls<SearchRequest, SearchResponse>({
    url: new URL('../../app/matching-worker.js', import.meta.url),
    workerData: {
      data,
      databaseUrl,
      databasePool: Math.min(databasePool, 3),
      hasModel,
    } satisfies SearchStart,
    hangMs,
    onFault,
  })
  let model = hasModel ? modelAtStart() : MODEL_OFF
  const heard = async <Answer extends RankedAnswer | SearchStatus>(
    request: SearchRequest,
    abort?: AbortSignal,
  ) => {
    const answer = (await calls.call(request, abort)) as Answer
    model = answer.model ?? model
    return answer
  }
  const status = () => heard<SearchStatus>({ kind: 'status' })
  let stopListening = () => {}
  return {
    search: (query, abort, by) => heard<RankedAnswer>({ kind: 'search', query, by }, abort),
    status,
    get model() {
      return model
    },
    start: () => {
      stopListening = storage.onWake(SIGNALS_TOPIC, () => {
        calls.call({ kind: 'changed' }).catch(onFault)
      })
      // The first call starts the worker, so that the catalogue is read before somebody asks; where
      // there is none, the first search does.
      const begun = storage.signals.latest().then((latest) => (latest > 0 ? status() : undefined))
      begun.catch(onFault)
    },
    stop: async () => {
      stopListening()
      await calls.close()
    },
  }
}

function inProcess({ storage, onFault }: SignalSearchOptions): BareSearch {
  const service = createSearchService({
    ...{ storage, onFault },
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

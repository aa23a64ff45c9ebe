// Starts the search for signals: in a worker thread that receives the location of the database; or, when run from
// TypeScript sources, as in tests, on this thread, since a worker needs the compiled files.

import { defined } from '../lib/defined.ts'
import { createSameThreadMatching } from '../signals/search/same-thread-matching.ts'
import type { BareSearch } from '../signals/search/signal-search.ts'
import { createThreadedMatching } from '../signals/search/threaded-matching.ts'
import type { MatchingStart } from './matching-worker.ts'
import type { Storage, StorageConfig } from './open-storage.ts'

export interface SignalSearchOptions {
  config: StorageConfig
  storage: Pick<Storage, 'signals' | 'signalVectors' | 'transact' | 'onWake'>
  onFault: (error: unknown) => void
  /** Whether the sentence model is used, where it is installed. Default true. */
  hasModel?: boolean
  /** Whether the thread starts with the server, and not with the first search. Default true. */
  isWarmedUp?: boolean
  /** How long the thread may do nothing before it is replaced, in milliseconds. Default 10000. */
  hangMs?: number
  /** Whether a worker thread does the work. Default: where the files are compiled. */
  isThreaded?: boolean
}

/** A thread runs one search at a time, so more connections would only be idle. */
const MAX_CONNECTIONS = 3

export function openSignalSearch(options: SignalSearchOptions): BareSearch {
  const { config, storage, onFault, hasModel = true, isWarmedUp, hangMs } = options
  const { isThreaded = import.meta.url.endsWith('.js') } = options
  const { signals, signalVectors: vectors, transact, onWake } = storage
  if (!isThreaded) return createSameThreadMatching({ signals, vectors, transact }, onFault)
  const { data, databaseUrl, databaseSchema, databasePool } = config
  return createThreadedMatching({
    worker: new URL('./matching-worker.js', import.meta.url),
    workerData: {
      data,
      databaseUrl,
      ...defined({ databaseSchema }),
      hasModel,
      databasePool: Math.min(databasePool, MAX_CONNECTIONS),
    } satisfies MatchingStart,
    signals,
    onWake,
    onFault,
    hasModel,
    isWarmedUp,
    hangMs,
  })
}

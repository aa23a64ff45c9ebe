// The file of the thread that matches signals: opens the database for it. Started by
// `open-signal-search.ts`.

import { startData } from '../lib/serve-calls.ts'
import { serveMatching } from '../signals/search/serve-matching.ts'
import { openStorage, type StorageConfig } from './open-storage.ts'

export interface MatchingStart extends StorageConfig {
  /** Whether the sentence model is used. */
  hasModel: boolean
}

const { hasModel, ...config } = startData<MatchingStart>()
serveMatching({
  hasModel,
  stores: openStorage(config).then(({ signals, signalVectors: vectors, transact, close }) => ({
    signals,
    vectors,
    transact,
    close,
  })),
})

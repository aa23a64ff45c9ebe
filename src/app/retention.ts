// Forgets what has been kept long enough, so that nothing grows without bound.

import type { Poller } from '../lib/poller.ts'
import { FEED_RETENTION_DAYS } from '../registry/feed.ts'
import { REMOVAL_RETENTION_MS } from '../signals/store.ts'
import type { Parts } from './parts.ts'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

export function createRetention({
  storage: { transact, feed, signals },
  sweep,
}: Pick<Parts, 'storage' | 'sweep'>): Poller {
  return sweep({
    name: 'worker: delete old events of the feed, and removals of signals',
    intervalMs: HOUR_MS,
    sweep: async (now) => {
      const events = await transact((tx) => feed.trim(tx, now - FEED_RETENTION_DAYS * DAY_MS))
      const removals = await transact((tx) =>
        signals.forgetRemovals(tx, now - REMOVAL_RETENTION_MS),
      )
      return events + removals > 0
    },
  })
}

// Deletes data after its retention period, so that nothing grows without bound.

import type { Poller } from '../lib/poller.ts'
import { FEED_RETENTION_DAYS } from '../registry/feed.ts'
import { REPORT_RETENTION_DAYS } from '../registry/properties/check-property-list.ts'
import { REMOVAL_RETENTION_MS } from '../signals/store.ts'
import type { Parts } from './parts.ts'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

export function createRetention({
  storage: { transact, feed, signals, propertyChecks },
  sweep,
}: Pick<Parts, 'storage' | 'sweep'>): Poller {
  return sweep({
    name: 'worker: delete old events of the feed, removals of signals and property reports',
    intervalMs: HOUR_MS,
    sweep: async (now) => {
      const events = await transact((tx) => feed.trim(tx, now - FEED_RETENTION_DAYS * DAY_MS))
      const removals = await transact((tx) =>
        signals.forgetRemovals(tx, now - REMOVAL_RETENTION_MS),
      )
      const reports = await transact((tx) =>
        propertyChecks.trimReports(tx, now - REPORT_RETENTION_DAYS * DAY_MS),
      )
      return events + removals + reports > 0
    },
  })
}

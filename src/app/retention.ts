// Forgets what has been kept long enough, so that nothing grows without bound.

import { createPoller, type Poller } from '../lib/poller.ts'
import { FEED_RETENTION_DAYS } from '../registry/feed.ts'
import { REMOVAL_RETENTION_MS } from '../signals/store.ts'
import type { Storage } from './open-storage.ts'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS

export function createRetention(
  { transact, feed, signals }: Pick<Storage, 'transact' | 'feed' | 'signals'>,
  onFault: (error: unknown) => void,
): Poller {
  return createPoller({
    name: 'worker: retention',
    intervalMs: HOUR_MS,
    onFault,
    round: async () => {
      await transact(async (tx) => feed.trim(tx, (await tx.now()) - FEED_RETENTION_DAYS * DAY_MS))
      const forgotten = await transact(async (tx) =>
        signals.forgetRemovals(tx, (await tx.now()) - REMOVAL_RETENTION_MS),
      )
      return forgotten > 0
    },
  })
}

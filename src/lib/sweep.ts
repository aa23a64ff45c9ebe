// A background loop that deletes expired rows: a limited number per round, with other work in between, and nothing
// while the clock is not trusted.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClockGuard } from './clock-guard.ts'
import { createPoller, type Poller } from './poller.ts'
import type { Transact } from './transaction.ts'

export interface SweepOptions {
  /** The name of what it deletes, for reports of a blocked event loop. */
  name: string
  /** Delay between two rounds when there is nothing more to delete. */
  intervalMs: number
  /**
   * Deletes some of the rows that have expired at `now`, by the database's clock. True requests the next round
   * immediately.
   */
  sweep: (now: number, signal: AbortSignal) => Promise<boolean>
  transact: Transact
  guard: ClockGuard
  onFault: (error: unknown) => void
}

export function createSweep(options: SweepOptions): Poller {
  const { name, intervalMs, sweep, transact, guard, onFault } = options
  return createPoller({
    name,
    intervalMs,
    onFault,
    round: async (signal) => {
      const now = await transact((tx) => tx.now())
      const isMore = guard.isTrusted(now) && (await sweep(now, signal))
      // Other work runs before the next batch.
      if (isMore) await nextTurn()
      return isMore
    },
  })
}

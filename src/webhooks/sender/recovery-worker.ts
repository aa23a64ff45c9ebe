// Runs recoveries in the background, a step at a time. Every instance may have one of these: a step locks its
// recovery for the duration of its transaction.

import { createPoller, type Poller } from '../../lib/poller.ts'
import type { OnWake, Transact } from '../../lib/transaction.ts'
import { RECOVERIES_TOPIC, type RecoveryStore } from './recovery-store.ts'
import { HORIZON_MS } from './retry-policy.ts'

export interface RecoveryWorkerOptions {
  transact: Transact
  onWake: OnWake
  recoveries: Pick<RecoveryStore, 'step'>
  onFault: (error: unknown) => void
}

/** A recovery left by an instance that died is continued after this time at the latest. */
const POLL_MS = 5_000

export function createRecoveryWorker(
  options: RecoveryWorkerOptions,
): Pick<Poller, 'start' | 'stop'> {
  const { transact, onWake, recoveries, onFault } = options
  let unsubscribe = () => {}
  const poller = createPoller({
    name: 'worker: send lost webhooks again',
    intervalMs: POLL_MS,
    onFault,
    round: async () => (await transact((tx) => recoveries.step(tx, HORIZON_MS))) !== undefined,
  })
  return {
    start: () => {
      unsubscribe = onWake(RECOVERIES_TOPIC, poller.wake)
      poller.start()
    },
    stop: () => {
      unsubscribe()
      return poller.stop()
    },
  }
}

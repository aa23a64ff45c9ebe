// Removes stopped or abandoned runs from their platforms if nothing else was running to do it: after a cancellation,
// a deadline or a crash (spec 3.3). Retried until the platform has been notified.

import { backoffMs } from '../lib/backoff.ts'
import { admitSuspects, MAX_DEATHS } from '../lib/poison-jobs.ts'
import { createPoller, type Poller } from '../lib/poller.ts'
import { StorageUnavailable, type Transact } from '../lib/transaction.ts'
import { whenAvailable } from '../lib/when-available.ts'
import type { Activation } from './activation-state.ts'
import type { ActivationStore, Takedown } from './activation-store.ts'
import { runOf } from './call-connector.ts'
import type { Connectors, Deactivated } from './connectors/connector.ts'

export interface TakedownPorts {
  transact: Transact
  activations: ActivationStore
  connectors: Connectors
  /** Called when a platform refuses a removal. */
  onFault: (error: unknown) => void
  /** Maximum delay until due removals are noticed. Default 5 000. */
  pollMs?: number | undefined
}

const BATCH = 16
const LEASE_MS = 60_000
const RETRY = { firstMs: 5_000, maxMs: 3_600_000 }
/** More than two days of trying. */
const MAX_TRIES = 60

export function createTakedowns(ports: TakedownPorts): Poller {
  const { transact, activations, onFault, pollMs = 5_000 } = ports
  return createPoller({
    name: 'worker: signal takedowns',
    intervalMs: pollMs,
    onFault,
    round: async (abort) => {
      const claimed = await transact((tx) =>
        activations.claimTakedowns(tx, {
          limit: BATCH,
          leaseMs: LEASE_MS,
          chooseLost: (due) => admitSuspects(due, { free: BATCH, running: [] }),
        }),
      )
      await Promise.all(claimed.map((takedown) => settle(ports, takedown, abort)))
      return claimed.length === BATCH
    },
  })
}

async function settle(
  { transact, activations, connectors, onFault }: TakedownPorts,
  { activation, tries, lost }: Takedown,
  abort: AbortSignal,
): Promise<void> {
  const { activation_id } = activation
  const result = lost > MAX_DEATHS ? DEADLY : await takeOff({ connectors }, activation, abort)
  if (abort.aborted) return transact((tx) => activations.releaseTakedown(tx, activation_id))
  const isOver = result.status === 'off' || !result.retryable || tries + 1 >= MAX_TRIES
  if (result.status === 'failed' && isOver) {
    onFault(new Error(`the activation ${activation_id} could not be taken off: ${result.reason}`))
  }
  const write = () =>
    transact(async (tx) => {
      if (isOver) return activations.endTakedown(tx, activation_id)
      const dueAt = (await tx.now()) + backoffMs(tries + 1, RETRY)
      await activations.postponeTakedown(tx, activation_id, dueAt)
    })
  // If the lease were left to expire, it would count as if this process had died.
  await write().catch((error: unknown) => {
    if (!(error instanceof StorageUnavailable)) throw error
    return whenAvailable(write, abort)
  })
}

const DEADLY: Deactivated = {
  status: 'failed',
  reason: `the server stopped ${MAX_DEATHS} times while it was taken off`,
  retryable: false,
}

/** One call; a run that was never on a platform counts as removed. */
export async function takeOff(
  { connectors }: { connectors: Connectors },
  activation: Activation,
  abort: AbortSignal,
): Promise<Deactivated> {
  const connector = connectors.find(activation.target)
  if ('missing' in connector) return { status: 'off' }
  try {
    return await connector.deactivate(runOf(activation), abort)
  } catch {
    return { status: 'failed', reason: 'the platform’s connector failed', retryable: true }
  }
}

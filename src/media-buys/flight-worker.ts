// Starts and ends flights by the clock (spec 3.4). Instances share the work through claims in the database; each buy
// is changed in a separate transaction, together with the webhook that reports it, so that a failure does not delay
// other buys.

import { type ClaimWorker, createClaimWorker } from '../lib/claim-worker.ts'
import type { Clock } from '../lib/clock.ts'
import type { OnWake, Transact } from '../lib/transaction.ts'
import { type ChangeBuyPorts, moveByClock } from './change-buy.ts'
import { nextMoveAt } from './states.ts'
import { BUYS_DUE_TOPIC } from './store.ts'

export interface FlightWorkerPorts extends ChangeBuyPorts {
  transact: Transact
  onWake: OnWake
  clock: Clock
  onFault: (error: unknown) => void
  /** Maximum delay until due work is detected, in milliseconds. Default 5 000. */
  pollMs?: number | undefined
}

export interface FlightWorker {
  start(): void
  stop(): Promise<void>
}

const CONCURRENCY = 32
const LEASE_MS = 30_000
/** A timer cannot wait for longer; the poll would come first anyway. */
const MAX_WAIT_MS = 60 * 60 * 1_000

export function createFlightWorker(ports: FlightWorkerPorts): FlightWorker {
  const { transact, onWake, clock, buys, onFault, pollMs = 5_000 } = ports
  const worker: ClaimWorker<string> = createClaimWorker<string>({
    name: 'worker: media buy flights',
    clock,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    pollMs,
    claim: async (free) => {
      const due = await transact(async (tx) => {
        const claimed = await buys.claimDue(tx, { limit: free, leaseMs: LEASE_MS })
        return { ...claimed, now: await tx.now() }
      })
      const { media_buy_ids: claimed, nextDueAt, now } = due
      const nextInMs = nextDueAt === undefined ? undefined : Math.max(0, nextDueAt - now)
      return { claimed, nextInMs: nextInMs && Math.min(nextInMs, MAX_WAIT_MS) }
    },
    run: async ({ claim }) => {
      await moveFlight(ports, claim)
      return undefined
    },
    onFault: (error) => onFault(error),
  })
  let ignore = () => {}
  return {
    start: () => {
      ignore = onWake(BUYS_DUE_TOPIC, worker.ask)
      worker.start()
    },
    stop: async () => {
      ignore()
      await worker.stop({ drainMs: 1_000, abortMs: 0 })
    },
  }
}

/** Applies the due transitions; if a buy was changed meanwhile and has none, its own due time is restored. */
async function moveFlight(
  ports: ChangeBuyPorts & { transact: Transact },
  mediaBuyId: string,
): Promise<void> {
  await ports.transact(async (tx) => {
    const buy = await ports.buys.lock(tx, { media_buy_id: mediaBuyId })
    if (!buy) return
    const moved = await moveByClock(ports, tx, buy)
    if (moved === buy) await ports.buys.endClaim(tx, mediaBuyId, nextMoveAt(buy))
  })
}

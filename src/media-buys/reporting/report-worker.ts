// Sends reports in the background: many buys in one round, so that ten thousand buys due in one minute cost a hundred
// transactions. Instances share the work by leases, and sent reports are tracked until their delivery has ended.

import { createClaimWorker } from '../../lib/claim-worker.ts'
import type { Clock } from '../../lib/clock.ts'
import { createPoller } from '../../lib/poller.ts'
import type { OnWake } from '../../lib/transaction.ts'
import { REPORTS_DUE_TOPIC, type SentPlace } from './report-store.ts'
import { VISIT_LEASE_MS, type VisitPorts, visitStreams } from './visit-due.ts'

export interface ReportWorkerOptions extends VisitPorts {
  onWake: OnWake
  clock: Clock
}

export interface ReportWorker {
  start(): void
  /** Resolves when no round is in progress. */
  stop(): Promise<void>
}

/** Buys of one round. */
const ROUND = 100
/** Concurrent rounds: while one queries the source, another commits. */
const ROUNDS = 2
const POLL_MS = 5_000
const SENT_POLL_MS = 2_000
/** Number of sent reports that are checked at once. */
const SENT_ROWS = 500
/**
 * One pass in this many reads to the end; the others stop at the first batch in which nothing has ended, since the
 * oldest were sent first.
 */
const WHOLE_LOOK = 10

interface Round {
  media_buy_ids: string[]
  /** By the database's clock. */
  now: number
}

export function createReportWorker(options: ReportWorkerOptions): ReportWorker {
  const { transact, reports, onWake, clock, onFault } = options
  let unsubscribe = () => {}
  let looks = 0
  const rounds = createClaimWorker<Round>({
    name: 'worker: delivery reports',
    clock,
    concurrency: ROUNDS,
    leaseMs: VISIT_LEASE_MS,
    pollMs: POLL_MS,
    onFault,
    claim: () =>
      transact(async (tx) => {
        const now = await tx.now()
        const { media_buy_ids, nextDueAt } = await reports.claimDue(tx, {
          limit: ROUND,
          leaseMs: VISIT_LEASE_MS,
        })
        const nextInMs = nextDueAt === undefined ? undefined : Math.max(0, nextDueAt - now)
        return { claimed: media_buy_ids.length > 0 ? [{ media_buy_ids, now }] : [], nextInMs }
      }),
    run: async ({ claim, signal }) => {
      await visitStreams(options, claim.media_buy_ids, { now: claim.now, signal })
      return undefined
    },
  })
  const endings = createPoller({
    name: 'worker: follow sent delivery reports',
    intervalMs: SENT_POLL_MS,
    onFault,
    round: async (signal) => {
      await followSent(options, { signal, isWhole: looks++ % WHOLE_LOOK === 0 })
      return false
    },
  })
  return {
    start: () => {
      unsubscribe = onWake(REPORTS_DUE_TOPIC, rounds.ask)
      rounds.start()
      endings.start()
    },
    stop: async () => {
      unsubscribe()
      await Promise.all([rounds.stop({ drainMs: 0, abortMs: VISIT_LEASE_MS }), endings.stop()])
    },
  }
}

/** Checks the sent reports once, the oldest first, and records how finished ones ended. @internal */
export async function followSent(
  { transact, reports }: Pick<VisitPorts, 'transact' | 'reports'>,
  { signal, isWhole = true }: { signal?: AbortSignal; isWhole?: boolean } = {},
): Promise<void> {
  let place: SentPlace | undefined
  do {
    const { ended, next } = await reports.ended(place, SENT_ROWS)
    if (ended.length > 0) await transact((tx) => reports.markEnded(tx, ended))
    place = isWhole || ended.length > 0 ? next : undefined
  } while (place && !signal?.aborted)
}

// Crawls due domains in the background, at a steady pace. Instances share the work by leases: a claim is committed
// before the first byte is sent, and another process restarts what a killed process had started.

import { createClaimWorker } from '../../lib/claim-worker.ts'
import type { Clock } from '../../lib/clock.ts'
import { admitSuspects, MAX_DEATHS } from '../../lib/poison-jobs.ts'
import { createSteadyRate } from '../../lib/steady-rate.ts'
import type { OnWake } from '../../lib/transaction.ts'
import { type CrawlPorts, crawlDomain } from './crawl-domain.ts'
import type { Found } from './find-file.ts'
import type { ClaimedDomain } from './store.ts'

export const CRAWL_TOPIC = 'registry.crawl'

export interface CrawlWorkerOptions extends CrawlPorts {
  onWake: OnWake
  clock: Clock
  /** Domains at the same time. */
  concurrency: number
  /** Domains begun in a minute. */
  perMinute: number
  onFault: (error: unknown) => void
  onCrawled?: (outcome: Found['outcome']) => void
}

const LEASE_MS = 120_000
const POLL_MS = 5_000
/** Pause after a domain that could not be crawled because of an error on our side. */
const GIVEN_UP_MS = 7 * 24 * 60 * 60 * 1_000
const DRAIN_MS = 2_000

export function createCrawlWorker(options: CrawlWorkerOptions): {
  start(): void
  stop(): Promise<void>
} {
  const { transact, crawl, concurrency, perMinute, onWake, onFault } = options
  const rate = createSteadyRate({ perMinute })
  let unsubscribe = () => {}
  const worker = createClaimWorker<ClaimedDomain>({
    name: 'worker: crawl publishers',
    clock: options.clock,
    concurrency,
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    onFault,
    claim: async (free, running) => {
      const limit = Math.min(free, rate.available())
      if (limit <= 0) return { claimed: [], nextInMs: rate.untilNextMs() || undefined }
      const claimed = await transact((tx) =>
        crawl.claimDue(tx, {
          limit,
          leaseMs: LEASE_MS,
          chooseLost: (due) =>
            admitSuspects(due, { free: limit, running: running.map(({ lost }) => lost - 1) }),
        }),
      )
      rate.take(claimed.length)
      return { claimed, nextInMs: claimed.length === limit && limit < free ? 0 : undefined }
    },
    renew: (claim) => transact((tx) => crawl.renew(tx, claim, LEASE_MS)),
    run: async ({ claim, signal }) => {
      await crawlOne(options, claim, signal)
      return undefined
    },
  })
  return {
    start: () => {
      unsubscribe = onWake(CRAWL_TOPIC, worker.ask)
      worker.start()
    },
    stop: async () => {
      unsubscribe()
      await worker.stop({ drainMs: DRAIN_MS, abortMs: LEASE_MS })
    },
  }
}

async function crawlOne(
  options: CrawlWorkerOptions,
  claim: ClaimedDomain,
  signal: AbortSignal,
): Promise<void> {
  const { transact, crawl } = options
  if (claim.lost > MAX_DEATHS) {
    // It ended too many processes.
    await transact(async (tx) =>
      crawl.finish(tx, claim, { at: (await tx.now()) + GIVEN_UP_MS, isGivenUp: true }),
    )
    return
  }
  let found: Found | undefined
  try {
    found = await crawlDomain(options, claim, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (found) return options.onCrawled?.(found.outcome)
  // Shutdown interrupted it: that says nothing about the domain.
  await transact(async (tx) => crawl.release(tx, claim, await tx.now()))
}

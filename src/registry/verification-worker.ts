// Verifies due references in the background, at a steady pace: a million references due at once must not become a
// million requests. Instances share the work by leases: a claim is committed before the first byte is sent, and a
// result that arrives after its lease ended changes nothing.

import { createClaimWorker } from '../lib/claim-worker.ts'
import type { Clock } from '../lib/clock.ts'
import { admitSuspects, MAX_DEATHS } from '../lib/poison-jobs.ts'
import { createSteadyRate } from '../lib/steady-rate.ts'
import { type OnWake, StorageUnavailable, type Transact } from '../lib/transaction.ts'
import { whenAvailable } from '../lib/when-available.ts'
import type { ReferenceRecord } from '../protocol/manifest-reference.ts'
import type { CrawlStore } from './crawler/store.ts'
import { referenceEvent } from './references.ts'
import type { ClaimedReference, FeedStore, ReferenceStore } from './store.ts'
import type { VerificationVerdict, VerifyPorts } from './verification.ts'
import { nextVerificationAt, VERIFICATION_TOPIC } from './verification-schedule.ts'
import { VERIFICATION_MS, verifyReference } from './verify-reference.ts'

export interface VerificationWorkerOptions {
  transact: Transact
  onWake: OnWake
  references: ReferenceStore
  feed: FeedStore
  /** Where domains with an adagents.json are registered for the crawler. Default nowhere. */
  crawl?: Pick<CrawlStore, 'add'> | undefined
  verify: Omit<VerifyPorts, 'signal'>
  clock: Clock
  /** Verifications at the same time. */
  concurrency: number
  /** Verifications begun in a minute. */
  perMinute: number
  onFault: (error: unknown) => void
  onVerified?: (status: VerificationVerdict['verification_status'], durationMs: number) => void
}

export interface VerificationWorker {
  start(): void
  /** Gives back leased references that are not finished, and resolves when nothing is running. */
  stop(): Promise<void>
}

/** Longer than the slowest verification, a last DNS query, and the commit. */
const LEASE_MS = VERIFICATION_MS + 15_000
const POLL_MS = 5_000

export function createVerificationWorker(options: VerificationWorkerOptions): VerificationWorker {
  const { transact, references, concurrency, perMinute, onWake, onFault } = options
  const rate = createSteadyRate({ perMinute })
  let unsubscribe = () => {}

  const worker = createClaimWorker<ClaimedReference>({
    name: 'worker: verify references',
    clock: options.clock,
    concurrency,
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    onFault,
    claim: async (free, running) => {
      const limit = Math.min(free, rate.available())
      // With all slots taken, the next one that ends triggers another round.
      if (limit <= 0) return { claimed: [], nextInMs: rate.untilNextMs() || undefined }
      const claimed = await transact((tx) =>
        references.claimDue(tx, {
          limit,
          leaseMs: LEASE_MS,
          chooseLost: (due) =>
            admitSuspects(due, { free: limit, running: running.map(({ lost }) => lost - 1) }),
        }),
      )
      rate.take(claimed.length)
      return { claimed, nextInMs: claimed.length === limit && limit < free ? 0 : undefined }
    },
    run: async ({ claim, signal }) => {
      await verifyOne(options, claim, signal)
      return undefined
    },
  })

  return {
    start: () => {
      unsubscribe = onWake(VERIFICATION_TOPIC, worker.ask)
      worker.start()
    },
    stop: async () => {
      unsubscribe()
      await worker.stop({ drainMs: 0, abortMs: LEASE_MS })
    },
  }
}

async function verifyOne(
  options: VerificationWorkerOptions,
  claim: ClaimedReference,
  signal: AbortSignal,
): Promise<void> {
  const { transact, references, clock } = options
  const started = clock.now()
  const isGivenUp = claim.lost > MAX_DEATHS
  const verdict = isGivenUp ? GIVEN_UP : await verifyReference(claim, { ...options.verify, signal })
  // Shutdown cut the fetch short: that says nothing about the reference.
  if (signal.aborted) {
    await transact((tx) => references.releaseClaim(tx, claim))
    return
  }
  const duration_ms = clock.now() - started
  try {
    await record(options, claim, { ...verdict, duration_ms, isGivenUp })
  } catch (error) {
    // If the lease were left to expire, it would count as if this process had died.
    if (!(error instanceof StorageUnavailable)) throw error
    options.onFault(error)
    await whenAvailable(() => transact((tx) => references.releaseClaim(tx, claim)), signal)
    return
  }
  options.onVerified?.(verdict.verification_status, duration_ms)
}

/** For a reference that killed too many processes: it is not tried again until it changes. */
const GIVEN_UP: VerificationVerdict = {
  verification_status: 'invalid',
  proved_by: null,
  completeness_score: 0,
  reason:
    `verifying it crashed the server ${MAX_DEATHS} times, so it is no longer verified: fix what it ` +
    'points to, then remove it and add it again',
  issues: [],
  labels: [],
}

async function record(
  { transact, references, feed, crawl }: VerificationWorkerOptions,
  claim: ClaimedReference,
  result: VerificationVerdict & { duration_ms: number; isGivenUp: boolean },
): Promise<void> {
  await transact(async (tx) => {
    const now = await tx.now()
    const updated = await references.recordVerification(tx, claim, {
      ...result,
      nextVerificationAt: nextVerificationAt(now, result.verification_status, claim.failures),
    })
    if (updated && hasChanged(claim, updated)) {
      const reported = { actor: 'system', reason: result.reason }
      await feed.append(tx, [referenceEvent('manifest_ref.verified', updated, reported)])
      const { domain, manifest_type, verification_status } = updated
      if (manifest_type === 'adagents.json' && verification_status === 'valid') {
        await crawl?.add(tx, [domain], { foundBy: 'reference', at: now })
      }
    }
  })
}

/** The first result is reported even if the reference stays `pending`: it says why. */
export function hasChanged(before: ReferenceRecord, after: ReferenceRecord): boolean {
  return (
    before.last_verified_at === null ||
    before.verification_status !== after.verification_status ||
    before.completeness_score !== after.completeness_score ||
    before.proved_by !== after.proved_by
  )
}

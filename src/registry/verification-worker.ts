// Verifies what is due in the background, at a steady pace: a million references that are due at once
// must not become a million requests. Instances share the work by leases: a claim is committed before
// the first byte is sent, and a result that comes after its lease ended changes nothing.

import type { Clock } from '../lib/clock.ts'
import { createPoller, type Poller } from '../lib/poller.ts'
import { createSteadyRate } from '../lib/steady-rate.ts'
import type { OnWake, Transact } from '../lib/transaction.ts'
import type { ReferenceRecord } from '../protocol/manifest-reference.ts'
import { referenceEvent } from './references.ts'
import type { ClaimedReference, FeedStore, ReferenceStore } from './store.ts'
import { nextVerificationAt, VERIFICATION_TOPIC } from './verification-schedule.ts'
import {
  VERIFICATION_MS,
  type Verdict,
  type VerifyPorts,
  verifyReference,
} from './verify-reference.ts'

export interface VerificationWorkerOptions {
  transact: Transact
  onWake: OnWake
  references: ReferenceStore
  feed: FeedStore
  verify: Omit<VerifyPorts, 'signal'>
  clock: Clock
  /** Verifications at the same time. */
  concurrency: number
  /** Verifications begun in a minute. */
  perMinute: number
  onFault: (error: unknown) => void
  onVerified?: (status: Verdict['verification_status'], durationMs: number) => void
}

export interface VerificationWorker {
  start(): void
  /** Gives back what is leased and not finished, and resolves when nothing is running. */
  stop(): Promise<void>
}

/** Longer than the slowest verification, a last question to DNS, and the commit. */
const LEASE_MS = VERIFICATION_MS + 15_000
const POLL_MS = 5_000

export function createVerificationWorker(options: VerificationWorkerOptions): VerificationWorker {
  const { transact, references, concurrency, perMinute, onWake, onFault } = options
  const rate = createSteadyRate({ perMinute })
  const running = new Set<Promise<void>>()
  let unsubscribe = () => {}
  let later: NodeJS.Timeout | undefined

  const poller: Poller = createPoller({
    intervalMs: POLL_MS,
    onFault,
    round: async (signal) => {
      const limit = Math.min(concurrency - running.size, rate.available())
      if (limit <= 0) {
        clearTimeout(later)
        const waitMs = rate.untilNextMs()
        // With every place taken, the next one that ends asks for a round.
        if (waitMs > 0) later = setTimeout(poller.wake, waitMs)
        return false
      }
      const claimed = await transact((tx) => references.claimDue(tx, { limit, leaseMs: LEASE_MS }))
      rate.take(claimed.length)
      for (const claim of claimed) {
        const job = verifyOne(options, claim, signal)
          .catch(onFault)
          .finally(() => {
            running.delete(job)
            poller.wake()
          })
        running.add(job)
      }
      return claimed.length === limit && running.size < concurrency
    },
  })

  return {
    start: () => {
      unsubscribe = onWake(VERIFICATION_TOPIC, poller.wake)
      poller.start()
    },
    stop: async () => {
      unsubscribe()
      clearTimeout(later)
      await poller.stop()
      clearTimeout(later)
      await Promise.all(running)
    },
  }
}

async function verifyOne(
  options: VerificationWorkerOptions,
  claim: ClaimedReference,
  signal: AbortSignal,
): Promise<void> {
  const { transact, references, feed, clock } = options
  const started = clock.now()
  const verdict = await verifyReference(claim, { ...options.verify, signal })
  // Stopping cut the fetch short: that says nothing about the reference.
  if (signal.aborted) {
    await transact((tx) => references.releaseClaim(tx, claim))
    return
  }
  const { labels, ...record } = verdict
  const duration_ms = clock.now() - started
  await transact(async (tx) => {
    const now = await tx.now()
    const updated = await references.recordVerification(tx, claim, {
      ...record,
      duration_ms,
      labels,
      nextVerificationAt: nextVerificationAt(now, record.verification_status, claim.failures),
    })
    if (updated && hasChanged(claim, updated)) {
      const told = { actor: 'system', reason: record.reason }
      await feed.append(tx, [referenceEvent('manifest_ref.verified', updated, told)])
    }
  })
  options.onVerified?.(record.verification_status, duration_ms)
}

/** The first result is news even when the reference stays `pending`: it says why. */
function hasChanged(before: ReferenceRecord, after: ReferenceRecord): boolean {
  return (
    before.last_verified_at === null ||
    before.verification_status !== after.verification_status ||
    before.completeness_score !== after.completeness_score ||
    before.proved_by !== after.proved_by
  )
}

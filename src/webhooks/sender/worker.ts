// Sends due deliveries in the background (spec 6.4). Instances share the work by leases: nothing is sent before its
// claim is committed, and a result that arrives after its lease has ended changes nothing. If the database is far
// away, a few more than there are slots are claimed ahead, so that no slot waits for it.

import { setMaxListeners } from 'node:events'
import { createBatcher } from '../../lib/batcher.ts'
import { type ClaimWorkerOptions, createClaimWorker } from '../../lib/claim-worker.ts'
import type { Clock } from '../../lib/clock.ts'
import { type ClockGuard, createClockGuard } from '../../lib/clock-guard.ts'
import { createSlots } from '../../lib/slots.ts'
import { createSweep } from '../../lib/sweep.ts'
import type { OnWake, Transact } from '../../lib/transaction.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Deliver } from './deliver.ts'
import type { Fairness } from './fairness.ts'
import { createRecorder } from './record-results.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  DELIVERIES_TOPIC,
  type NextStep,
  type OutboxStore,
  type UnsentClaim,
} from './store.ts'

export interface DeliveryWorkerOptions {
  transact: Transact
  onWake: OnWake
  outbox: Pick<OutboxStore, 'claim' | 'record' | 'giveBack' | 'expire'>
  deliver: Deliver
  fairness: Fairness
  clock: Clock
  guard?: ClockGuard | undefined
  /** Maximum concurrent deliveries. Default 256. */
  concurrency?: number | undefined
  /**
   * Claims held in addition to those in progress: they wait here for a slot, or for their result to be written.
   * Default 0.
   */
  ahead?: number | undefined
  /** How long a claim holds, in milliseconds: longer than an attempt can take. Default 30000. */
  leaseMs?: number | undefined
  /** Longest time between two checks for work, in milliseconds. Default 1000. */
  pollMs?: number | undefined
  /** Receives every finished attempt, for metrics. */
  onAttempt?: ((attempt: AttemptReport) => void) | undefined
  onFault: (error: unknown) => void
}

export interface AttemptReport {
  endpoint: string
  status: AttemptResult['status']
  http_status_code: number | undefined
  duration_ms: number
  /** From the event to the first attempt, in milliseconds; undefined for later ones. */
  delay_ms: number | undefined
  attempt: number
  /** What became of the delivery. */
  next: NextStep['state']
}

export interface DeliveryWorker {
  start(): void
  /**
   * Stops claiming and lets work in progress finish, for at most `drainMs` (default 10000). Work that has not
   * finished then is aborted and left to its lease.
   */
  stop(drainMs?: number): Promise<void>
  /** Deliveries under way here. */
  inFlight(): number
}

export const DEFAULT_CONCURRENCY = 256
export const DEFAULT_LEASE_MS = 30_000
const DEFAULT_POLL_MS = 1_000
const DEFAULT_DRAIN_MS = 10_000
const EXPIRE_MS = 60_000
/** How often a claim examines every endpoint, if many have due deliveries but no slot. */
const FULL_LOOK_MS = 200
/** Claims released in one transaction. */
const MAX_GIVEN_BACK = 200
/** Pause between two claims that found much to tidy up and nothing to send. */
const TIDY_MS = 20

export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { fairness, clock, onFault } = options
  const { guard = createClockGuard({ onChange: () => {} }) } = options
  const { concurrency = DEFAULT_CONCURRENCY, leaseMs = DEFAULT_LEASE_MS } = options
  const { ahead = 0, pollMs = DEFAULT_POLL_MS } = options
  const slots = createSlots(concurrency)
  const recorder = createRecorder(options)
  const cut = new AbortController()
  setMaxListeners(0, cut.signal) // one for each attempt under way
  const giveBack = createGiveBack(options)
  let unsubscribe = () => {}

  const claims = createClaimWorker<ClaimedDelivery>({
    name: 'worker: deliver webhooks',
    clock,
    concurrency: concurrency + ahead,
    leaseMs,
    pollMs,
    onFault: (error) => onFault(error),
    claim: createClaimDue(options, { leaseMs, pollMs }),
    run: async ({ claim, requestedAt }) => {
      await attempt(claim, requestedAt)
      return undefined
    },
  })
  const expiry = createExpiry(options, guard)

  async function attempt(delivery: ClaimedDelivery, requestedAt: number): Promise<void> {
    const { delivery_id, attempt: token, channel } = delivery
    fairness.started(channel)
    let result: AttemptResult | undefined
    let unsentMs: number | undefined
    const hasSlot = await slots.take()
    try {
      // The commit or the wait took so long, or the process was suspended: another instance may hold the lease soon.
      if (!hasSlot || clock.now() - requestedAt > leaseMs / 4) unsentMs = 0
      else {
        const made = await options.deliver(delivery, cut.signal)
        if (made?.status === 'unsent') unsentMs = made.inMs
        else result = made
      }
    } finally {
      if (hasSlot) slots.free()
      fairness.ended(channel, result)
    }
    if (unsentMs !== undefined) {
      return giveBack({ delivery_id, attempt: token, inMs: unsentMs })
    }
    if (result === undefined) return
    options.onAttempt?.(reportOf(delivery, result))
    await recorder.record(result, requestedAt + leaseMs)
  }

  return {
    start: () => {
      unsubscribe = options.onWake(DELIVERIES_TOPIC, claims.ask)
      claims.start()
      expiry.start()
    },
    stop: async (drainMs = DEFAULT_DRAIN_MS) => {
      unsubscribe()
      // Deliveries that waited for a slot were not sent: another instance may take them at once.
      slots.close()
      await Promise.all([claims.stop({ drainMs, abortMs: 0 }), withTimeout(drainMs, expiry.stop())])
      cut.abort()
      recorder.close()
    },
    inFlight: claims.inFlight,
  }
}

function reportOf(delivery: ClaimedDelivery, result: AttemptResult): AttemptReport {
  const { attempt, claimed_at, created_at } = delivery
  const { endpoint, status, http_status_code, response_time_ms, next } = result
  const delay_ms = attempt === 1 ? Math.max(0, claimed_at - created_at) : undefined
  return {
    endpoint,
    status,
    http_status_code,
    duration_ms: response_time_ms,
    delay_ms,
    attempt,
    next: next.state,
  }
}

/** Releases claims of deliveries that were not sent. */
function createGiveBack({ transact, outbox }: Pick<DeliveryWorkerOptions, 'transact' | 'outbox'>) {
  return createBatcher<UnsentClaim, void>({
    maxItems: MAX_GIVEN_BACK,
    run: async (claims) => {
      await transact((tx) => outbox.giveBack(tx, claims))
      return []
    },
  })
}

function createExpiry({ transact, outbox, onFault }: DeliveryWorkerOptions, guard: ClockGuard) {
  return createSweep({
    name: 'worker: webhooks abandoned after their last retry',
    intervalMs: EXPIRE_MS,
    transact,
    guard,
    onFault,
    sweep: async () => {
      await transact((tx) => outbox.expire(tx))
      return false
    },
  })
}

type ClaimDue = ClaimWorkerOptions<ClaimedDelivery>['claim']

/** Claims due deliveries, and decides when to look again. */
function createClaimDue(
  { transact, outbox, fairness }: DeliveryWorkerOptions,
  { leaseMs, pollMs }: { leaseMs: number; pollMs: number },
): ClaimDue {
  let nextFullLookMs = 0
  let contendedMs = TIDY_MS
  return async (limit, running) => {
    const isQuickLook = performance.now() < nextFullLookMs
    if (!isQuickLook) nextFullLookMs = performance.now() + FULL_LOOK_MS
    const { claimed, nextDueAt, isCutShort, isContended, limitedUntil, now } = await transact(
      async (tx) => {
        const preferredHosts = fairness.quickHosts()
        const request = { limit, leaseMs, ...fairness.forClaim(limit), preferredHosts, isQuickLook }
        const taken = await outbox.claim(tx, request)
        return { ...taken, now: await tx.now() }
      },
    )
    contendedMs =
      isContended && claimed.length === 0 ? Math.min(2 * contendedMs, FULL_LOOK_MS) : TIDY_MS
    const inMs = nextDueAt === undefined ? pollMs : nextDueAt - now
    if (inMs > 0) return { claimed, nextInMs: inMs }
    // Deliveries that are due but not taken wait for a slot, and every freed slot wakes us. If none was taken,
    // there was only cleanup, such as holding what an open circuit blocks. If some owners were not scanned, the
    // scan continues. Where other instances were claiming, this one looks again shortly, after a time that differs
    // between instances and grows while there is nothing to take. What an operator's rate limit holds back is checked
    // when it may be sent, and the rest not much later.
    const untilRate =
      limitedUntil === undefined
        ? undefined
        : Math.min(Math.max(limitedUntil - now, TIDY_MS), FULL_LOOK_MS)
    if (isContended) return { claimed, nextInMs: contendedMs * (0.5 + Math.random()) }
    if (running.length + claimed.length === 0) return { claimed, nextInMs: untilRate ?? TIDY_MS }
    const untilFullLook = Math.max(nextFullLookMs - performance.now(), TIDY_MS)
    if (!isCutShort) return { claimed, nextInMs: untilRate }
    return { claimed, nextInMs: Math.min(untilFullLook, untilRate ?? untilFullLook) }
  }
}

// Work that instances share through claims in a database: polls for due work, holds no more than its slots, renews
// the leases of long work, and aborts when a claim is lost. A slot is occupied from the claim until the work has
// ended, so nothing can accumulate here, and a kill loses nothing.

import type { Clock } from './clock.ts'
import { createPace } from './pace.ts'
import { createPoller } from './poller.ts'
import { withTimeout } from './with-timeout.ts'

export interface ClaimWorkerOptions<Claim> {
  /** The name of the work, for reports of a blocked event loop. */
  name: string
  clock: Clock
  /** Claims at the same time. */
  concurrency: number
  /** Duration of a claim, in milliseconds. */
  leaseMs: number
  /** Maximum poll interval, in milliseconds. */
  pollMs: number
  /** Claims due work, at most `free` items, while `running` are in progress here. */
  claim(free: number, running: readonly Claim[]): Promise<Claimed<Claim>>
  /**
   * Does the work and ends the claim. Errors that it throws are logged, and the work is retried when the lease
   * expires.
   */
  run(job: ClaimedJob<Claim>): Promise<Ended | undefined>
  /** Renews the lease; false if the claim was lost. Default: claims are not renewed. */
  renew?: ((claim: Claim) => Promise<boolean>) | undefined
  /** Called with errors, and with the claim if the error was about one. */
  onFault: (error: unknown, claim: Claim | undefined) => void
}

interface Claimed<Claim> {
  claimed: readonly Claim[]
  /** When to poll again, in milliseconds, if that is before the next regular poll. */
  nextInMs?: number | undefined
}

interface Ended {
  /** When there may be more work of the same kind, in milliseconds. */
  afterMs?: number | undefined
}

/** @internal */
export interface ClaimedJob<Claim> {
  claim: Claim
  /** Aborted when the claim was lost, or when the worker stops and does not wait. */
  signal: AbortSignal
  /** When the claim was requested, by our clock. */
  requestedAt: number
  /** When the claim expires, by our clock; later after each renewal. */
  heldUntil: number
  /** Renews the claim now; afterwards `signal` shows whether it is still held. */
  keep(): Promise<void>
}

export interface ClaimWorker<Claim> {
  start(): void
  /** Requests a poll: something may be due. */
  ask(): void
  /** Renews all claims held here now: some may be lost. */
  keepAll(): void
  inFlight(): number
  /**
   * Stops claiming, lets work in progress finish for `drainMs`, aborts the rest and waits `abortMs` for it. Returns
   * whatever has not ended by then.
   */
  stop(times: StopTimes): Promise<Claim[]>
}

interface StopTimes {
  drainMs: number
  abortMs: number
}

interface Running<Claim> extends ClaimedJob<Claim> {
  abort: AbortController
  ended: Promise<void>
}

export function createClaimWorker<Claim>(options: ClaimWorkerOptions<Claim>): ClaimWorker<Claim> {
  const { clock, concurrency, leaseMs, pollMs, renew, onFault } = options
  const running = new Set<Running<Claim>>()
  let dueTimer: NodeJS.Timeout | undefined
  let isStopping = false

  const looks = createPoller({
    name: options.name,
    intervalMs: pollMs,
    onFault: (error) => onFault(error, undefined),
    round: async () => {
      clearTimeout(dueTimer)
      const free = concurrency - running.size
      if (free > 0) askIn(await pace.look(() => take(free)))
      return false
    },
  })
  const pace = createPace(looks.wake)

  async function take(free: number): Promise<number | undefined> {
    const requestedAt = clock.now()
    const here = [...running].map(({ claim }) => claim)
    const { claimed, nextInMs } = await options.claim(free, here)
    // Even if stopping began meanwhile: this work ends like the rest.
    for (const claim of claimed) begin(claim, requestedAt)
    return nextInMs
  }

  /** Runs before the next poll, if this process still exists by then. */
  function askIn(ms: number | undefined): void {
    if (ms === undefined || ms >= pollMs || isStopping) return
    clearTimeout(dueTimer)
    dueTimer = setTimeout(pace.ask, ms)
  }

  function begin(claim: Claim, requestedAt: number): void {
    const abort = new AbortController()
    const job: Running<Claim> = {
      claim,
      abort,
      signal: abort.signal,
      requestedAt,
      heldUntil: requestedAt + leaseMs,
      keep: () => keep(job),
      ended: Promise.resolve(),
    }
    running.add(job)
    const renewal = renew && setInterval(() => void keep(job), leaseMs / 3)
    job.ended = options
      .run(job)
      .catch((error: unknown): undefined => onFault(error, claim) as undefined)
      .then((ended) => {
        clearInterval(renewal)
        running.delete(job)
        pace.ask()
        askIn(ended?.afterMs)
      })
  }

  const keep = (job: Running<Claim>) => renewClaim(job, options)

  return {
    start: looks.start,
    ask: pace.ask,
    keepAll: () => {
      for (const job of running) void keep(job)
    },
    inFlight: () => running.size,
    stop: async ({ drainMs, abortMs }) => {
      isStopping = true
      clearTimeout(dueTimer)
      const lastLook = looks.stop()
      await endAll(running, lastLook, { drainMs, abortMs })
      pace.stop()
      return [...running].map(({ claim }) => claim)
    },
  }
}

/** Aborts work whose claim was lost, however it was lost. */
async function renewClaim<Claim>(
  job: Running<Claim>,
  { clock, leaseMs, renew, onFault }: ClaimWorkerOptions<Claim>,
): Promise<void> {
  if (!renew || job.signal.aborted) return
  const requestedAt = clock.now()
  try {
    if (await renew(job.claim)) job.heldUntil = requestedAt + leaseMs
    else job.abort.abort()
  } catch (error) {
    onFault(error, job.claim)
  }
}

/** Also ends what the last poll claims. */
async function endAll<Claim>(
  running: ReadonlySet<Running<Claim>>,
  lastLook: Promise<void>,
  { drainMs, abortMs }: StopTimes,
): Promise<void> {
  const abortAll = () => {
    for (const { abort } of running) abort.abort()
  }
  const allEnded = () => Promise.all([...running].map(({ ended }) => ended))
  if (drainMs > 0) await withTimeout(drainMs, lastLook.then(allEnded))
  abortAll()
  if (abortMs > 0) await withTimeout(abortMs, lastLook.then(abortAll).then(allEnded))
}

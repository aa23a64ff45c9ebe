// Applies in the background what was acknowledged (spec 6.4: acknowledge before heavy work).
// Instances share the work by leases in the database, which are renewed while the application is at
// it; of one task only one message at a time is under way, on all instances together.

import { createPace } from '../../lib/pace.ts'
import { createPoller } from '../../lib/poller.ts'
import type { OnWake } from '../../lib/transaction.ts'
import {
  type ApplyPorts,
  type ApplyReport,
  applyMessage,
  type Claim,
  createMark,
  standing,
} from './apply.ts'
import { INBOX_TOPIC, type InboxStore } from './store.ts'

export interface ApplyWorkerOptions
  extends Omit<ApplyPorts, 'maxTries' | 'backoff' | 'inbox' | 'mark'> {
  onWake: OnWake
  inbox: Pick<InboxStore, 'claim' | 'position' | 'finish' | 'renew' | 'release'>
  /** What is kept with a claim, to be read by whoever takes it over. */
  worker: string
  /** Messages at the same time. Default 16. */
  concurrency?: number | undefined
  /** How long a message stays with a process that has died, in milliseconds. Default 15000. */
  leaseMs?: number | undefined
  /** Longest time between two looks for work, in milliseconds. Default 1000. */
  pollMs?: number | undefined
  /** Attempts before a message is a dead letter. Default 20. */
  maxTries?: number | undefined
  /** Pauses between them. Default from 1 s to 5 min, doubling. */
  backoff?: ApplyPorts['backoff'] | undefined
  /** Hears what became of each attempt. Default: nobody. */
  onApplied?: ((report: ApplyReport) => void) | undefined
  /** Hears, without a message, of what went wrong beside the application. */
  onFault: (error: unknown, message?: Claim['message']) => void
}

export interface ApplyWorker {
  start(): void
  /**
   * Claims nothing more and lets what is under way end, for at most `drainMs` (default 10000). What
   * has not ended then is aborted, and given back by the handlers that heed it.
   */
  stop(drainMs?: number): Promise<void>
  /** Messages under way here. */
  inFlight(): number
}

const DEFAULT_DRAIN_MS = 10_000
/** How long an aborted handler has to end. */
const ABORT_MS = 500

interface Job {
  claim: Claim
  abort: AbortController
  ended: Promise<void>
}

export function createApplyWorker(options: ApplyWorkerOptions): ApplyWorker {
  const { transact, inbox, clock, onWake, worker, onFault } = options
  const { concurrency = 16, leaseMs = 15_000, pollMs = 1_000, maxTries = 20 } = options
  const { backoff = { firstMs: 1_000, maxMs: 300_000 } } = options
  const ports: ApplyPorts = { ...options, maxTries, backoff, mark: createMark(options) }
  const running = new Set<Job>()
  let unsubscribe = () => {}
  let dueTimer: NodeJS.Timeout | undefined

  const claims = createPoller({
    intervalMs: pollMs,
    onFault,
    round: async (signal) => {
      clearTimeout(dueTimer)
      const limit = concurrency - running.size
      const inMs = limit > 0 ? await pace.look(() => claim(limit)) : undefined
      if (inMs !== undefined && !signal.aborted) dueTimer = setTimeout(pace.ask, inMs)
      return false
    },
  })

  const pace = createPace(claims.wake)

  /** Answers in how many milliseconds the next message is due, if that is before the next poll. */
  async function claim(limit: number): Promise<number | undefined> {
    const askedAt = clock.now()
    const { taken, nextDueAt, now } = await transact(async (tx) => {
      const { claimed, nextDueAt } = await inbox.claim(tx, { limit, leaseMs, worker })
      const taken = []
      for (const message of claimed) {
        taken.push({ message, standing: await standing(tx, inbox, message) })
      }
      return { taken, nextDueAt, now: await tx.now() }
    })
    for (const one of taken) begin(one, askedAt)
    const inMs = nextDueAt === undefined ? 0 : nextDueAt - now
    return inMs > 0 && inMs < pollMs ? inMs : undefined
  }

  function begin(taken: Pick<Claim, 'message' | 'standing'>, askedAt: number): void {
    const abort = new AbortController()
    const held = { signal: abort.signal, heldUntil: askedAt + leaseMs }
    const job: Job = { claim: { ...taken, ...held }, abort, ended: Promise.resolve() }
    running.add(job)
    const renewal = setInterval(() => void keep(job), leaseMs / 3)
    job.ended = run(job)
      .catch((error: unknown) => onFault(error, taken.message))
      .finally(() => {
        clearInterval(renewal)
        running.delete(job)
        pace.ask()
      })
  }

  async function run(job: Job): Promise<void> {
    const { claim } = job
    // Committing took so long, or the process stood still: another may have it by now.
    if (clock.now() > claim.heldUntil - leaseMs / 2) await keep(job)
    if (claim.signal.aborted) return
    const report = await applyMessage(ports, claim)
    options.onApplied?.(report)
  }

  /** A handler that works in vain is aborted. */
  async function keep({ claim, abort }: Job): Promise<void> {
    if (claim.signal.aborted) return
    const askedAt = clock.now()
    try {
      const isKept = await transact((tx) => inbox.renew(tx, claim.message, leaseMs))
      if (isKept) claim.heldUntil = askedAt + leaseMs
      else abort.abort()
    } catch (error) {
      onFault(error, claim.message)
    }
  }

  const allEnded = () => Promise.all([...running].map(({ ended }) => ended))

  return {
    start: () => {
      unsubscribe = onWake(INBOX_TOPIC, pace.ask)
      claims.start()
    },
    stop: async (drainMs = DEFAULT_DRAIN_MS) => {
      unsubscribe()
      await claims.stop()
      clearTimeout(dueTimer)
      pace.stop()
      await within(drainMs, allEnded())
      for (const { abort } of running) abort.abort()
      await within(ABORT_MS, allEnded())
    },
    inFlight: () => running.size,
  }
}

/** Ends when the work does, or after `ms`. */
function within(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void work.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

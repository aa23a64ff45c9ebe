// Applies acknowledged messages in the background (spec 6.4: acknowledge before heavy work). Instances share the work
// by leases in the database, which are renewed while the application works; at most one message of a task is in
// progress, across all instances.

import { createClaimWorker } from '../../lib/claim-worker.ts'
import type { OnWake } from '../../lib/transaction.ts'
import {
  type ApplyPorts,
  type ApplyReport,
  applyMessage,
  type ClaimedMessage,
  createMark,
  health,
} from './apply.ts'
import { INBOX_TOPIC, type InboxStore } from './store.ts'

export interface ApplyWorkerOptions
  extends Omit<ApplyPorts, 'maxTries' | 'backoff' | 'inbox' | 'mark'> {
  onWake: OnWake
  inbox: Pick<InboxStore, 'claim' | 'position' | 'finish' | 'renew' | 'release'>
  /** Stored with a claim, for the worker that takes it over. */
  worker: string
  /** Maximum concurrent messages. Default 16. */
  concurrency?: number | undefined
  /** How long a message stays with a process that has died, in milliseconds. Default 15000. */
  leaseMs?: number | undefined
  /** Longest time between two checks for work, in milliseconds. Default 1000. */
  pollMs?: number | undefined
  /** Attempts before a message is a dead letter. Default 20. */
  maxTries?: number | undefined
  /** Delays between the attempts. Default from 1 s to 5 min, doubling. */
  backoff?: ApplyPorts['backoff'] | undefined
  /** Receives the outcome of each attempt. Default: none. */
  onApplied?: ((report: ApplyReport) => void) | undefined
  /** Receives, without a message, errors outside the application. */
  onFault: (error: unknown, message?: ClaimedMessage['message']) => void
}

export interface ApplyWorker {
  start(): void
  /**
   * Stops claiming and lets work in progress finish, for at most `drainMs` (default 10000). Work that has not
   * finished then is aborted, and released if its handlers react to the abort.
   */
  stop(drainMs?: number): Promise<void>
  /** Messages under way here. */
  inFlight(): number
}

const DEFAULT_DRAIN_MS = 10_000
/** How long an aborted handler has to finish. */
const ABORT_MS = 500

export function createApplyWorker(options: ApplyWorkerOptions): ApplyWorker {
  const { transact, inbox, clock, onWake, worker, onFault } = options
  const { concurrency = 16, leaseMs = 15_000, pollMs = 1_000, maxTries = 20 } = options
  const { backoff = { firstMs: 1_000, maxMs: 300_000 } } = options
  const ports: ApplyPorts = { ...options, maxTries, backoff, mark: createMark(options) }
  let unsubscribe = () => {}

  const claims = createClaimWorker<Taken>({
    name: 'worker: apply webhooks',
    clock,
    concurrency,
    leaseMs,
    pollMs,
    onFault: (error, taken) => onFault(error, taken?.message),
    claim: async (limit) => {
      const { taken, nextDueAt, now } = await transact(async (tx) => {
        const { claimed, nextDueAt } = await inbox.claim(tx, { limit, leaseMs, worker })
        const taken: Taken[] = []
        for (const message of claimed) {
          taken.push({ message, health: await health(tx, inbox, message) })
        }
        return { taken, nextDueAt, now: await tx.now() }
      })
      const inMs = nextDueAt === undefined ? 0 : nextDueAt - now
      return { claimed: taken, nextInMs: inMs > 0 ? inMs : undefined }
    },
    run: async (job) => {
      // The commit took so long, or the process was suspended: another worker may have the message by now.
      if (clock.now() > job.heldUntil - leaseMs / 2) await job.keep()
      if (job.signal.aborted) return undefined
      const report = await applyMessage(ports, {
        ...job.claim,
        signal: job.signal,
        heldUntil: () => job.heldUntil,
      })
      options.onApplied?.(report)
      return undefined
    },
    renew: ({ message }) => transact((tx) => inbox.renew(tx, message, leaseMs)),
  })

  return {
    start: () => {
      unsubscribe = onWake(INBOX_TOPIC, claims.ask)
      claims.start()
    },
    stop: async (drainMs = DEFAULT_DRAIN_MS) => {
      unsubscribe()
      await claims.stop({ drainMs, abortMs: ABORT_MS })
    },
    inFlight: claims.inFlight,
  }
}

type Taken = Pick<ClaimedMessage, 'message' | 'health'>

// The complete webhook receiver (spec 4.4, 6.4): each delivery is verified and stored before it is acknowledged, and
// applied once outside the request path. For a buyer's own server, with any framework, and for `adwire receive`.

import { hostname } from 'node:os'
import { createRevocationCheck } from '../../key-discovery/revocation.ts'
import { createSenderKeys, type SenderKeys } from '../../key-discovery/sender-keys.ts'
import type { TrustedSeller } from '../../key-discovery/trusted-seller.ts'
import type { Clock } from '../../lib/clock.ts'
import { createClockGuard } from '../../lib/clock-guard.ts'
import { defined } from '../../lib/defined.ts'
import type { LogLine } from '../../lib/log-line.ts'
import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { laterClock, steadyClock } from '../../lib/steady-clock.ts'
import { createSweep } from '../../lib/sweep.ts'
import type { OnWake, Transact } from '../../lib/transaction.ts'
import { DEFAULT_PROTOCOL_NAME, identifiersFor } from '../../protocol/identifiers.ts'
import type { CheckSignature, ReplayStore } from '../../signing/ports.ts'
import type { ApplyReport, Handlers } from './apply.ts'
import { createApplyWorker } from './apply-worker.ts'
import { refuseBadNumbers } from './check-options.ts'
import { createConflictCheck, type WebhookConflict } from './conflicts.ts'
import { MAX_BODY_BYTES, type Receive } from './delivery.ts'
import type { DuplicatePolicy } from './outcomes.ts'
import { createReceive, type ReceiveEvent } from './receive.ts'
import type { Route, RouteOf } from './routes.ts'
import type { InboxStats, InboxStore, ReceivedMessage } from './store.ts'
import { createWaitFor, type WaitFor } from './wait-for.ts'

export interface ReceiverOptions extends Handlers {
  transact: Transact
  onWake: OnWake
  inbox: InboxStore
  /** Nonces already used; shared by all instances. */
  replay: ReplayStore & { sweep?(): Promise<number> }
  /** The registrations by name, or a function that finds one. */
  routes: readonly Route[] | RouteOf
  /** The senders with accepted signatures. Default: none, so every route needs a credential. */
  sellers?: readonly TrustedSeller[] | undefined
  /** Fetches the keys of sellers. */
  egress: Pick<Egress, 'fetch'>
  /** Default proto. */
  protocolName?: string | undefined
  /** Whether keys for signing requests may sign webhooks too. Default true. */
  acceptRequestKeys?: boolean | undefined
  /**
   * Whether to reject keys of an operator whose list of revoked keys was never read, because the operator publishes
   * none or cannot be reached. Default false: a list that was read once stays in force permanently.
   */
  requireRevocationList?: boolean | undefined
  /** Default: this thread. */
  checkSignature?: CheckSignature | undefined
  /** Largest body, in bytes. Default 1048576. */
  maxBodyBytes?: number | undefined
  /**
   * The response for a key that is already known. `first-wins`: always reports it as delivered. `strict`, as 3.2
   * requires: 409 for another body, and 503 for a copy of a message that is not applied yet. Default first-wins.
   */
  duplicates?: DuplicatePolicy | undefined
  /**
   * How long a key and the digest of its body are remembered, in hours: at least 24. Default 48; with `strict` 168,
   * the longest retry horizon that a sender may declare.
   */
  retentionHours?: number | undefined
  /** Maximum stored keys of one sender; beyond it the response is 429. Default 1000000. */
  maxKeysPerSender?: number | undefined
  /** Maximum total size of one sender's bodies, in bytes; beyond it the response is also 429. Default 4 GiB. */
  maxBytesPerSender?: number | undefined
  /** Maximum messages applied concurrently. Default 16. */
  concurrency?: number | undefined
  /** Attempts to apply before a message is a dead letter. Default 20. */
  maxTries?: number | undefined
  /** Delays between the attempts. Default from 1 s to 5 min, doubling. */
  backoff?: { firstMs: number; maxMs: number } | undefined
  /** How long a message stays with a process that has died, in milliseconds. Default 15000. */
  leaseMs?: number | undefined
  /** Longest time between two checks for work, in milliseconds. Default 1000. */
  pollMs?: number | undefined
  /** Stored with a claim, for the worker that takes it over. Default: host and process. */
  worker?: string | undefined
  /** Default the system's. */
  clock?: Clock | undefined
  log?: { info: LogLine; warn: LogLine } | undefined
  /** Receives every delivery, after its response is decided. */
  onReceived?: ((event: ReceiveEvent) => void) | undefined
  /** Receives the outcome of each attempt to apply. */
  onApplied?: ((report: ApplyReport) => void) | undefined
  /**
   * Receives an end of an operation that differs from the first one of the same sender, which counts. Default: only
   * logged.
   */
  onConflict?: ((conflict: WebhookConflict) => void) | undefined
  /** Receives errors thrown by the application and, without a message, other errors. */
  onFault: (error: unknown, message?: ReceivedMessage) => void
}

export interface Receiver {
  /** Verifies a delivery, stores it, and returns the response. Never rejects. */
  receive: Receive
  /** The body size beyond which an adapter can stop reading. */
  maxBodyBytes: number
  /** How long a key is remembered, in hours. */
  retentionHours: number
  waitFor: WaitFor
  /** Looks up the keys of a trusted seller, as a delivery would: returns their number, or why there are none. */
  lookUpSeller(
    agentUrl: string,
  ): Promise<{ ok: true; keys: number } | { ok: false; reason: string }>
  start(): void
  /** Lets messages being applied finish, for at most `drainMs` (default 10000). */
  stop(drainMs?: number): Promise<void>
  stats(): Promise<InboxStats & { inFlight: number }>
}

/** Senders retry for 24 hours; twice that leaves room for clock differences and late deliveries. */
const DEFAULT_RETENTION_HOURS = 48
export const LEAST_RETENTION_HOURS = 24
/** The longest `delivery_retry_horizon_seconds` of 3.2. */
const LONGEST_HORIZON_HOURS = 168
export const DEFAULT_KEYS_PER_SENDER = 1_000_000
export const DEFAULT_BYTES_PER_SENDER = 4 * 1_024 ** 3

/** How long a key is remembered by default. */
export function usualRetentionHours(duplicates: DuplicatePolicy): number {
  return duplicates === 'strict' ? LONGEST_HORIZON_HOURS : DEFAULT_RETENTION_HOURS
}

const HOUR_MS = 60 * 60 * 1_000
const SWEEP_MS = 60_000

/**
 * Throws for invalid options: a retention that is too short, a limit that is not a number, two handlers, a route
 * without a secret.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { maxBodyBytes = MAX_BODY_BYTES, inbox, onWake, onFault } = options
  const clock = options.clock ?? steadyClock
  const wallClock = options.clock ?? laterClock
  const { duplicates = 'first-wins' } = options
  const { retentionHours = usualRetentionHours(duplicates) } = options
  const { worker = `${hostname()}:${process.pid}`, pollMs } = options
  refuseBadNumbers(options)
  if (!(retentionHours >= LEAST_RETENTION_HOURS)) {
    throw new RangeError(`retentionHours must be at least ${LEAST_RETENTION_HOURS} (spec 6.4)`)
  }
  if (options.handle && options.handleInTransaction) {
    throw new TypeError('set handle or handleInTransaction, not both')
  }

  const { sellers = [], egress, log } = options
  const keys = createSenderKeys({
    sellers,
    egress,
    clock,
    ...defined({ log }),
  })
  const receive = receiveWith(options, { clock, wallClock, maxBodyBytes, retentionHours, keys })
  const names = identifiersFor(options.protocolName ?? DEFAULT_PROTOCOL_NAME)
  const onConflict = conflictTeller(options)
  const checkConflict = createConflictCheck({ inbox, names, onConflict })
  const handleStale: Handlers['handleStale'] = async (message, context) => {
    await checkConflict(message)
    await options.handleStale?.(message, context)
  }
  const applying = createApplyWorker({ ...options, handleStale, clock, worker })
  const sweeping = sweeper(options)
  return {
    receive,
    maxBodyBytes,
    retentionHours,
    waitFor: createWaitFor({ inbox, onWake, pollMs, onFault, onConflict, names }),
    lookUpSeller: async (agentUrl) => {
      const found = await keys.lookUp(agentUrl)
      return found.ok ? { ok: true, keys: found.value.size } : found
    },
    start: () => {
      applying.start()
      sweeping.start()
    },
    stop: async (drainMs) => {
      await Promise.all([applying.stop(drainMs), sweeping.stop()])
    },
    stats: async () => ({ ...(await inbox.stats()), inFlight: applying.inFlight() }),
  }
}

function receiveWith(
  options: ReceiverOptions,
  own: {
    clock: Clock
    wallClock: Clock
    maxBodyBytes: number
    retentionHours: number
    keys: SenderKeys
  },
): Receive {
  const { inbox, replay, routes, egress, log, onReceived } = options
  const { acceptRequestKeys, checkSignature } = options
  const { clock, wallClock, maxBodyBytes, retentionHours, keys } = own
  const names = identifiersFor(options.protocolName ?? DEFAULT_PROTOCOL_NAME)
  const received = log ? { log } : {}
  const type = names.revocationType
  const unlisted = options.requireRevocationList ? 'stale' : 'current'
  return createReceive({
    routes,
    inbox,
    replay,
    names,
    keys,
    clock: wallClock,
    maxBodyBytes,
    checkRevocation: createRevocationCheck({
      keys,
      egress,
      type,
      clock,
      ...received,
      whenAbsent: unlisted,
      whenUnreachable: unlisted,
    }),
    limits: {
      maxPerSender: options.maxKeysPerSender ?? DEFAULT_KEYS_PER_SENDER,
      maxBytesPerSender: options.maxBytesPerSender ?? DEFAULT_BYTES_PER_SENDER,
      retentionMs: retentionHours * HOUR_MS,
    },
    ...defined({
      acceptRequestKeys,
      checkSignature,
      duplicates: options.duplicates,
      onEvent: onReceived ? onReceived : undefined,
    }),
  })
}

/** An error thrown by a listener does not prevent the message from being marked. */
function conflictTeller({ onConflict, onFault, log }: ReceiverOptions) {
  return (conflict: WebhookConflict): void => {
    const { operation_id, settled, other } = conflict
    const { sender, task_id } = other
    const fields = { operation_id, sender, task_id, settled: settled.status, other: other.status }
    log?.warn(
      fields,
      'a second final status of an operation differs from the first one, which is kept',
    )
    try {
      onConflict?.(conflict)
    } catch (error) {
      onFault(error)
    }
  }
}

function sweeper({ transact, inbox, replay, onFault, log }: ReceiverOptions) {
  const guard = createClockGuard({
    onChange: ({ byMs, isTrusted }) => {
      if (isTrusted) return
      const fields = { clock_off_seconds: Math.round(byMs / 1_000) }
      log?.warn(
        fields,
        'the time of the database is far from the expected one: nothing is deleted until it is back, or for an hour',
      )
    },
  })
  return createSweep({
    name: 'worker: delete received webhooks and nonces that are over',
    intervalMs: SWEEP_MS,
    transact,
    guard,
    onFault,
    sweep: async () => {
      await replay.sweep?.()
      return (await transact((tx) => inbox.sweep(tx))) > 0
    },
  })
}

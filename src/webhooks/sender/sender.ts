// The complete webhook sender: registrations in, deliveries out (spec 6). For a program that provides its own
// transactions and stores, and for the server itself.

import type { Clock } from '../../lib/clock.ts'
import type { ClockGuard } from '../../lib/clock-guard.ts'
import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { laterClock, steadyClock } from '../../lib/steady-clock.ts'
import type { OnWake, Transact, Transaction } from '../../lib/transaction.ts'
import { DEFAULT_PROTOCOL_NAME, identifiersFor } from '../../protocol/identifiers.ts'
import type { Signer } from '../../signing/ports.ts'
import { ATTEMPT_TIMEOUT_MS, createDeliver, PREPARE_TIMEOUT_MS } from './deliver.ts'
import { createEmitter, type Emitter } from './emit.ts'
import { createFairness } from './fairness.ts'
import { createNotify, type Notify } from './notify.ts'
import {
  type ChannelCheck,
  checkChannel,
  type LegacyChoice,
  type WantedChannel,
} from './register-channel.ts'
import type { Channel, ChannelStore, NewChannel, OutboxStats, OutboxStore } from './store.ts'
import {
  type AttemptReport,
  createDeliveryWorker,
  DEFAULT_CONCURRENCY,
  DEFAULT_LEASE_MS,
} from './worker.ts'

export interface SenderOptions {
  transact: Transact
  onWake: OnWake
  channels: Pick<ChannelStore, 'put' | 'ofSubjects'>
  outbox: Pick<
    OutboxStore,
    'add' | 'room' | 'checkRoom' | 'claim' | 'record' | 'giveBack' | 'expire' | 'stats'
  >
  /** Seals the secrets of channels; every instance must have the same secret. */
  box: SecretBox
  /** The current signing key; read for each attempt. */
  signer: () => Promise<Signer>
  egress: Pick<Egress, 'fetch' | 'checkUrl'>
  /** Default proto. */
  protocolName?: string | undefined
  /** Whether registrations may request Bearer, which protects no body. Default false. */
  allowBearer?: boolean | undefined
  /** Maximum concurrent deliveries. Default 256. */
  concurrency?: number | undefined
  /**
   * Whether the database is reached over a network: then a few more deliveries are claimed than there are slots, so
   * that no slot waits for it. They are sent first, and are released when the sender stops. Default false.
   */
  isRemote?: boolean | undefined
  /** Concurrent deliveries to one endpoint of one owner, on all instances together. Default 8. */
  perEndpoint?: number | undefined
  /** Time limit of one attempt, excluding signing and waiting on our side, in milliseconds. Default 15000. */
  attemptTimeoutMs?: number | undefined
  /** How long a claim holds, in milliseconds: longer than an attempt. Default 30000. */
  leaseMs?: number | undefined
  /** Longest time between two checks for work, in milliseconds. Default 1000. */
  pollMs?: number | undefined
  /** Default: the system clock; durations are measured without its jumps. */
  clock?: Clock | undefined
  /** Prevents deliveries from being abandoned because the clock has just jumped. Default: its own instance. */
  guard?: ClockGuard | undefined
  onLegacy?: ((choice: LegacyChoice) => void) | undefined
  onAttempt?: ((attempt: AttemptReport) => void) | undefined
  onFault: (error: unknown) => void
}

export interface Sender extends Emitter {
  /** Checks a registration and turns it into a channel, which is not stored yet. */
  check(wanted: WantedChannel): ChannelCheck
  /** Keeps a checked channel; `full` when its subject has `most` (default 10) others. */
  register(tx: Transaction, channel: NewChannel, most?: number): Promise<Channel | 'full'>
  /**
   * Notifies channels about changes that are not about a task: changed lists, artifacts, revoked rights (spec 6.4).
   */
  notify: Notify
  start(): void
  /** Lets work in progress finish, for at most `drainMs` (default 10000). */
  stop(drainMs?: number): Promise<void>
  stats(): Promise<OutboxStats & { inFlight: number }>
}

const MAX_CHANNELS = 10
/** Claimed beside what is under way. */
const MAX_AHEAD = 64

/** Throws a RangeError when an attempt could outlive its lease. */
export function createSender(options: SenderOptions): Sender {
  const { protocolName = DEFAULT_PROTOCOL_NAME } = options
  const { concurrency = DEFAULT_CONCURRENCY, leaseMs = DEFAULT_LEASE_MS } = options
  const { attemptTimeoutMs = ATTEMPT_TIMEOUT_MS, channels, outbox } = options
  const ahead = options.isRemote ? Math.min(2 * concurrency, MAX_AHEAD) : 0
  const longestMs = attemptTimeoutMs + PREPARE_TIMEOUT_MS
  if (leaseMs < (longestMs * 4) / 3) {
    throw new RangeError(`A lease of ${leaseMs} ms is too short for attempts of ${longestMs} ms.`)
  }

  const emitter = createEmitter(options)
  const worker = createDeliveryWorker({
    ...options,
    // Durations are measured without the jumps of the system clock; receivers compare timestamps with their own
    // clock.
    clock: options.clock ?? steadyClock,
    deliver: createDeliver({
      ...options,
      clock: options.clock ?? laterClock,
      names: identifiersFor(protocolName),
      timeoutMs: attemptTimeoutMs,
    }),
    ahead,
    fairness: createFairness({ concurrency, ahead, perEndpoint: options.perEndpoint }),
  })
  return {
    check: (wanted) => checkChannel(wanted, { ...options, checkUrl: options.egress.checkUrl }),
    register: (tx, channel, most = MAX_CHANNELS) => channels.put(tx, channel, most),
    ...emitter,
    notify: createNotify(options),
    start: worker.start,
    stop: worker.stop,
    stats: async () => ({ ...(await outbox.stats()), inFlight: worker.inFlight() }),
  }
}

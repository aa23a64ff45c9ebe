// What the sender stores: channels, pending deliveries, their attempts, and the state of the endpoints. Every
// change is made in a transaction that the caller provides, so that an event commits with the change it reports
// (spec 6.4).

import type { Transaction } from '../../lib/transaction.ts'
import type { ATTEMPT_STATUSES } from '../../protocol/schemas/webhook-activity.ts'
import type { WebhookMode } from '../schemes/mode.ts'
import type { TokenSlot } from './token-slot.ts'

/** Wakes the workers when there is something to deliver. */
export const DELIVERIES_TOPIC = 'deliveries'

/** Prefix of the subjects of delivery reports; the rest is the media_buy_id. */
export const REPORTS_SUBJECT = 'media_buy_reports:'

/** The shape of the body, determined by where the channel was registered (spec 6.1). */
export type ChannelForm = 'mcp' | 'a2a-0.3' | 'a2a-1.0'

export interface Channel {
  channel_id: string
  /** The principal who registered it. */
  owner: string
  /** Its subject, for instance `task:` and a task_id. */
  subject: string
  /** Distinguishes the channels of a subject. */
  name: string
  form: ChannelForm
  url: string
  /** The URL without query and fragment: together with the owner, the key for circuit and concurrency. */
  endpoint: string
  operation_id: string | undefined
  scheme: WebhookMode
  /** Token and credentials as sealed JSON; only the sender reads them, and they are never returned. */
  secrets: string | undefined
  /** When a receiver responded that it is permanently gone (410), in milliseconds. */
  paused_at: number | undefined
  created_at: number
  updated_at: number
  /** When it is deleted; undefined: with its subject. */
  expires_at: number | undefined
}

export type ChannelKey = Pick<Channel, 'owner' | 'subject' | 'name'>
export type NewChannel = Omit<Channel, 'channel_id' | 'paused_at' | 'created_at' | 'updated_at'>

export interface ChannelStore {
  /**
   * Adds the channel, or replaces the one with its key: that one keeps its channel_id and is no longer paused, and
   * its pending deliveries go to the new address from the next attempt on. Does nothing and returns `full` if the
   * subject has `most` others of this owner. Throws QUOTA_EXCEEDED if the owner has too many in total, or adds one
   * while its queue of deliveries is full.
   */
  put(tx: Transaction, channel: NewChannel, most: number): Promise<Channel | 'full'>
  /** The channels of a subject that have not expired, oldest first. */
  ofSubject(tx: Transaction, subject: string): Promise<Channel[]>
  /** The same for many subjects; a subject without channels is missing. */
  ofSubjects(tx: Transaction, subjects: readonly string[]): Promise<Map<string, Channel[]>>
  /** The same as committed, limited to the owner's. */
  list(owner: string, subject: string): Promise<Channel[]>
  /** False if there is none. Its pending deliveries are cancelled. */
  delete(tx: Transaction, key: ChannelKey): Promise<boolean>
  /** Deletes some expired channels without pending deliveries. Returns how many; 0 when there are no more. */
  sweep(tx: Transaction): Promise<number>
}

export const DELIVERY_STATES = [
  'pending',
  'leased',
  'held',
  'delivered',
  'exhausted',
  'cancelled',
] as const
/**
 * pending → leased → delivered, or back to pending for the next attempt, or exhausted.
 * held: due, but the endpoint's circuit is open; used as probes one at a time, and pending again when it closes.
 * cancelled: by an operator, with its channel, or because the receiver is gone.
 */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export interface NewDelivery {
  channel: Pick<Channel, 'channel_id' | 'owner' | 'subject' | 'endpoint' | 'paused_at'>
  task_id: string | undefined
  operation_id: string | undefined
  /** A task's status, or the kind of a report or notification. */
  notification_type: string
  sequence_number: number | undefined
  idempotency_key: string
  /** The exact bytes of every attempt, except for the token. */
  body: Uint8Array
  /** The values inserted when they are sent; undefined if the body has no token. */
  token?: TokenSlot | undefined
}

/** A due delivery, with the fields used to choose among them. */
export interface Candidate {
  delivery_id: number
  /** Endpoints of different owners are separate, even if both lead to the same place. */
  owner: string
  endpoint: string
  subject: string
  /** An operator's limit on its concurrent attempts; undefined: the default. */
  concurrency?: number | undefined
}

/** A delivery in progress, on any instance. */
export type UnderWay = Omit<Candidate, 'delivery_id' | 'concurrency'>

export interface ClaimRequest {
  /** Most deliveries to take. */
  limit: number
  leaseMs: number
  /**
   * Chooses which of these to take, in this order: those due first come first. Called once or more, each time with
   * other candidates, and `underWay` then includes what it chose before. Circuits are checked already, and there is
   * one candidate per owner, subject and endpoint. It keeps no state beyond its claim.
   */
  choose(due: readonly Candidate[], underWay: readonly UnderWay[]): readonly Candidate[]
  /** Whether it would choose nothing more of this owner, so that the search can skip it. */
  isFull?(owner: string): boolean
  /**
   * Hosts (scheme, name and port) with their owners, to look up separately if many other deliveries are due. Default:
   * none.
   */
  preferredHosts?: readonly OwnedHost[]
  /** Whether to examine only those hosts and the deliveries due first, since the rest was examined recently. */
  isQuickLook?: boolean
}

export interface OwnedHost {
  owner: string
  /** Scheme, name and port. */
  origin: string
}

export interface OwnedEndpoint {
  owner: string
  endpoint: string
}

export interface ClaimedDelivery {
  delivery_id: number
  /** Starts at 1, and is the fencing token: a result with an older one changes nothing. */
  attempt: number
  /** Attempts since the schedule began, including this one. */
  scheduledAttempt: number
  idempotency_key: string
  body: Uint8Array
  token?: TokenSlot | undefined
  /** The channel as it is now, not as it was when the event was committed. */
  channel: Channel
  created_at: number
  expires_at: number
  /** By the database's clock. */
  claimed_at: number
}

export interface ClaimedDeliveries {
  claimed: ClaimedDelivery[]
  /** Whether there was room left, and not every endpoint with a due delivery was examined. */
  isCutShort: boolean
  /** Whether there was room left and other instances were claiming where more may be due: look again soon. */
  isContended?: boolean
  /**
   * The next time to claim: a delivery or a probe is due, or a lease ends. In the past if more was due than could be
   * taken; undefined if nothing waits.
   */
  nextDueAt: number | undefined
  /** When the first delivery held back by an operator's rate limit may be sent; missing if there is none. */
  limitedUntil?: number
}

export interface UnsentClaim extends Pick<ClaimedDelivery, 'delivery_id' | 'attempt'> {
  inMs: number
}

export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]

/** By name; null for a secret value. */
export type SentHeaders = Readonly<Record<string, string | null>>

/**
 * Why there was no response, as one word, or the code with which a receiver rejected the signature (`webhook_…`).
 * `certificate_…`: the certificate is invalid in this way; `signing`: not sent, because it could not be signed;
 * `interrupted`: the sender stopped during the attempt.
 */
type AttemptFault = string

export interface AttemptResult {
  delivery_id: number
  attempt: number
  owner: string
  endpoint: string
  status: Exclude<AttemptStatus, 'pending'>
  http_status_code: number | undefined
  response_time_ms: number
  /** Classified and without secrets, at most 500 characters. */
  error_message: string | undefined
  /** The beginning of the response body, at most 2 KiB. */
  response_head: string | undefined
  /** The error, if the response status alone does not explain it. */
  fault?: AttemptFault | undefined
  /** As sent; secret values are null. */
  request_headers?: SentHeaders | undefined
  next: NextStep
  /** What the attempt says about the endpoint: not every response says whether it is up. */
  says: 'up' | 'down' | 'nothing'
  /** The receiver is permanently gone: the channel is paused and its waiting deliveries are cancelled. */
  isGone: boolean
}

export type NextStep =
  | { state: 'delivered' }
  /** No sooner than after this many milliseconds. */
  | { state: 'pending'; inMs: number }
  | { state: 'exhausted'; reason: string }

export interface DeliveryFilter {
  delivery_id?: number
  owner?: string
  endpoint?: string
  subject?: string
  task_id?: string
  state?: DeliveryState
  operation_id?: string
  idempotency_key?: string
  /** Whether it was tried before. */
  isTried?: boolean
  /** Created at or after, in milliseconds. */
  since?: number
  /** Created before, in milliseconds. */
  until?: number
  /** Older than this one: the next page. */
  before?: number
  /** Default 50, at most 1000. */
  limit?: number
}

export interface DeliverySummary {
  delivery_id: number
  owner: string
  subject: string
  task_id: string | undefined
  operation_id: string | undefined
  notification_type: string
  sequence_number: number | undefined
  idempotency_key: string
  /** Without query and fragment. */
  url: string
  state: DeliveryState
  reason: string | undefined
  attempts: number
  due_at: number
  created_at: number
  ended_at: number | undefined
  /** How the last attempt ended. */
  last_status: AttemptStatus | undefined
  last_http_status_code: number | undefined
  last_error_message: string | undefined
  last_fault?: AttemptFault | undefined
}

export interface AttemptRecord {
  attempt: number
  /** Without query and fragment. */
  url: string
  status: AttemptStatus
  http_status_code: number | undefined
  response_time_ms: number | undefined
  error_message: string | undefined
  response_head: string | undefined
  fault?: AttemptFault | undefined
  request_headers?: SentHeaders | undefined
  fired_at: number
  completed_at: number | undefined
}

/** An attempt with the fields of its delivery that the buyer sees (spec 2.12). */
export interface ActivityRecord extends AttemptRecord {
  delivery_id: number
  idempotency_key: string
  notification_type: string
  sequence_number: number | undefined
  payload_size_bytes: number
}

export interface OutboxStats {
  /** Deliveries that have not ended, by state. */
  waiting: Record<'pending' | 'leased' | 'held', number>
  /** How long the delivery that is due longest, and not held, has been due, in milliseconds; or 0. */
  oldestDueMs: number
  openCircuits: number
  /** Deliveries that nothing would ever advance: leased forever, or held without a circuit. Always 0. */
  limbo: number
}

/** The queue, for the automatic part of sending: emitter, workers, sweeper. */
export interface OutboxStore {
  /** How many more deliveries the owner may have queued; 0 if there is no room. `tx`: the calling transaction. */
  room(owner: string, tx?: Transaction): Promise<number>
  /** Throws QUOTA_EXCEEDED when there is no room. */
  checkRoom(owner: string, tx?: Transaction): Promise<void>
  /** Adds deliveries that are due at once and end after `horizonMs`; wakes the workers. */
  add(tx: Transaction, deliveries: readonly NewDelivery[], horizonMs: number): Promise<void>
  /**
   * Leases due deliveries and writes their attempt rows. First reclaims those with expired leases. Never leases two
   * of one owner, subject and endpoint, nor any delivery to an owner's endpoint with an open circuit, except one
   * probe at a time.
   */
  claim(tx: Transaction, request: ClaimRequest): Promise<ClaimedDeliveries>
  /**
   * Writes results in one transaction; a result with an expired lease changes nothing. Updates the circuits. Returns
   * for each whether it counted.
   */
  record(tx: Transaction, results: readonly AttemptResult[]): Promise<boolean[]>
  /**
   * Releases claims as if they had not been made: no attempt is recorded, and they are due again after their delay.
   * Only for claims of which nothing was sent, and whose holder reports nothing more: the next claim has the same
   * token. A claim that lost its lease is not changed.
   */
  giveBack(tx: Transaction, claims: readonly UnsentClaim[]): Promise<void>
  /** Reclaims every lease when it is certain that no process holds one. Returns how many. */
  releaseAll(tx: Transaction): Promise<number>
  /**
   * Ends deliveries that are past their horizon, some at a time. Returns how many. Also fixes deliveries in limbo
   * and deletes unused circuits, so call it now and then regardless of the result.
   */
  expire(tx: Transaction): Promise<number>
  stats(): Promise<OutboxStats>
  /** Deletes some deliveries that ended before `endedBefore`. Returns how many; 0 when there are no more. */
  trim(tx: Transaction, endedBefore: number): Promise<number>
}

export interface SerializedDelivery extends DeliverySummary {
  body: Uint8Array
  /** Bytes of the token that is inserted when it is sent, or 0. */
  token_bytes: number
  expires_at: number
  /** From its channel; undefined if that no longer exists. */
  scheme: WebhookMode | undefined
  form: ChannelForm | undefined
  /** Oldest first. */
  history: AttemptRecord[]
}

/** Operator actions on deliveries: reading them, and deciding about those that did not arrive. */
export interface OutboxOperations {
  /** The newest first, 50 unless specified. */
  list(filter: DeliveryFilter): Promise<DeliverySummary[]>
  /** The body as stored: its token is empty. */
  show(deliveryId: number): Promise<SerializedDelivery | undefined>
  /** Attempts of a subject's deliveries, newest first; only the owner's. */
  activity(owner: string, subject: string, limit: number): Promise<ActivityRecord[]>
  /**
   * Makes it due now, on a fresh retry schedule; a paused channel is tried again. False if it is leased or delivered,
   * or its channel no longer exists.
   */
  retry(tx: Transaction, deliveryId: number, horizonMs: number): Promise<boolean>
  /** False when it is leased or has ended. */
  cancel(tx: Transaction, deliveryId: number, reason: string): Promise<boolean>
  /**
   * Holds what is due to an owner's endpoint until it is resumed. Deliveries in progress are completed, and held
   * ones fail permanently when their time is over. False when it is already paused.
   */
  pause(tx: Transaction, of: OwnedEndpoint): Promise<boolean>
  /** False when it is not paused. */
  resume(tx: Transaction, of: OwnedEndpoint): Promise<boolean>
}

/** A buyer's view of its own deliveries (spec 2.12). */
export interface ActivityStore {
  /**
   * The last attempts of the owner's deliveries of each subject, newest first, at most `limit` of each; a delivery
   * without attempts is listed as a pending one. Subjects without deliveries are not included.
   */
  ofSubjects(
    owner: string,
    subjects: readonly string[],
    limit: number,
  ): Promise<Map<string, ActivityRecord[]>>
}

/** Nothing was sent, because there was no turn or signature in time: retry after this many milliseconds. */
export interface Unsent {
  status: 'unsent'
  inMs: number
}

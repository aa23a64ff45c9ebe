// What the sender stores: channels, pending deliveries, their attempts, and the state of the endpoints. Every
// change is made in a transaction that the caller provides, so that an event commits with the change it reports
// (spec 6.4).

import type { Transaction } from '../../lib/transaction.ts'
import type { ATTEMPT_STATUSES } from '../../protocol/schemas/webhook-activity.ts'
import type { WebhookMode } from '../schemes/mode.ts'
import type { TokenSlot } from './token-slot.ts'

/** Wakes the workers when there is something to deliver. */
export const DELIVERIES_TOPIC = 'deliveries'

/** What the subjects of delivery reports begin with; the rest is the media_buy_id. */
export const REPORTS_SUBJECT = 'media_buy_reports:'

/** The shape of the body: by where the channel was registered (spec 6.1). */
export type ChannelForm = 'mcp' | 'a2a-0.3' | 'a2a-1.0'

export interface Channel {
  channel_id: string
  /** The principal who registered it. */
  owner: string
  /** What it reports: `task:` and a task_id, for instance. */
  subject: string
  /** Tells the channels of a subject apart. */
  name: string
  form: ChannelForm
  url: string
  /** The URL without query and fragment: with the owner, what circuit and concurrency go by. */
  endpoint: string
  operation_id: string | undefined
  scheme: WebhookMode
  /** Token and credentials as sealed JSON; read by the sender alone, never returned. */
  secrets: string | undefined
  /** When a receiver said that it is gone for good (410), in milliseconds. */
  paused_at: number | undefined
  created_at: number
  updated_at: number
  /** When it is forgotten; undefined: with its subject. */
  expires_at: number | undefined
}

export type ChannelKey = Pick<Channel, 'owner' | 'subject' | 'name'>
export type NewChannel = Omit<Channel, 'channel_id' | 'paused_at' | 'created_at' | 'updated_at'>

export interface ChannelStore {
  /**
   * Adds the channel, or replaces the one under its key: that keeps its channel_id and is no longer
   * paused, and what is on its way goes to the new address from the next attempt on. Does nothing
   * and answers `full` when the subject has `most` others of this owner. Throws QUOTA_EXCEEDED when the
   * owner has too many in all, or adds one while its queue of deliveries is full.
   */
  put(tx: Transaction, channel: NewChannel, most: number): Promise<Channel | 'full'>
  /** Those of a subject that have not expired, the oldest first. */
  ofSubject(tx: Transaction, subject: string): Promise<Channel[]>
  /** The same of many subjects; one without channels is missing. */
  ofSubjects(tx: Transaction, subjects: readonly string[]): Promise<Map<string, Channel[]>>
  /** The same as committed, and only the owner's. */
  list(owner: string, subject: string): Promise<Channel[]>
  /** False when there is none. What is on its way to it is cancelled. */
  delete(tx: Transaction, key: ChannelKey): Promise<boolean>
  /** Forgets some of what has expired and has nothing on its way. Returns how many: 0 at the end. */
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
 * held: due, and the endpoint's circuit is open; probed with one at a time, pending again when it
 * closes.
 * cancelled: by an operator, with its channel, or since the receiver is gone.
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
  /** The exact bytes of every attempt, but for the token. */
  body: Uint8Array
  /** What is put into them when they are sent; undefined when the body has no token. */
  token?: TokenSlot | undefined
}

/** A delivery that is due, as the choice among them sees it. */
export interface Candidate {
  delivery_id: number
  /** One owner's endpoint is not another's, though both lead to the same place. */
  owner: string
  endpoint: string
  subject: string
  /** An operator's bound of what goes there at the same time; undefined: the bound for all. */
  concurrency?: number | undefined
}

/** One that is under way, on whatever instance. */
export type UnderWay = Omit<Candidate, 'delivery_id' | 'concurrency'>

export interface ClaimRequest {
  /** Most deliveries to take. */
  limit: number
  leaseMs: number
  /**
   * Which of these to take, in this order: the first due come first. Called once or more, each time with other
   * candidates, and `underWay` then includes what it chose before. Circuits are checked already, and there is one
   * candidate per owner, subject and endpoint. It keeps no state beyond its claim.
   */
  choose(due: readonly Candidate[], underWay: readonly UnderWay[]): readonly Candidate[]
  /** Whether it would choose nothing more of this owner, so that no more need be looked for. */
  isFull?(owner: string): boolean
  /** Whose hosts (scheme, name and port) to look at by themselves when many others are due. Default none. */
  preferredHosts?: readonly OwnedHost[]
  /** Whether to leave it at those and the first due, since the rest was looked at lately. */
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
  /** From 1, and the fencing token: a result under an older one changes nothing. */
  attempt: number
  /** Attempts since the schedule began, this one included. */
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

export interface Claim {
  claimed: ClaimedDelivery[]
  /** Whether there was room, and not every endpoint with something due was looked at. */
  isCutShort: boolean
  /**
   * When there is something to claim again: a delivery is due, a probe, or a lease ends. In the past
   * when more was due than could be taken; undefined when nothing waits.
   */
  nextDueAt: number | undefined
  /** When the first may go that an operator's rate kept back; missing when none was. */
  limitedUntil?: number
}

export interface UnsentClaim extends Pick<ClaimedDelivery, 'delivery_id' | 'attempt'> {
  inMs: number
}

export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number]

/** By name; null in place of a secret. */
export type SentHeaders = Readonly<Record<string, string | null>>

/**
 * Why nothing came back, as one word, or the code by which a receiver refused the signature (`webhook_…`).
 * `certificate_…` is what is wrong with a certificate; `signing`: it was not sent, for want of a signature;
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
  /** What went wrong, where the status of an answer does not say it all. */
  fault?: AttemptFault | undefined
  /** As sent; a value that is a secret is null. */
  request_headers?: SentHeaders | undefined
  next: NextStep
  /** What the attempt says about the endpoint: not every response says whether it is up. */
  says: 'up' | 'down' | 'nothing'
  /** The receiver is gone for good: the channel is paused and what waits for it cancelled. */
  isGone: boolean
}

export type NextStep =
  | { state: 'delivered' }
  /** Not before this many milliseconds have passed. */
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

/** An attempt with what the buyer sees of its delivery (spec 2.12). */
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
  /** How long the one that is due longest, and not held, has been due, in milliseconds; or 0. */
  oldestDueMs: number
  openCircuits: number
  /** Deliveries that nothing would ever move: leased for ever, or held by no circuit. Always 0. */
  limbo: number
}

/** The queue, for what sends by itself: emitter, workers, sweeper. */
export interface OutboxStore {
  /** How many more deliveries the owner may have queued; 0 when there is no room. `tx`: the transaction that asks. */
  room(owner: string, tx?: Transaction): Promise<number>
  /** Throws QUOTA_EXCEEDED when there is no room. */
  checkRoom(owner: string, tx?: Transaction): Promise<void>
  /** Adds deliveries that are due at once and end after `horizonMs`; wakes the workers. */
  add(tx: Transaction, deliveries: readonly NewDelivery[], horizonMs: number): Promise<void>
  /**
   * Leases due deliveries and writes their attempt rows. First takes back those whose lease has
   * ended. Never leases two of one owner, subject and endpoint, nor anything of an owner's endpoint
   * whose circuit is open, except one probe at a time.
   */
  claim(tx: Transaction, request: ClaimRequest): Promise<Claim>
  /**
   * Writes results in one go; one that comes under an old lease changes nothing. Moves the circuits.
   * Answers for each whether it counted.
   */
  record(tx: Transaction, results: readonly AttemptResult[]): Promise<boolean[]>
  /**
   * Gives claims back as if they had not been made: no attempt is on record, and they are due again
   * after their pause. Of nothing but claims of which nothing was sent, and whose holder says nothing
   * more of them: the next claim has the same token. One whose lease was lost changes nothing.
   */
  giveBack(tx: Transaction, claims: readonly UnsentClaim[]): Promise<void>
  /** Takes back every lease, when it is known that nobody can hold one. Returns how many. */
  releaseAll(tx: Transaction): Promise<number>
  /**
   * Ends deliveries that are past their horizon, some at a time. Returns how many. Also fixes deliveries in limbo
   * and deletes unused circuits, so call it now and then regardless of the result.
   */
  expire(tx: Transaction): Promise<number>
  stats(): Promise<OutboxStats>
  /** Forgets some of what ended before `endedBefore`. Returns how many deliveries: 0 at the end. */
  trim(tx: Transaction, endedBefore: number): Promise<number>
}

export interface SerializedDelivery extends DeliverySummary {
  body: Uint8Array
  /** Bytes of the token that is put in when it is sent, or 0. */
  token_bytes: number
  expires_at: number
  /** Of its channel; undefined when that is gone. */
  scheme: WebhookMode | undefined
  form: ChannelForm | undefined
  /** Oldest first. */
  history: AttemptRecord[]
}

/** An operator's hand on deliveries: what to look at, and what becomes of those that did not arrive. */
export interface OutboxOperations {
  /** The newest first, 50 unless specified. */
  list(filter: DeliveryFilter): Promise<DeliverySummary[]>
  /** The body is as it is stored: its token is empty. */
  show(deliveryId: number): Promise<SerializedDelivery | undefined>
  /** Attempts of a subject's deliveries, the newest first; the owner's alone. */
  activity(owner: string, subject: string, limit: number): Promise<ActivityRecord[]>
  /**
   * Due now, on a schedule that begins anew; a channel that was paused is tried again. False when it
   * is leased or delivered, or its channel is gone.
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

/** What buyers see of their own deliveries (spec 2.12). */
export interface ActivityStore {
  /**
   * The last attempts of the owner's deliveries of each subject, the newest first, at most `limit` of each; a
   * delivery that has none yet is there as one that is pending. Subjects without any are not in it.
   */
  ofSubjects(
    owner: string,
    subjects: readonly string[],
    limit: number,
  ): Promise<Map<string, ActivityRecord[]>>
}

/** Nothing was sent, for want of a turn or a signature in time: again after this many milliseconds. */
export interface Unsent {
  status: 'unsent'
  inMs: number
}

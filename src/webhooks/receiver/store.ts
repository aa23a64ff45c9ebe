// What the receiver keeps (spec 6.4): every message that it acknowledged, once for each sender and
// key, until it was applied and its time is over. Sender and key are stored with the body in one
// transaction, so that an acknowledgement means that nothing can be lost.

import type { Transaction } from '../../lib/transaction.ts'

/** Wakes the workers that apply. */
export const INBOX_TOPIC = 'inbox'

export const MESSAGE_STATES = ['pending', 'leased', 'applied', 'stale', 'dead'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

/**
 * What kind of webhook it is: a task's status in either form; a report or notification in the same
 * envelope, which is news whatever was said of its task before; or one of the other families.
 */
export const MESSAGE_FAMILIES = [
  'task',
  'a2a-task',
  'notification',
  'collection_list_changed',
  'property_list_changed',
  'artifact',
  'revocation',
  'other',
] as const
export type MessageFamily = (typeof MESSAGE_FAMILIES)[number]

export interface NewMessage {
  /** Who sent it, by its signature or credential; never by what it says. */
  sender: string
  idempotency_key: string
  /** SHA-256 of the body in its canonical form: detects the same key with another body. */
  digest: string
  /** SHA-256 of its bytes, which earlier versions used to compare bodies. Default: there is none. */
  bytesDigest?: string | undefined
  route: string
  family: MessageFamily
  task_id: string | undefined
  operation_id: string | undefined
  /** The task's status. */
  status: string | undefined
  /** The envelope's timestamp, in milliseconds. */
  event_at: number | undefined
  /** As it was received, byte for byte. */
  body: Uint8Array
}

export interface AcceptLimits {
  /** Keys of one sender that are kept at most. */
  maxPerSender: number
  /** What the bodies of one sender may take together, in bytes. */
  maxBytesPerSender: number
  /** How long a key is remembered, in milliseconds: a day at least, or it must be documented. */
  retentionMs: number
  /**
   * Whether a copy of a message that is not applied yet is reported as `unfinished`. Default false: as `duplicate`.
   */
  reportUnfinished?: boolean | undefined
}

/** `changed`: the key is known and the body is another; the first copy stays. */
export type Accepted = 'new' | 'duplicate' | 'unfinished' | 'changed' | 'full'

export interface ReceivedMessage extends Omit<NewMessage, 'bytesDigest'> {
  message_id: number
  /** From 1, and the fencing token. */
  attempt: number
  /** Who had claimed it before, when an earlier attempt did not end. */
  previousWorker: string | undefined
  received_at: number
}

/** How an attempt to apply ended. */
export type Applied =
  | { state: 'applied' }
  | { state: 'stale'; reason: string }
  /** The handler threw: again after this many milliseconds. */
  | { state: 'pending'; inMs: number; reason: string }
  | { state: 'dead'; reason: string }

/** What is known of a task by what was applied. */
export interface TaskPosition {
  event_at: number
  status: string
  isFinal: boolean
}

export interface MessageSummary extends Omit<NewMessage, 'body' | 'digest' | 'bytesDigest'> {
  message_id: number
  state: MessageState
  reason: string | undefined
  attempts: number
  received_at: number
  ended_at: number | undefined
}

export interface InboxStats {
  waiting: Record<'pending' | 'leased' | 'dead', number>
  oldestDueMs: number
}

export interface InboxStore {
  /**
   * Keeps messages, each once for its sender and key, also when many come at once to many instances.
   * A known key is never refused for want of room. Wakes the workers. Answers in order.
   */
  accept(messages: readonly NewMessage[], limits: AcceptLimits): Promise<Accepted[]>
  /**
   * Leases what is due, the first received first; never two messages of one sender and task at a
   * time, on any instance. `nextDueAt`: when there may be more, unless the workers are woken before.
   */
  claim(
    tx: Transaction,
    options: { limit: number; leaseMs: number; worker: string },
  ): Promise<{ claimed: ReceivedMessage[]; nextDueAt: number | undefined }>
  /** How far the task of a sender has come: only who holds a lease of the task can move it. */
  position(tx: Transaction, sender: string, taskId: string): Promise<TaskPosition | undefined>
  /**
   * Ends an attempt, and moves the task on when it was applied. False, and nothing is changed, when
   * the lease was lost.
   */
  finish(tx: Transaction, message: ReceivedMessage, outcome: Applied): Promise<boolean>
  /** Begins the lease anew; false when it was lost. */
  renew(tx: Transaction, message: ReceivedMessage, leaseMs: number): Promise<boolean>
  /**
   * Releases a claim as if it had not been made; false when the lease was lost. The next claim has the same token,
   * so a worker that releases a claim must not report anything more about it.
   */
  release(tx: Transaction, message: ReceivedMessage): Promise<boolean>
  /** What was applied for an operation, the last 200 at most, in the order it was applied. */
  ofOperation(operationId: string): Promise<(MessageSummary & { body: Uint8Array })[]>
  list(filter: MessageFilter): Promise<MessageSummary[]>
  /** Due again at once, for one that is dead; false for any other. Its attempts are counted on. */
  retry(tx: Transaction, messageId: number): Promise<boolean>
  stats(): Promise<InboxStats>
  /**
   * Forgets what has ended and is past its time, and the positions of tasks of 30 days ago. Returns
   * how many; 0 when no more. Until then a key is known, however old.
   */
  sweep(tx: Transaction): Promise<number>
}

export interface MessageFilter {
  sender?: string
  task_id?: string
  state?: MessageState
  /** Received since then, in milliseconds. */
  since?: number
  before?: number
  limit?: number
}

/** A message with all that is kept of it. */
export interface KeptMessage extends MessageSummary {
  due_at: number
  body: Uint8Array
}

/** An operator's hand on what was received: what to look at, and what becomes of dead letters. */
export interface InboxOperations {
  /** The newest first, 50 unless specified. */
  list(filter: MessageFilter): Promise<MessageSummary[]>
  show(messageId: number): Promise<KeptMessage | undefined>
  /**
   * Makes a dead message due at once with all its attempts before it again, under a new message_id,
   * which is the answer; undefined for any other. What is still said of the old one is too late.
   */
  retry(tx: Transaction, messageId: number): Promise<number | undefined>
  /**
   * Gives up one that is dead or waits: acknowledged and ignored, with its key remembered as ever.
   * False for any other.
   */
  drop(tx: Transaction, messageId: number, reason: string): Promise<boolean>
}

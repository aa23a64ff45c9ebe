// Storage of the receiver (spec 6.4): every acknowledged message, once per sender and key, until it was applied and
// its retention is over. Sender and key are stored with the body in one transaction, so an acknowledgement means that
// nothing can be lost.

import type { Transaction } from '../../lib/transaction.ts'

/** Wakes the workers that apply. */
export const INBOX_TOPIC = 'inbox'

export const MESSAGE_STATES = ['pending', 'leased', 'applied', 'stale', 'dead'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

/**
 * The kind of webhook: a task's status in either form; a report or notification in the same envelope, which is always
 * new regardless of its task's earlier messages; or one of the other families.
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
  /** The sender, by its signature or credential; never by the content. */
  sender: string
  idempotency_key: string
  /** SHA-256 of the body in its canonical form: detects the same key with another body. */
  digest: string
  /** SHA-256 of its bytes, which earlier versions used to compare bodies. Default: absent. */
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
  /** Maximum stored keys of one sender. */
  maxPerSender: number
  /** Maximum total size of one sender's bodies, in bytes. */
  maxBytesPerSender: number
  /** How long a key is remembered, in milliseconds: a day at least, or it must be documented. */
  retentionMs: number
  /**
   * Whether a copy of a message that is not applied yet is reported as `unfinished`. Default false: as `duplicate`.
   */
  reportUnfinished?: boolean | undefined
}

/** `changed`: the key is known and the body differs; the first copy stays. */
export type Accepted = 'new' | 'duplicate' | 'unfinished' | 'changed' | 'full'

export interface ReceivedMessage extends Omit<NewMessage, 'bytesDigest'> {
  message_id: number
  /** From 1, and the fencing token. */
  attempt: number
  /** The previous claim holder, if an earlier attempt did not finish. */
  previousWorker: string | undefined
  received_at: number
}

/** How an attempt to apply ended. */
export type Applied =
  | { state: 'applied' }
  | { state: 'stale'; reason: string }
  /** The handler threw: retry after this many milliseconds. */
  | { state: 'pending'; inMs: number; reason: string }
  | { state: 'dead'; reason: string }

/** A task's state according to the applied messages. */
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
   * Stores messages, each once per sender and key, even if many arrive at many instances at once. A known key is
   * never rejected for lack of room. Wakes the workers. Returns results in order.
   */
  accept(messages: readonly NewMessage[], limits: AcceptLimits): Promise<Accepted[]>
  /**
   * Leases due messages, first received first; never two messages of one sender and task at a time, on any instance.
   * `nextDueAt`: when there may be more, unless the workers are woken earlier.
   */
  claim(
    tx: Transaction,
    options: { limit: number; leaseMs: number; worker: string },
  ): Promise<{ claimed: ReceivedMessage[]; nextDueAt: number | undefined }>
  /** The position of a sender's task: only a holder of a lease of the task can move it. */
  position(tx: Transaction, sender: string, taskId: string): Promise<TaskPosition | undefined>
  /**
   * Ends an attempt, and moves the task's position if it was applied. False, with nothing changed, if the lease was
   * lost.
   */
  finish(tx: Transaction, message: ReceivedMessage, outcome: Applied): Promise<boolean>
  /** Renews the lease; false if it was lost. */
  renew(tx: Transaction, message: ReceivedMessage, leaseMs: number): Promise<boolean>
  /**
   * Releases a claim as if it had not been made; false when the lease was lost. The next claim has the same token,
   * so a worker that releases a claim must not report anything more about it.
   */
  release(tx: Transaction, message: ReceivedMessage): Promise<boolean>
  /** The messages applied for an operation, at most the last 200, in the order they were applied. */
  ofOperation(operationId: string): Promise<(MessageSummary & { body: Uint8Array })[]>
  list(filter: MessageFilter): Promise<MessageSummary[]>
  /** Makes a dead message due again at once; false for any other. Its attempt count continues. */
  retry(tx: Transaction, messageId: number): Promise<boolean>
  stats(): Promise<InboxStats>
  /**
   * Deletes ended messages whose retention is over, and the positions of tasks older than 30 days. Returns how many;
   * 0 when there are no more. Until then a key stays known, however old.
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

/** A message with all of its stored data. */
export interface KeptMessage extends MessageSummary {
  due_at: number
  body: Uint8Array
}

/** Operator actions on received messages: reading them, and deciding about dead letters. */
export interface InboxOperations {
  /** The newest first, 50 unless specified. */
  list(filter: MessageFilter): Promise<MessageSummary[]>
  show(messageId: number): Promise<KeptMessage | undefined>
  /**
   * Makes a dead message due at once with a full set of attempts, under a new message_id, which is returned;
   * undefined for any other message. Later results for the old one are ignored.
   */
  retry(tx: Transaction, messageId: number): Promise<number | undefined>
  /**
   * Discards a message that is dead or waiting: acknowledged and ignored, with its key remembered as usual. False for
   * any other.
   */
  drop(tx: Transaction, messageId: number, reason: string): Promise<boolean>
}

// Applies one claimed message, outside the request path (spec 6.4): passes it to the application and marks it once. A
// mark counts only while the claim holds, so if two workers had the same message, one is too late.

import { backoffMs } from '../../lib/backoff.ts'
import { createBatcher } from '../../lib/batcher.ts'
import type { Clock } from '../../lib/clock.ts'
import { pause } from '../../lib/pause.ts'
import { StorageUnavailable, type Transact, type Transaction } from '../../lib/transaction.ts'
import { isFinalStatus } from '../../protocol/final-status.ts'
import { readMessage, type WebhookMessage } from './message.ts'
import { healthOf, type OrderVerdict } from './order.ts'
import type { Applied, InboxStore, ReceivedMessage } from './store.ts'

/** Wakes callers that wait for the end of an operation. */
export const OPERATION_ENDED_TOPIC = 'inbox.ended'

export interface ApplyContext {
  /** Aborted when the process stops without waiting, or the claim was lost. */
  signal: AbortSignal
  /** Starts at 1; a higher number means that an earlier attempt failed or did not finish. */
  attempt: number
  /** The previous holder of the message, which never reported an outcome: the message may have been applied. */
  previousWorker: string | undefined
}

/** Set one of the first two, or neither if you only wait. Their return value is awaited and ignored. */
export interface Handlers {
  /**
   * Applies a message, at least once: it is called again after it throws, and after a crash between its return and
   * the mark, so it must be idempotent.
   */
  handle?: ((message: WebhookMessage, context: ApplyContext) => unknown) | undefined
  /**
   * Applies a message with effects in the database of the inbox: effect and mark commit together, exactly once. It
   * must be short, and touch nothing but that transaction.
   */
  handleInTransaction?: ((message: WebhookMessage, tx: Transaction) => unknown) | undefined
  /** Receives messages that were acknowledged but are not applied, before they are marked. Default: none. */
  handleStale?: ((message: WebhookMessage, context: ApplyContext) => unknown) | undefined
}

export interface ApplyPorts extends Handlers {
  transact: Transact
  inbox: Pick<InboxStore, 'position' | 'finish' | 'release'>
  clock: Clock
  /** Attempts before a message is a dead letter. */
  maxTries: number
  /** Pauses between them. */
  backoff: { firstMs: number; maxMs: number }
  /** Marks a message; messages that end at the same time share a transaction. */
  mark: MarkMessage
  /** Receives errors thrown by the application. */
  onFault: (error: unknown, message: ReceivedMessage) => void
}

/** False when the claim was lost. */
export type MarkMessage = (ended: Ended) => Promise<boolean>

interface Ended {
  message: ReceivedMessage
  outcome: Applied
}

/** Maximum marks that share a transaction. */
const MAX_MARKS = 64

export function createMark({
  transact,
  inbox,
}: Pick<ApplyPorts, 'transact' | 'inbox'>): MarkMessage {
  const markAll = (ended: readonly Ended[]) =>
    transact(async (tx) => {
      const marked: boolean[] = []
      for (const one of ended) marked.push(await mark(inbox, tx, one))
      return marked
    })
  return createBatcher<Ended, boolean>({ run: markAll, maxItems: MAX_MARKS })
}

/** A message that this worker holds. */
export interface ClaimedMessage {
  message: ReceivedMessage
  health: OrderVerdict
  signal: AbortSignal
  /** When its lease ends, by our clock; moves forward with each renewal. */
  heldUntil: () => number
}

/**
 * `failed`: it will be retried. `late`: the claim was lost. `released`: returned to the queue at a stop. `left`: the
 * database was unavailable, and the message is due again when the lease expires.
 */
export interface ApplyReport {
  message: ReceivedMessage
  outcome: 'applied' | 'stale' | 'dead' | 'failed' | 'late' | 'released' | 'left'
  reason?: string
}

/** The status of a claimed message, in the transaction of its claim: no other worker has its task then. */
export async function health(
  tx: Transaction,
  inbox: ApplyPorts['inbox'],
  message: ReceivedMessage,
): Promise<OrderVerdict> {
  const { sender, task_id } = message
  if (task_id === undefined) return healthOf(message, undefined)
  return healthOf(message, await inbox.position(tx, sender, task_id))
}

/** Rejects only if nothing could be written; the message is then due again when the lease expires. */
export async function applyMessage(ports: ApplyPorts, claim: ClaimedMessage): Promise<ApplyReport> {
  const { message, signal } = claim
  const { attempt, previousWorker } = message
  // Its attempts never finished: it may be what kills the process.
  if (attempt > ports.maxTries && previousWorker !== undefined) {
    return record(ports, claim, { state: 'dead', reason: `${attempt - 1} attempts did not end` })
  }
  const context = { signal, attempt, previousWorker }
  try {
    if (!claim.health.isNews) {
      await ports.handleStale?.(readMessage(message), context)
      return await record(ports, claim, { state: 'stale', reason: claim.health.reason })
    }
    if (ports.handleInTransaction) return await applyInTransaction(ports, claim)
    await ports.handle?.(readMessage(message), context)
  } catch (error) {
    if (signal.aborted) return giveBack(ports, message)
    if (isAway(ports, error)) return { message, outcome: 'left', reason: reasonOf(error) }
    ports.onFault(error, message)
    return record(ports, claim, afterThrow(ports, attempt, error))
  }
  return record(ports, claim, { state: 'applied' })
}

class ClaimLost extends Error {}

async function applyInTransaction(ports: ApplyPorts, claim: ClaimedMessage): Promise<ApplyReport> {
  const { message } = claim
  try {
    const outcome = await ports.transact(async (tx): Promise<Applied> => {
      const now = await health(tx, ports.inbox, message)
      const applied: Applied = now.isNews
        ? { state: 'applied' }
        : { state: 'stale', reason: now.reason }
      if (now.isNews) await ports.handleInTransaction?.(readMessage(message), tx)
      if (!(await mark(ports.inbox, tx, { message, outcome: applied }))) throw new ClaimLost()
      return applied
    })
    return reportOf(message, outcome)
  } catch (error) {
    // Its effect is rolled back: another worker has the message.
    if (error instanceof ClaimLost) return { message, outcome: 'late' }
    throw error
  }
}

/** Marks the message. While the database is unavailable, this is retried for as long as the claim holds. */
async function record(
  ports: ApplyPorts,
  claim: ClaimedMessage,
  outcome: Applied,
): Promise<ApplyReport> {
  const { message, signal } = claim
  for (let failures = 1; ; failures++) {
    try {
      const counted = await ports.mark({ message, outcome })
      return counted ? reportOf(message, outcome) : { message, outcome: 'late' }
    } catch (error) {
      const isOver = signal.aborted || ports.clock.now() >= claim.heldUntil()
      if (!(error instanceof StorageUnavailable) || isOver) throw error
      await pause(backoffMs(failures, RECORD_PAUSES), signal)
    }
  }
}

const RECORD_PAUSES = { firstMs: 100, maxMs: 2_000 }

async function mark(
  inbox: ApplyPorts['inbox'],
  tx: Transaction,
  { message, outcome }: Ended,
): Promise<boolean> {
  if (!(await inbox.finish(tx, message, outcome))) return false
  const endsOperation = message.operation_id !== undefined && isFinalStatus(message.status)
  if (outcome.state === 'applied' && endsOperation) await tx.wake(OPERATION_ENDED_TOPIC)
  return true
}

async function giveBack(
  { transact, inbox }: ApplyPorts,
  message: ReceivedMessage,
): Promise<ApplyReport> {
  const isReleased = await transact((tx) => inbox.release(tx, message))
  return { message, outcome: isReleased ? 'released' : 'late' }
}

/** If the effect is in our own transaction, an unavailable database says nothing about the message. */
function isAway({ handleInTransaction }: ApplyPorts, error: unknown): boolean {
  return handleInTransaction !== undefined && error instanceof StorageUnavailable
}

function afterThrow({ maxTries, backoff }: ApplyPorts, attempt: number, error: unknown): Applied {
  const reason = reasonOf(error)
  if (attempt >= maxTries) return { state: 'dead', reason }
  return { state: 'pending', inMs: backoffMs(attempt, backoff), reason }
}

const MAX_REASON_CHARACTERS = 500

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.slice(0, MAX_REASON_CHARACTERS)
}

function reportOf(message: ReceivedMessage, outcome: Applied): ApplyReport {
  const reason = 'reason' in outcome ? { reason: outcome.reason } : {}
  return { message, outcome: outcome.state === 'pending' ? 'failed' : outcome.state, ...reason }
}

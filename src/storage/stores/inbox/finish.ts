// How attempts to apply end in SQL, and how far their tasks have progressed (spec 6.4). The result of a claim counts
// while its lease holds: `attempts` is the fencing token.
//
// A task's position needs no lock. Only the holder of its subject's single lease moves it. A holder that has lost its
// lease does not, because the message is marked first.

import { storable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { isFinalStatus } from '../../../protocol/final-status.ts'
import {
  type Applied,
  INBOX_TOPIC,
  type ReceivedMessage,
  type TaskPosition,
} from '../../../webhooks/receiver/store.ts'
import { type SqlTransaction, type SqlValue, sqlOf } from '../../sql/database.ts'
import { subjectOf } from './rows.ts'

export async function finishMessage(
  transaction: Transaction,
  message: ReceivedMessage,
  outcome: Applied,
): Promise<boolean> {
  const tx = sqlOf(transaction)
  const now = await tx.now()
  const dueAt = outcome.state === 'pending' ? now + Math.max(0, Math.ceil(outcome.inMs)) : null
  const isHeld = await change(tx, message, {
    set: `state = $3, reason = $4, ended_at = $5, due_at = coalesce($6, due_at), worker = NULL,
      lease_until = NULL`,
    values: [
      outcome.state,
      'reason' in outcome ? storable(outcome.reason) : null,
      outcome.state === 'pending' ? null : now,
      dueAt,
    ],
  })
  if (!isHeld) return false
  if (outcome.state === 'applied') await moveTask(tx, message, now)
  await wakeNext(tx, message, now)
  return true
}

/** Whether the lease was still held. */
async function change(
  tx: SqlTransaction,
  { message_id, attempt }: ReceivedMessage,
  { set, values }: { set: string; values: readonly SqlValue[] },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE webhook_inbox SET ${set}
     WHERE message_id = $1 AND state = 'leased' AND attempts = $2`,
    [message_id, attempt, ...values],
  )
  return changed > 0
}

/** Only forward: nothing follows a final status, and no status is older than the one it follows. */
async function moveTask(tx: SqlTransaction, message: ReceivedMessage, now: number): Promise<void> {
  const subject = subjectOf(message)
  if (subject === null || message.status === undefined) return
  const isFinal = isFinalStatus(message.status)
  // A message without a time says nothing about when, so the known time stays.
  await tx.run(
    `INSERT INTO webhook_inbox_tasks (subject, event_at, status, is_final, updated_at)
     VALUES ($1, coalesce(CAST($2 AS BIGINT), 0), $3, $4, $5)
     ON CONFLICT (subject) DO UPDATE SET status = excluded.status, is_final = excluded.is_final,
       event_at = coalesce(CAST($2 AS BIGINT), webhook_inbox_tasks.event_at),
       updated_at = excluded.updated_at
     WHERE webhook_inbox_tasks.is_final = 0
       AND coalesce(CAST($2 AS BIGINT), webhook_inbox_tasks.event_at) >= webhook_inbox_tasks.event_at`,
    [subject, message.event_at ?? null, storable(message.status), isFinal ? 1 : 0, now],
  )
}

/** Another message of the subject may have been waiting for this one. */
async function wakeNext(tx: SqlTransaction, message: ReceivedMessage, now: number): Promise<void> {
  const subject = subjectOf(message)
  if (subject === null) return
  const next = await tx.get(
    `SELECT 1 AS one FROM webhook_inbox
     WHERE state = 'pending' AND subject = $1 AND due_at <= $2 LIMIT 1`,
    [subject, now],
  )
  if (next) await tx.wake(INBOX_TOPIC)
}

export async function renewLease(
  tx: Transaction,
  message: ReceivedMessage,
  leaseMs: number,
): Promise<boolean> {
  const until = (await tx.now()) + leaseMs
  return change(sqlOf(tx), message, { set: 'lease_until = $3', values: [until] })
}

export async function releaseMessage(tx: Transaction, message: ReceivedMessage): Promise<boolean> {
  const isHeld = await change(sqlOf(tx), message, {
    set: `state = 'pending', attempts = attempts - 1, worker = $3, lease_until = NULL`,
    values: [message.previousWorker ?? null],
  })
  if (isHeld) await tx.wake(INBOX_TOPIC)
  return isHeld
}

/** The attempt count continues where it was, so that no token is issued twice. */
export async function retryMessage(tx: Transaction, messageId: number): Promise<boolean> {
  const retried = await sqlOf(tx).run(
    `UPDATE webhook_inbox SET state = 'pending', reason = NULL, ended_at = NULL, due_at = $2
     WHERE message_id = $1 AND state = 'dead'`,
    [messageId, await tx.now()],
  )
  if (retried > 0) await tx.wake(INBOX_TOPIC)
  return retried > 0
}

export async function positionOf(
  tx: Transaction,
  sender: string,
  taskId: string,
): Promise<TaskPosition | undefined> {
  const row = await sqlOf(tx).get<{ event_at: number; status: string; is_final: number }>(
    'SELECT event_at, status, is_final FROM webhook_inbox_tasks WHERE subject = $1',
    [subjectOf({ sender, task_id: taskId })],
  )
  if (!row) return undefined
  return { event_at: row.event_at, status: row.status, isFinal: row.is_final === 1 }
}

// The durable inbox of the webhook receiver in SQL (spec 6.4): messages wait here from the commit that
// lets them be acknowledged until they are applied, and their keys are remembered after that.

import type { Clock } from '../../../lib/clock.ts'
import { steadyClock } from '../../../lib/steady-clock.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { InboxStore } from '../../../webhooks/receiver/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { amongLocked, FOR_UPDATE } from '../../sql/locks.ts'
import { createAccept } from './accept.ts'
import { createInboxClaim } from './claim.ts'
import { finishMessage, positionOf, releaseMessage, renewLease, retryMessage } from './finish.ts'
import { inboxStats, listMessages, messagesOfOperation } from './look.ts'
import { forgetExpired, moveSenders, type Step } from './rows.ts'

export interface InboxStoreOptions {
  /** The clock for the statistics, which are read outside a transaction. Default: the system clock. */
  clock?: Clock
}

export function createInboxStore(
  database: Database,
  { clock = steadyClock }: InboxStoreOptions = {},
): InboxStore {
  const { read } = database
  return {
    accept: createAccept(database),
    claim: createInboxClaim(database),
    position: positionOf,
    finish: finishMessage,
    renew: renewLease,
    release: releaseMessage,
    ofOperation: (operationId) => messagesOfOperation(read, operationId),
    list: (filter) => listMessages(database, filter),
    retry: retryMessage,
    stats: () => inboxStats(read, clock.now()),
    sweep: (tx) => sweep(database, tx),
  }
}

async function sweep({ dialect }: Database, transaction: Transaction): Promise<number> {
  const tx = sqlOf(transaction)
  await tx.useIndexes()
  const step = { dialect, tx, now: await tx.now() }
  return (await forgetMessages(step)) + (await forgetTasks(step))
}

/** Messages of one sender, so that no step holds more than one counter. */
async function forgetMessages(step: Step): Promise<number> {
  const { tx, now } = step
  const found = await tx.get<{ sender: string }>(
    `SELECT s.sender FROM webhook_inbox_senders s WHERE EXISTS (
       SELECT 1 FROM webhook_inbox i
       WHERE i.sender = s.sender AND i.ended_at IS NOT NULL AND i.expires_at <= $1)
     ORDER BY s.sender LIMIT 1`,
    [now],
  )
  if (!found) return 0
  const { sender } = found
  await tx.get(
    `SELECT 1 AS one FROM webhook_inbox_senders WHERE sender = $1
     ${FOR_UPDATE}`,
    [sender],
  )
  const { kept, kept_bytes } = await forgetExpired(step, sender)
  const change = { kept: -kept, kept_bytes: -kept_bytes, changed_bodies: 0 }
  await moveSenders(step, new Map([[sender, change]]))
  await tx.run(
    'DELETE FROM webhook_inbox_senders WHERE sender = $1 AND kept = 0 AND changed_bodies = 0',
    [sender],
  )
  return kept
}

/** How long a task's progress is remembered after its last message was applied. */
const TASK_MEMORY_MS = 30 * 24 * 3_600_000
const FORGOTTEN_TASKS = 1_000

function forgetTasks({ tx, now }: Step): Promise<number> {
  return tx.run(
    `DELETE FROM webhook_inbox_tasks WHERE ${amongLocked(
      'subject',
      `SELECT subject FROM webhook_inbox_tasks WHERE updated_at <= $1
       ORDER BY updated_at LIMIT ${FORGOTTEN_TASKS}`,
    )}`,
    [now - TASK_MEMORY_MS],
  )
}

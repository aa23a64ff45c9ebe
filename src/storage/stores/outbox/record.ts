// Results of attempts in SQL. A result counts while its lease holds; a late one changes nothing.

import { storable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { MoveCircuit } from '../../../webhooks/sender/circuit.ts'
import type { AttemptResult } from '../../../webhooks/sender/store.ts'
import { type Database, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { rowsOf } from '../../sql/lists.ts'
import { useIndexes } from '../../sql/locks.ts'
import { cancelOfChannel } from './channels.ts'
import { concernsCircuits, moveCircuits } from './circuits.ts'
import { CURRENT_ENDPOINT } from './leases.ts'
import { lockSenders } from './rows.ts'

interface Step {
  dialect: Database['dialect']
  tx: SqlTransaction
  now: number
}

interface Counted {
  delivery_id: number
  channel_id: string
}

export async function recordResults(
  { dialect }: Database,
  moveCircuit: MoveCircuit,
  transaction: Transaction,
  results: readonly AttemptResult[],
): Promise<boolean[]> {
  if (results.length === 0) return []
  const tx = sqlOf(transaction)
  await useIndexes(dialect, tx)
  let step: Step = { dialect, tx, now: await tx.now() }
  // The lock comes before the first row is held, or two could wait for each other.
  const hasCircuits = await concernsCircuits(step, results)
  if (hasCircuits) {
    await lockSenders(dialect, tx)
    step = { dialect, tx, now: await tx.now() }
  }
  // A delivery has one lease, so of two results under one token the first is meant.
  const first = new Map([...results].reverse().map((result) => [result.delivery_id, result]))
  const channelIds = new Map(
    (await endLeases(step, [...first.values()])).map((row) => [row.delivery_id, row.channel_id]),
  )
  const counts = results.map(
    (result) => first.get(result.delivery_id) === result && channelIds.has(result.delivery_id),
  )
  const counted = results.filter((_, index) => counts[index])
  await endAttempts(step, counted)
  if (hasCircuits) await moveCircuits(step, counted, moveCircuit)
  for (const { delivery_id, endpoint, isGone } of counted) {
    if (isGone) await pause(step, channelIds.get(delivery_id) as string, endpoint)
  }
  return counts
}

async function endLeases(
  { dialect, tx, now }: Step,
  results: readonly AttemptResult[],
): Promise<Counted[]> {
  const rows = results.map(({ delivery_id, attempt, next }) => ({
    delivery_id,
    attempt,
    // A value and not a word of the statement: PostgreSQL would look through all that is leased for
    // each result, where it should look up each result's delivery.
    was: 'leased',
    state: next.state,
    reason: next.state === 'exhausted' ? kept(next.reason) : null,
    due_at: next.state === 'pending' ? now + Math.max(0, Math.ceil(next.inMs)) : null,
    ended_at: next.state === 'pending' ? null : now,
  }))
  // Never due after its time is over: a claim then finds it and ends it.
  return tx.all<Counted>(
    `UPDATE webhook_deliveries SET state = r.state, reason = r.reason, lease_until = NULL,
       ended_at = r.ended_at,
       due_at = CASE WHEN r.due_at IS NULL THEN webhook_deliveries.due_at
         WHEN r.due_at > expires_at THEN expires_at ELSE r.due_at END,
       endpoint = CASE WHEN r.due_at IS NULL THEN webhook_deliveries.endpoint
         ELSE ${CURRENT_ENDPOINT} END
     FROM ${rowsOf(dialect, RESULT_COLUMNS)} AS r
     WHERE webhook_deliveries.delivery_id = r.delivery_id
       AND webhook_deliveries.state = r.was AND attempts = r.attempt
     RETURNING webhook_deliveries.delivery_id, webhook_deliveries.channel_id`,
    [JSON.stringify(rows)],
  )
}

const RESULT_COLUMNS = {
  delivery_id: 'BIGINT',
  attempt: 'INTEGER',
  was: 'TEXT',
  state: 'TEXT',
  reason: 'TEXT',
  due_at: 'BIGINT',
  ended_at: 'BIGINT',
} as const

async function endAttempts(
  { dialect, tx, now }: Step,
  results: readonly AttemptResult[],
): Promise<void> {
  if (results.length === 0) return
  const rows = results.map((result) => ({
    delivery_id: result.delivery_id,
    attempt: result.attempt,
    status: result.status,
    http_status_code: result.http_status_code ?? null,
    response_time_ms: Math.round(result.response_time_ms),
    error_message: kept(result.error_message),
    response_head: kept(result.response_head),
  }))
  await tx.run(
    `UPDATE webhook_attempts SET status = r.status, http_status_code = r.http_status_code,
       response_time_ms = r.response_time_ms, error_message = r.error_message,
       response_head = r.response_head, completed_at = $2
     FROM ${rowsOf(dialect, ATTEMPT_COLUMNS)} AS r
     WHERE webhook_attempts.delivery_id = r.delivery_id AND webhook_attempts.attempt = r.attempt`,
    [JSON.stringify(rows), now],
  )
}

const ATTEMPT_COLUMNS = {
  delivery_id: 'BIGINT',
  attempt: 'INTEGER',
  status: 'TEXT',
  http_status_code: 'INTEGER',
  response_time_ms: 'INTEGER',
  error_message: 'TEXT',
  response_head: 'TEXT',
} as const

/** A receiver may answer with what no database keeps. */
function kept(text: string | undefined): string | null {
  return text === undefined ? null : storable(text)
}

/** Pauses the channel that said it is gone, unless it leads elsewhere by now. */
async function pause({ tx, now }: Step, channelId: string, endpoint: string): Promise<void> {
  const paused = await tx.run(
    `UPDATE webhook_channels SET paused_at = $3, updated_at = $3
     WHERE channel_id = $1 AND endpoint = $2 AND paused_at IS NULL`,
    [channelId, endpoint, now],
  )
  if (paused > 0) await cancelOfChannel(tx, channelId, 'its receiver is gone')
}

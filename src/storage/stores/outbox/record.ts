// Results of attempts in SQL. A result counts while its lease holds; a late one changes nothing.

import { storable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { MoveCircuit } from '../../../webhooks/sender/circuit.ts'
import type { AttemptResult } from '../../../webhooks/sender/store.ts'
import { type Database, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { rowsOf } from '../../sql/lists.ts'
import { cancelOfChannel } from './channels.ts'
import { lanesConcerned, moveCircuits } from './circuits.ts'
import { CURRENT_ENDPOINT } from './leases.ts'
import { laneOf } from './rows.ts'
import { writeHeaders } from './sent-headers.ts'
import { lockLanes } from './shards.ts'

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
  transaction: Transaction,
  { results, moveCircuit }: { results: readonly AttemptResult[]; moveCircuit: MoveCircuit },
): Promise<boolean[]> {
  if (results.length === 0) return []
  const tx = sqlOf(transaction)
  let step: Step = { dialect, tx, now: await tx.now() }
  // The locks are taken before the first row is locked, or two transactions could deadlock.
  const [, lanes] = await Promise.all([tx.useIndexes(), lanesConcerned(step, results)])
  if (lanes.size > 0) {
    await lockLanes(dialect, tx, [...lanes])
    step = { dialect, tx, now: await tx.now() }
  }
  // A delivery has one lease, so if there are two results with one token, the first is used.
  const first = new Map([...results].reverse().map((result) => [result.delivery_id, result]))
  const channelIds = new Map(
    (await endLeases(step, [...first.values()])).map((row) => [row.delivery_id, row.channel_id]),
  )
  const counts = results.map(
    (result) => first.get(result.delivery_id) === result && channelIds.has(result.delivery_id),
  )
  const counted = results.filter((_, index) => counts[index])
  await endAttempts(step, counted)
  const concerned = counted.filter((result) => lanes.has(laneOf(result)))
  if (concerned.length > 0) await moveCircuits(step, concerned, moveCircuit)
  for (const { delivery_id, endpoint, isGone } of counted) {
    if (isGone) await pause(step, channelIds.get(delivery_id) as string, endpoint)
  }
  return counts
}

async function endLeases(step: Step, results: readonly AttemptResult[]): Promise<Counted[]> {
  const ended: LeaseEnd[] = []
  const again: LeaseEnd[] = []
  for (const { delivery_id, attempt, next } of results) {
    const { state } = next
    // The previous state is a parameter, not a literal in the statement: otherwise PostgreSQL would scan all leased
    // deliveries for each result instead of looking up each result's delivery.
    const row = { delivery_id, attempt, was: 'leased', state, reason: null, due_at: null }
    if (state === 'delivered') ended.push(row)
    else if (state === 'exhausted') ended.push({ ...row, reason: kept(next.reason) })
    else again.push({ ...row, due_at: step.now + Math.max(0, Math.ceil(next.inMs)) })
  }
  const [over, waiting] = await Promise.all([endAll(step, ended), putOff(step, again)])
  return [...over, ...waiting]
}

interface LeaseEnd {
  delivery_id: number
  attempt: number
  was: string
  state: string
  reason: string | null
  due_at: number | null
}

/** Lists only columns that change: an assigned column is rewritten in each of its indexes. */
function endAll({ tx, now }: Step, rows: readonly LeaseEnd[]): Promise<Counted[]> {
  return updateLeased(tx, 'state = r.state, reason = r.reason, lease_until = NULL, ended_at = $2', {
    rows,
    more: [now],
  })
}

/** Never due after its deadline: a claim then finds it and ends it. */
function putOff({ tx }: Step, rows: readonly LeaseEnd[]): Promise<Counted[]> {
  return updateLeased(
    tx,
    `state = 'pending', reason = NULL, lease_until = NULL,
     due_at = CASE WHEN r.due_at > expires_at THEN expires_at ELSE r.due_at END,
     endpoint = ${CURRENT_ENDPOINT}`,
    { rows, more: [] },
  )
}

async function updateLeased(
  tx: SqlTransaction,
  set: string,
  { rows, more }: { rows: readonly LeaseEnd[]; more: number[] },
): Promise<Counted[]> {
  if (rows.length === 0) return []
  return tx.all<Counted>(
    `UPDATE webhook_deliveries SET ${set}
     FROM ${rowsOf(RESULT_COLUMNS)} AS r
     WHERE webhook_deliveries.delivery_id = r.delivery_id
       AND webhook_deliveries.state = r.was AND attempts = r.attempt
     RETURNING webhook_deliveries.delivery_id, webhook_deliveries.channel_id`,
    [JSON.stringify(rows), ...more],
  )
}

const RESULT_COLUMNS = {
  delivery_id: 'BIGINT',
  attempt: 'INTEGER',
  was: 'TEXT',
  state: 'TEXT',
  reason: 'TEXT',
  due_at: 'BIGINT',
} as const

const ATTEMPT_COLUMNS = {
  status: 'TEXT',
  http_status_code: 'INTEGER',
  response_time_ms: 'INTEGER',
  error_message: 'TEXT',
  response_head: 'TEXT',
  fault: 'TEXT',
  request_headers: 'TEXT',
} as const
const ATTEMPT_NAMES = Object.keys(ATTEMPT_COLUMNS) as (keyof typeof ATTEMPT_COLUMNS)[]

async function endAttempts(
  { dialect, tx, now }: Step,
  results: readonly AttemptResult[],
): Promise<void> {
  if (results.length === 0) return
  const rows = results.map(attemptRow)
  // SQLite is fastest row by row; on PostgreSQL the round trip is the cost.
  if (dialect === 'sqlite') {
    const set = ATTEMPT_NAMES.map((name, index) => `${name} = $${index + 4}`)
    await tx.runEach(
      `UPDATE webhook_attempts SET ${set.join(', ')}, completed_at = $3
       WHERE delivery_id = $1 AND attempt = $2`,
      rows.map((row) => [
        row.delivery_id,
        row.attempt,
        now,
        ...ATTEMPT_NAMES.map((name) => row[name]),
      ]),
    )
    return
  }
  const columns = { delivery_id: 'BIGINT', attempt: 'INTEGER', ...ATTEMPT_COLUMNS } as const
  const set = ATTEMPT_NAMES.map((name) => `${name} = r.${name}`)
  await tx.run(
    `UPDATE webhook_attempts SET ${set.join(', ')}, completed_at = $2
     FROM ${rowsOf(columns)} AS r
     WHERE webhook_attempts.delivery_id = r.delivery_id AND webhook_attempts.attempt = r.attempt`,
    [JSON.stringify(rows), now],
  )
}

function attemptRow(result: AttemptResult) {
  return {
    delivery_id: result.delivery_id,
    attempt: result.attempt,
    status: result.status,
    http_status_code: result.http_status_code ?? null,
    response_time_ms: Math.round(result.response_time_ms),
    error_message: kept(result.error_message),
    response_head: kept(result.response_head),
    fault: kept(result.fault),
    request_headers: result.request_headers ? writeHeaders(result.request_headers) : null,
  }
}

/** A receiver may respond with text that no database can store. */
function kept(text: string | undefined): string | null {
  return text === undefined ? null : storable(text)
}

/** Pauses the channel that responded that it is gone, unless it points elsewhere by now. */
async function pause({ tx, now }: Step, channelId: string, endpoint: string): Promise<void> {
  const paused = await tx.run(
    `UPDATE webhook_channels SET paused_at = $3, updated_at = $3
     WHERE channel_id = $1 AND endpoint = $2 AND paused_at IS NULL`,
    [channelId, endpoint, now],
  )
  if (paused > 0) await cancelOfChannel(tx, channelId, 'its receiver is gone')
}

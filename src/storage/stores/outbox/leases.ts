// Leases that end without a result. Reclaimed ones: their holder stopped during the attempt, so it is unknown whether
// the receiver saw it; the delivery keeps its due time, which sorts it before deliveries that became due since.
// Returned ones: nothing was sent, so there was no attempt.

import type { Transaction } from '../../../lib/transaction.ts'
import { DELIVERIES_TOPIC, type UnsentClaim } from '../../../webhooks/sender/store.ts'
import { type Database, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { rowsOf, valuesOf } from '../../sql/lists.ts'
import { amongLocked } from '../../sql/locks.ts'
import { inShards, lockShards } from './shards.ts'

const UNKNOWN = 'the outcome is unknown: the sender stopped during the attempt'
/** Leases taken back in one claim. */
const ROWS_AT_ONCE = 500

interface Step {
  dialect: Database['dialect']
  tx: SqlTransaction
  now: number
}

/** Returns how many. A batch of expired leases of these shards, or all leases. The caller holds the shards. */
export async function takeBack(
  { dialect, tx, now }: Step,
  which: 'all' | ReadonlySet<number>,
): Promise<number> {
  const those =
    which === 'all'
      ? `state = 'leased'`
      : amongLocked(
          'delivery_id',
          `SELECT delivery_id FROM webhook_deliveries
           WHERE ${inShards(dialect, 'shard', 2)} AND state = 'leased' AND lease_until <= $1
           ORDER BY lease_until LIMIT ${ROWS_AT_ONCE}`,
        )
  const rows = await tx.all<{ delivery_id: number; attempt: number }>(
    `UPDATE webhook_deliveries SET state = 'pending', lease_until = NULL,
       endpoint = ${CURRENT_ENDPOINT}
     WHERE ${those} RETURNING delivery_id, attempts AS attempt`,
    which === 'all' ? [] : [now, JSON.stringify([...which])],
  )
  if (rows.length === 0) return 0
  await tx.run(
    `UPDATE webhook_attempts SET status = 'connection_error', error_message = $2, fault = 'interrupted',
       completed_at = $3
     FROM ${rowsOf({ delivery_id: 'BIGINT', attempt: 'INTEGER' })} AS r
     WHERE webhook_attempts.delivery_id = r.delivery_id
       AND webhook_attempts.attempt = r.attempt AND status = 'pending'`,
    [JSON.stringify(rows), UNKNOWN, now],
  )
  return rows.length
}

/** The endpoint of its channel, which may have been replaced during the attempt. */
export const CURRENT_ENDPOINT = `coalesce((SELECT ch.endpoint FROM webhook_channels ch
  WHERE ch.channel_id = webhook_deliveries.channel_id), webhook_deliveries.endpoint)`

const TOKEN = { delivery_id: 'BIGINT', attempt: 'INTEGER' } as const

export async function giveBack(
  { dialect }: Database,
  transaction: Transaction,
  claims: readonly UnsentClaim[],
): Promise<void> {
  if (claims.length === 0) return
  const tx = sqlOf(transaction)
  const [, theirs] = await Promise.all([
    tx.useIndexes(),
    // What is leased stays in its shard.
    tx.all<{ shard: number }>(
      `SELECT DISTINCT shard FROM webhook_deliveries
       WHERE delivery_id IN ${valuesOf('BIGINT')}`,
      [JSON.stringify(claims.map(({ delivery_id }) => delivery_id))],
    ),
  ])
  await lockShards(
    dialect,
    tx,
    theirs.map(({ shard }) => shard),
  )
  const now = await tx.now()
  const rows = claims.map(({ delivery_id, attempt, inMs }) => ({
    // The state is a parameter, not a literal in the statement: so each delivery is looked up.
    delivery_id,
    attempt,
    was: 'leased',
    due_at: now + Math.max(0, Math.ceil(inMs)),
  }))
  // Never due after its deadline: a claim then finds it and ends it.
  const given = await tx.all<{ delivery_id: number; attempt: number; lane: string }>(
    `UPDATE webhook_deliveries SET state = 'pending', lease_until = NULL, attempts = attempts - 1,
       due_at = CASE WHEN r.due_at > expires_at THEN expires_at ELSE r.due_at END,
       endpoint = ${CURRENT_ENDPOINT}
     FROM ${rowsOf({ ...TOKEN, was: 'TEXT', due_at: 'BIGINT' })} AS r
     WHERE webhook_deliveries.delivery_id = r.delivery_id
       AND webhook_deliveries.state = r.was AND attempts = r.attempt
     RETURNING webhook_deliveries.delivery_id, attempts + 1 AS attempt, lane`,
    [JSON.stringify(rows)],
  )
  await tx.runEach(
    'DELETE FROM webhook_attempts WHERE delivery_id = $1 AND attempt = $2',
    given.map(({ delivery_id, attempt }) => [delivery_id, attempt]),
  )
  // It may have been the probe: the next one need not wait as after a failure.
  await tx.run(
    `UPDATE webhook_circuits SET probe_at = $2
     WHERE lane IN ${valuesOf('TEXT')} AND opened_at IS NOT NULL AND probe_at > $2`,
    [JSON.stringify(given.map(({ lane }) => lane)), now],
  )
  if (given.length > 0) await tx.wake(DELIVERIES_TOPIC)
}

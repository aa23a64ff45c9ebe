// The durable outbox of the webhook sender in SQL (spec 6.4): deliveries wait here from the commit of their event
// until they are delivered or have failed permanently.

import type { Clock } from '../../../lib/clock.ts'
import { steadyClock } from '../../../lib/steady-clock.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { MoveCircuit } from '../../../webhooks/sender/circuit.ts'
import { DELIVERIES_TOPIC, type OutboxStore } from '../../../webhooks/sender/store.ts'
import { type Database, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { valuesOf } from '../../sql/lists.ts'
import { amongLocked } from '../../sql/locks.ts'
import { addDeliveries } from './add.ts'
import { forgetOldCircuits, freeStranded, oldCircuits, strandedLanes } from './circuits.ts'
import { createDeliveryClaim } from './claim.ts'
import { giveBack, takeBack } from './leases.ts'
import { outboxStats } from './look.ts'
import { createQueueUse, type QueueUse } from './queue-use.ts'
import { recordResults } from './record.ts'
import { endWaiting, OVERDUE } from './rows.ts'
import { allShards, lockLanes, lockShards } from './shards.ts'

export interface OutboxStoreOptions {
  /** The rule by which circuits open and close. */
  moveCircuit: MoveCircuit
  /** How much may be queued for an owner. Default: no limit. */
  queue?: QueueUse
  /** The clock for the statistics, which are read outside a transaction. Default: the system clock. */
  clock?: Clock
}

export function createOutboxStore(
  database: Database,
  { moveCircuit, queue = createQueueUse(database), clock = steadyClock }: OutboxStoreOptions,
): OutboxStore {
  const { dialect } = database
  return {
    room: queue.room,
    checkRoom: queue.check,
    add: (tx, deliveries, horizonMs) => addDeliveries(database, tx, { deliveries, horizonMs }),
    claim: createDeliveryClaim(database),
    record: (tx, results) => recordResults(database, tx, { results, moveCircuit }),
    giveBack: (tx, claims) => giveBack(database, tx, claims),
    releaseAll: async (tx) => {
      await lockShards(dialect, tx, 'all')
      const taken = await takeBack({ dialect, tx: sqlOf(tx), now: await tx.now() }, 'all')
      if (taken > 0) await tx.wake(DELIVERIES_TOPIC)
      return taken
    },
    expire: (tx) => expire(database, tx),
    stats: () => outboxStats(database, clock.now()),
    trim: (tx, endedBefore) => trim(tx, endedBefore),
  }
}

/** Deliveries of each kind that one call ends or deletes, so that no call holds its locks for long. */
const ROWS_AT_ONCE = 1_000

/** Waiting deliveries are found where a claim finds them: due, longest due first in their shard. */
async function expire({ dialect }: Database, transaction: Transaction): Promise<number> {
  const tx = sqlOf(transaction)
  await tx.useIndexes()
  const found = await tx.now()
  // Mostly nothing is found, and then nothing is locked.
  const [late, stranded, old] = await Promise.all([
    lateOnes({ dialect, tx, now: found }),
    strandedLanes(tx),
    oldCircuits({ tx, now: found }),
  ])
  const lanes = [...late.map(({ lane }) => lane), ...stranded, ...old]
  if (lanes.length === 0) return 0
  await lockLanes(dialect, tx, lanes)
  const step = { dialect, tx, now: await tx.now() }
  const ended = await endWaiting(
    step,
    late.map(({ delivery_id }) => delivery_id),
    OVERDUE,
  )
  await freeStranded(step, stranded)
  await forgetOldCircuits(step, old)
  return ended
}

interface LateStep {
  dialect: Database['dialect']
  tx: SqlTransaction
  now: number
}

async function lateOnes({
  dialect,
  tx,
  now,
}: LateStep): Promise<{ delivery_id: number; lane: string }[]> {
  const due = `SELECT delivery_id, lane, expires_at FROM webhook_deliveries
    WHERE due_shard = $2 AND due_at <= $1
    ORDER BY due_at, delivery_id LIMIT ${ROWS_AT_ONCE}`
  const pages = allShards(dialect).numbers.map((shard) =>
    tx.all<{ delivery_id: number; lane: string }>(
      `SELECT delivery_id, lane FROM (${due}) AS due WHERE expires_at <= $1`,
      [now, shard],
    ),
  )
  const held = tx.all<{ delivery_id: number; lane: string }>(
    `SELECT delivery_id, lane FROM webhook_deliveries
     WHERE state = 'held' AND lease_until IS NULL AND expires_at <= $1
     ORDER BY expires_at LIMIT ${ROWS_AT_ONCE}`,
    [now],
  )
  return (await Promise.all([...pages, held])).flat()
}

async function trim(transaction: Transaction, endedBefore: number): Promise<number> {
  const tx = sqlOf(transaction)
  const rows = await tx.all<{ delivery_id: number }>(
    `DELETE FROM webhook_deliveries WHERE ${amongLocked(
      'delivery_id',
      `SELECT delivery_id FROM webhook_deliveries WHERE ended_at < $1
       ORDER BY ended_at LIMIT ${ROWS_AT_ONCE}`,
    )} RETURNING delivery_id`,
    [endedBefore],
  )
  if (rows.length === 0) return 0
  await tx.run(`DELETE FROM webhook_attempts WHERE delivery_id IN ${valuesOf('BIGINT')}`, [
    JSON.stringify(rows.map(({ delivery_id }) => delivery_id)),
  ])
  return rows.length
}

// Work that is due, or claimed, further ahead than it is ever scheduled: it was written while the clock was ahead,
// and would otherwise wait for as long as the clock was wrong. It becomes due now. The list contains only tables with
// known maximum delays: media buys and their reports are due on the dates of their flights, which may be far ahead.

import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { SKIP_LOCKED } from '../../sql/locks.ts'
import { allShards } from '../outbox/shards.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
/** Retries, probes and verifications are at most a day ahead, claims a few minutes. */
const FARTHEST_MS = 2 * DAY_MS
const ROWS_AT_ONCE = 500

interface Scheduled {
  table: string
  /** The columns of its primary key. */
  key: string
  /** The due time. `$1` is now, `$2` the latest plausible time. */
  due: string
  /** Rows to examine, restricted so that the index of due times is used. */
  among: string
  /** The column with the shard that the index begins with. */
  sharded?: 'shard' | 'due_shard'
}

const SCHEDULED: readonly Scheduled[] = [
  {
    table: 'webhook_deliveries',
    key: 'delivery_id',
    due: 'due_at',
    among: 'due_at > $2',
    sharded: 'due_shard',
  },
  { table: 'webhook_circuits', key: 'lane', due: 'probe_at', among: 'probe_at > $2' },
  {
    table: 'webhook_deliveries',
    key: 'delivery_id',
    due: 'lease_until',
    among: "state = 'leased' AND lease_until > $2",
    sharded: 'shard',
  },
  {
    table: 'idempotent_requests',
    key: 'principal_id, task, idempotency_key',
    due: 'lease_until',
    among: 'answer IS NULL AND lease_until > $2',
  },
  {
    table: 'manifest_references',
    key: 'id',
    due: 'next_verification_at',
    among: 'next_verification_at > $2',
  },
  { table: 'signal_takedowns', key: 'activation_id', due: 'due_at', among: 'due_at > $2' },
  // A task may wait for input until its deadline, but for nothing after that.
  { table: 'tasks', key: 'task_id', due: 'due_at', among: 'due_at > $2 AND due_at > deadline_at' },
]

/** Makes some of it due now; returns how much. 0 when there is no more. */
export async function bringNear({ dialect }: Database, tx: Transaction): Promise<number> {
  const now = await tx.now()
  let brought = 0
  for (const { table, key, due, among, sharded } of SCHEDULED) {
    const where = sharded ? `${sharded} IN ${allShards(dialect).list} AND ${among}` : among
    brought += await sqlOf(tx).run(
      `UPDATE ${table} SET ${due} = $1 WHERE (${key}) IN (
         SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${ROWS_AT_ONCE} ${SKIP_LOCKED})`,
      [now, now + FARTHEST_MS],
    )
  }
  return brought
}

// Counting what owners have, in SQL. Transactions that add to a count far from its limit run concurrently; near the
// limit they wait for each other, so that together they never exceed it.

import { randomInt } from 'node:crypto'
import { type Quota, quotaExceeded } from '../../../protocol/quota.ts'
import type { Queryable, SqlTransaction } from '../../sql/database.ts'

interface On {
  tx: SqlTransaction
  /** Lets owners that are far from a limit skip reading the count. Default: the count is read each time. */
  headroom?: Headroom
}

export interface Charge {
  owner: string
  quota: Quota
  amount: number
  limit: number
  /** When counted items expire on their own, in milliseconds; undefined: the count drops when they are credited. */
  endsAt?: number
}

/** Adds to a count. Throws QUOTA_EXCEEDED if the result would exceed the limit. */
export async function charge(on: On, wanted: Charge): Promise<void> {
  const { owner, quota, amount, limit, endsAt } = wanted
  if (amount === 0) return
  const isChecked = amount > 0 && limit !== Number.POSITIVE_INFINITY
  if (isChecked && !on.headroom?.take(owner, amount)) {
    const used = await usedWithin(on, wanted)
    if (used + amount > limit) throw quotaExceeded(quota, { limit, used })
    on.headroom?.note(owner, limit - used - amount)
  }
  await on.tx.run(
    `INSERT INTO quota_usage (owner, quota, ends_at, shard, used) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (owner, quota, ends_at, shard)
     DO UPDATE SET used = quota_usage.used + excluded.used`,
    [owner, quota, endsAt === undefined ? 0 : hourAfter(endsAt), shardOf(on), amount],
  )
}

/** Takes from the counts of owners. */
export async function credit(
  on: On,
  quota: Quota,
  removed: readonly { owner: string; amount: number }[],
): Promise<void> {
  const byOwner = new Map<string, number>()
  for (const { owner, amount } of removed) byOwner.set(owner, (byOwner.get(owner) ?? 0) + amount)
  // In a fixed order, which prevents deadlocks.
  for (const owner of [...byOwner.keys()].sort()) {
    await charge(on, { owner, quota, amount: -(byOwner.get(owner) ?? 0), limit: 0 })
  }
}

/** How much the owner has; near the limit, no other transaction adds to it until this one has ended. */
export async function usedWithin(
  on: On,
  { owner, quota, amount, limit }: Omit<Charge, 'endsAt'>,
): Promise<number> {
  const now = await on.tx.now()
  const counted = { owner, quota, now }
  const used = await usedOf(on.tx, counted)
  if (isFar(used, amount, limit)) return used
  await lockOwner(on, owner, quota)
  return usedOf(on.tx, counted)
}

/** An upper bound for the number of concurrent additions to one count, on all instances together. */
const AT_ONCE = 200

/** So far from the limit that the maximum number of concurrent additions of this size does not reach it. */
export function isFar(used: number, amount: number, limit: number): boolean {
  return used + AT_ONCE * Math.max(1, amount) <= limit
}

/** The count as it is now, or was at the last commit. */
export async function usedOf(
  queries: Queryable,
  { owner, quota, now = 0 }: { owner: string; quota: Quota; now?: number },
): Promise<number> {
  const row = await queries.get<{ used: number }>(
    `SELECT coalesce(CAST(sum(used) AS BIGINT), 0) AS used FROM quota_usage
     WHERE owner = $1 AND quota = $2 AND (ends_at = 0 OR ends_at > $3)`,
    [owner, quota, now],
  )
  return Math.max(0, row?.used ?? 0)
}

/** Held until the transaction ends. */
export function lockOwner({ tx }: Pick<On, 'tx'>, owner: string, quota: Quota): Promise<void> {
  return tx.lock(`${quota} of ${owner}`)
}

const SWEPT_AT_ONCE = 1_000

/** Deletes some counts of items that have expired on their own. */
export async function sweepUsage(tx: SqlTransaction): Promise<void> {
  await tx.run(
    `DELETE FROM quota_usage WHERE (owner, quota, ends_at, shard) IN (
       SELECT owner, quota, ends_at, shard FROM quota_usage
       WHERE ends_at > 0 AND ends_at <= $1 ORDER BY ends_at LIMIT ${SWEPT_AT_ONCE})`,
    [await tx.now()],
  )
}

const SHARDS = 16

function shardOf({ tx }: On): number {
  return tx.hasOneWriter ? 0 : randomInt(SHARDS)
}

const HOUR_MS = 3_600_000

/** Counted a little longer than the item exists, so that an owner has few counts. */
function hourAfter(at: number): number {
  return Math.ceil(at / HOUR_MS) * HOUR_MS
}

/** How far owners were from the limit of one quota when it was last read. */
export interface Headroom {
  /** Whether this amount may be added without reading the count again. */
  take(owner: string, amount: number): boolean
  note(owner: string, room: number): void
}

/** A part of the room that was read: less than all instances could use up together before they read again. */
const SHARE = 1 / 128
const SEEN_FOR_MS = 1_000
const MAX_OWNERS = 10_000

export function createHeadroom(): Headroom {
  const left = new Map<string, { amount: number; until: number }>()
  return {
    take: (owner, amount) => {
      const room = left.get(owner)
      if (!room || room.amount < amount || room.until < performance.now()) return false
      room.amount -= amount
      return true
    },
    note: (owner, room) => {
      if (left.size >= MAX_OWNERS) left.clear()
      left.set(owner, { amount: Math.floor(room * SHARE), until: performance.now() + SEEN_FOR_MS })
    },
  }
}

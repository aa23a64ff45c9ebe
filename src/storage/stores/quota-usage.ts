// Counting what owners have, in SQL: exact also for many at once, since whoever adds to a count of an
// owner holds it until the end of the transaction.

import { type Quota, quotaExceeded } from '../../protocol/quota.ts'
import type { Database, Queryable, SqlTransaction } from '../sql/database.ts'

interface On {
  dialect: Database['dialect']
  tx: SqlTransaction
}

export interface Charge {
  owner: string
  quota: Quota
  amount: number
  limit: number
  /** When what is counted ends by itself, in milliseconds; undefined: when it is credited. */
  endsAt?: number
}

/** Adds to a count. Throws QUOTA_EXCEEDED when there would be more than the limit. */
export async function charge(
  on: On,
  { owner, quota, amount, limit, endsAt }: Charge,
): Promise<void> {
  if (amount === 0) return
  const used = await lockUsed(on, owner, quota)
  if (amount > 0 && used + amount > limit) throw quotaExceeded(quota, { limit, used })
  await on.tx.run(
    `INSERT INTO quota_usage (owner, quota, ends_at, used) VALUES ($1, $2, $3, $4)
     ON CONFLICT (owner, quota, ends_at) DO UPDATE
     SET used = CASE WHEN quota_usage.used + $5 < 0 THEN 0 ELSE quota_usage.used + $5 END`,
    [owner, quota, endsAt === undefined ? 0 : hourAfter(endsAt), Math.max(0, amount), amount],
  )
}

/** Takes from the counts of owners, in one order, so that nobody waits in a circle. */
export async function credit(
  on: On,
  quota: Quota,
  removed: readonly { owner: string; amount: number }[],
): Promise<void> {
  const byOwner = new Map<string, number>()
  for (const { owner, amount } of removed) byOwner.set(owner, (byOwner.get(owner) ?? 0) + amount)
  for (const owner of [...byOwner.keys()].sort()) {
    await charge(on, { owner, quota, amount: -(byOwner.get(owner) ?? 0), limit: 0 })
  }
}

/** How much the owner has; nobody else changes it until the transaction has ended. */
export async function lockUsed(on: On, owner: string, quota: Quota): Promise<number> {
  await lockOwner(on, owner, quota)
  return usedOf(on.tx, owner, quota, await on.tx.now())
}

/** The same as it is now, or was at the last commit. */
export async function usedOf(
  queries: Queryable,
  owner: string,
  quota: Quota,
  now = 0,
): Promise<number> {
  const row = await queries.get<{ used: number }>(
    `SELECT coalesce(CAST(sum(used) AS BIGINT), 0) AS used FROM quota_usage
     WHERE owner = $1 AND quota = $2 AND (ends_at = 0 OR ends_at > $3)`,
    [owner, quota, now],
  )
  return row?.used ?? 0
}

/** SQLite has one writer. */
export async function lockOwner({ dialect, tx }: On, owner: string, quota: Quota): Promise<void> {
  if (dialect === 'sqlite') return
  await tx.get('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${quota} of ${owner}`])
}

/** Forgets counts of what has ended by itself. */
export async function sweepUsage(tx: SqlTransaction): Promise<void> {
  await tx.run('DELETE FROM quota_usage WHERE ends_at > 0 AND ends_at <= $1', [await tx.now()])
}

const HOUR_MS = 3_600_000

/** Counted a little longer than it is there, so that an owner has few counts. */
function hourAfter(at: number): number {
  return Math.ceil(at / HOUR_MS) * HOUR_MS
}

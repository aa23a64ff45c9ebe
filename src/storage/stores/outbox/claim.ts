// One claim of due deliveries in SQL: which are sent next, which must wait, and the leases (spec 6.4). A claim works in
// the shards that it got, so that instances claim beside each other. The cost does not depend on the number of waiting
// deliveries: every step reads a bounded number of rows.

import { defined } from '../../../lib/defined.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { ClaimedDeliveries, ClaimRequest, UnderWay } from '../../../webhooks/sender/store.ts'
import { type Database, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { type ClaimStep, chooseAll, type FairQueue, firstPage, room } from './choose.ts'
import { release } from './circuits.ts'
import { createDueScan } from './due.ts'
import { lease, writeAttempts } from './lease.ts'
import { takeBack } from './leases.ts'
import { openClaimLimits } from './limits.ts'
import { createTakeShards, endOf, inShards } from './shards.ts'
import { probeTurns, releaseTurns } from './turns.ts'

export function createDeliveryClaim({ dialect }: Database) {
  const turns: FairQueue = {
    owners: createDueScan(dialect, 'owner'),
    lanes: createDueScan(dialect, 'lane'),
    probes: probeTurns(dialect),
  }
  const released = releaseTurns(dialect)
  const takeShards = createTakeShards(dialect)
  return async (transaction: Transaction, request: ClaimRequest): Promise<ClaimedDeliveries> => {
    const tx = sqlOf(transaction)
    const now = await tx.now()
    // Statements that do not depend on each other's results are sent together, since a claim is mostly round trips.
    const [, { shards, areAll }] = await Promise.all([tx.useIndexes(), takeShards(tx, now)])
    if (shards.size === 0) {
      const next = areAll ? await nextDueAt(dialect, tx, now) : now
      return { claimed: [], isCutShort: !areAll, isContended: !areAll, nextDueAt: next }
    }
    // Read after the locks are acquired: so this is what the claim before has left.
    const on = { dialect, tx, now, shards }
    const [, releasedCount, underWay, limits, page, probe] = await Promise.all([
      takeBack(on, shards),
      release(on, released),
      tx.all<UnderWay>(
        `SELECT owner, endpoint, subject FROM webhook_deliveries
         WHERE ${inShards(dialect, 'shard', 1)} AND state = 'leased'`,
        [JSON.stringify([...shards])],
      ),
      openClaimLimits(tx, now),
      firstPage(on, request),
      tx.get('SELECT 1 AS one FROM webhook_circuits WHERE probe_at <= $1 LIMIT 1', [now]),
    ])
    const step: ClaimStep = { ...on, request, underWay, chosen: new Map(), limits }
    const isCutShort = await chooseAll(step, turns, {
      // Deliveries released meanwhile may be due before those that were read.
      page: releasedCount > 0 ? await firstPage(on, request) : page,
      isProbeDue: probe !== undefined,
    })
    const claimed = await lease(step)
    const [next] = await Promise.all([
      nextDueAt(dialect, tx, now),
      step.limits.keep(),
      writeAttempts(step, claimed),
    ])
    const limitedUntil = step.limits.nextAt()
    const isContended = !areAll && room(step) > 0
    return {
      claimed,
      isCutShort: isCutShort || isContended,
      isContended,
      nextDueAt: next,
      ...defined({ limitedUntil }),
    }
  }
}

/** Over all shards. */
async function nextDueAt(
  dialect: Database['dialect'],
  tx: SqlTransaction,
  now: number,
): Promise<number | undefined> {
  const row = await tx.get<Record<'due' | 'probe' | 'lease' | 'releasing', number | null>>(
    `SELECT (${endOf(dialect, 'due_at', 'min')}) AS due,
       (SELECT min(probe_at) FROM webhook_circuits WHERE probe_at IS NOT NULL) AS probe,
       (${endOf(dialect, 'lease_until', 'min')}) AS lease,
       (SELECT 1 FROM webhook_circuits WHERE is_releasing = 1 LIMIT 1) AS releasing`,
  )
  if (!row) return undefined
  const times = [row.due, row.probe, row.lease, row.releasing === null ? null : now]
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? undefined : Math.min(...known)
}

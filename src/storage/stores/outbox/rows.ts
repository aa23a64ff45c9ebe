// Shared by the statements of the outbox.

import type { Database, SqlTransaction } from '../../sql/database.ts'
import { valuesOf } from '../../sql/lists.ts'
import { amongLocked } from '../../sql/locks.ts'

type Dialect = Database['dialect']

/** The column `lane` as the database computes it. */
export function laneOf({ owner, endpoint }: { owner: string; endpoint: string }): string {
  return `${owner} ${endpoint}`
}

/**
 * The owner of a delivery `d`, for a query by endpoint: makes the planner choose the endpoint's index of the two. Not
 * a plain comparison, or PostgreSQL would estimate almost no matching rows, and read and sort all deliveries of the
 * endpoint.
 */
export function isOwner(owner: string): string {
  return `CASE WHEN d.owner = ${owner} THEN true ELSE false END`
}

/** Ends those that are still waiting. Returns how many there were. */
export async function endWaiting(
  { tx, now }: { dialect: Dialect; tx: SqlTransaction; now: number },
  ids: readonly number[],
  ending: { state: 'exhausted' | 'cancelled'; reason: string },
): Promise<number> {
  if (ids.length === 0) return 0
  return tx.run(
    `UPDATE webhook_deliveries SET state = $2, reason = $3, ended_at = $4
     WHERE ${amongLocked(
       'delivery_id',
       `SELECT delivery_id FROM webhook_deliveries
        WHERE delivery_id IN ${valuesOf('BIGINT')} AND state IN ('pending', 'held')`,
     )}`,
    [JSON.stringify(ids), ending.state, ending.reason, now],
  )
}

export const OVERDUE = { state: 'exhausted', reason: 'not delivered within its time' } as const

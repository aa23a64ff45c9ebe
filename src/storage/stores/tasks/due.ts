// Which of the due tasks are claimed: the longest due first, as far as their owners have slots left. However many
// tasks of one owner are due, those of others are found: first among the next due tasks, then by a walk from owner to
// owner, starting where the last one stopped.

import type { OwnerShare } from '../../../tasks/owner-share.ts'
import type { SqlTransaction, SqlValue } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { SKIP_LOCKED } from '../../sql/locks.ts'

/** Tasks examined after those of owners that have used their share. */
const NEXT_DUE = 1_000
/** Owners of one walk. */
const OWNERS = 32
/** If no task of another owner was found, the next search happens no earlier than this. */
const LOOK_AGAIN_MS = 200

interface DueRow {
  task_id: string
  owner: string
}

interface DueQuery {
  tx: SqlTransaction
  now: number
  types: readonly string[]
  limit: number
  share: OwnerShare
}

/** Ids of tasks to claim. */
export type ChooseDue = (query: DueQuery) => Promise<string[]>

export function createChooseDue(): ChooseDue {
  const isDue = `tasks.due_at <= $1 AND tasks.lost = 0 AND ${isIn('tasks.task_type', 2)}`
  const others = `NOT ${isIn('owner', 3)}`
  let walkedTo = ''
  let nobodyUntil = 0

  async function walk(tx: SqlTransaction, params: readonly SqlValue[]): Promise<DueRow[]> {
    const rows = await tx.all<{ owner: string | null; task_id: string | null }>(
      walkSql(isDue, others),
      [...params, walkedTo],
    )
    walkedTo = rows.length > OWNERS ? (rows.at(-1)?.owner ?? '') : ''
    return rows.filter((row): row is DueRow => row.owner !== null && row.task_id !== null)
  }

  return async ({ tx, now, types, limit, share }) => {
    const chosen = new Set<string>()
    const take = (rows: readonly DueRow[]) => {
      for (const { task_id, owner } of rows) {
        const isFree = chosen.size < limit && !chosen.has(task_id)
        if (isFree && share.take(owner)) chosen.add(task_id)
      }
    }
    const due = [now, listed(types)]
    const first = await tx.all<DueRow>(
      `SELECT task_id, owner FROM tasks WHERE ${isDue} ORDER BY due_at LIMIT $3 ${SKIP_LOCKED}`,
      [...due, 2 * limit],
    )
    take(first)
    const mayBeMore = chosen.size < limit && first.length === 2 * limit
    if (!mayBeMore || now < nobodyUntil) return [...chosen]

    const before = chosen.size
    const next = await tx.all<DueRow>(
      `SELECT task_id, owner FROM tasks WHERE ${isDue} AND ${others} AND task_id IN (
         SELECT task_id FROM tasks WHERE ${isDue} ORDER BY due_at LIMIT ${NEXT_DUE})
       ORDER BY due_at LIMIT $4 ${SKIP_LOCKED}`,
      [...due, listed(share.full()), 2 * limit + chosen.size],
    )
    take(next)
    if (chosen.size < limit) take(await walk(tx, [...due, listed(share.full())]))
    if (chosen.size === before) nobodyUntil = now + LOOK_AGAIN_MS
    return [...chosen]
  }
}

/** The longest due task of each owner with open tasks, after the owner `$4`; the last row has no task. */
function walkSql(isDue: string, others: string): string {
  const next = (after: string) => `(SELECT t.owner FROM tasks t
    WHERE t.completed_at IS NULL AND t.owner > ${after} ORDER BY t.owner LIMIT 1)`
  return `WITH RECURSIVE walk(owner, n) AS (
      SELECT ${next('$4')}, 1
      UNION ALL
      SELECT ${next('walk.owner')}, n + 1 FROM walk WHERE walk.owner IS NOT NULL AND n <= ${OWNERS}
    )
    SELECT owner, CASE WHEN ${others} THEN (SELECT tasks.task_id FROM tasks
        WHERE tasks.owner = walk.owner AND tasks.completed_at IS NULL AND ${isDue}
        ORDER BY tasks.due_at LIMIT 1) END AS task_id
    FROM walk ORDER BY n`
}

// Tasks of A2A callers in SQL. A task is settled by a single update, which either its call or its cancellation wins.

import type { Clock } from '../../../lib/clock.ts'
import { steadyClock } from '../../../lib/steady-clock.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { A2aState, A2aTask, A2aTaskStore, Kept } from '../../../transports/a2a/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'

interface TaskRow {
  task_id: string
  owner: string
  context_id: string
  skill: string
  state: A2aState
  body: string | null
  updated_at: number
  expires_at: number
}

/** A sweep is one short transaction. */
const SWEPT_AT_ONCE = 1_000

export function createA2aTaskStore(database: Database, clock: Clock = steadyClock): A2aTaskStore {
  return {
    add: async (tx, task, ttlMs) => {
      const now = await tx.now()
      const { taskId, owner, contextId, skill, state, body } = task
      await sqlOf(tx).run(
        `INSERT INTO a2a_tasks
           (task_id, owner, context_id, skill, state, body, updated_at, expires_at, body_bytes)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [taskId, owner, contextId, skill, state, body ?? null, now, now + ttlMs, bytesOf(body)],
      )
      return { ...task, updatedAt: now }
    },
    settle,
    get: async (owner, taskId) => {
      if (!isStorable(taskId)) return undefined
      const row = await database.read.get<TaskRow>(
        'SELECT * FROM a2a_tasks WHERE task_id = $1 AND owner = $2',
        [taskId, owner],
      )
      return row && row.expires_at > clock.now() ? taskOf(row) : undefined
    },
    kept: async (owner) => {
      const row = await database.read.get<Kept>(
        `SELECT count(*) AS tasks, coalesce(sum(body_bytes), 0) AS bytes FROM a2a_tasks
         WHERE owner = $1 AND expires_at > $2`,
        [owner, clock.now()],
      )
      return { tasks: Number(row?.tasks ?? 0), bytes: Number(row?.bytes ?? 0) }
    },
    sweep: async (tx) =>
      sqlOf(tx).run(
        `DELETE FROM a2a_tasks WHERE task_id IN (
           SELECT task_id FROM a2a_tasks WHERE expires_at <= $1
           ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`,
        [await tx.now()],
      ),
  }
}

async function settle(
  tx: Transaction,
  { owner, taskId }: Pick<A2aTask, 'owner' | 'taskId'>,
  { state, body }: Pick<A2aTask, 'state' | 'body'>,
): Promise<boolean> {
  const changed = await sqlOf(tx).run(
    `UPDATE a2a_tasks SET state = $3, body = $4, updated_at = $5, body_bytes = $6
     WHERE task_id = $1 AND owner = $2 AND body IS NULL AND state = 'working'`,
    [taskId, owner, state, body ?? null, await tx.now(), bytesOf(body)],
  )
  return changed > 0
}

function bytesOf(body: string | undefined): number {
  return body === undefined ? 0 : Buffer.byteLength(body)
}

function taskOf(row: TaskRow): A2aTask {
  return {
    taskId: row.task_id,
    owner: row.owner,
    contextId: row.context_id,
    skill: row.skill,
    state: row.state,
    body: row.body ?? undefined,
    updatedAt: row.updated_at,
  }
}

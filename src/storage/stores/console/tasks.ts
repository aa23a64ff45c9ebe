// Tasks of all principals in SQL, the newest first.

import type { ConsoleQueries, ListedTask, TaskListFilter } from '../../../console/queries.ts'
import { isFinalStatus } from '../../../protocol/final-status.ts'
import type { TaskStatus } from '../../../protocol/schemas/task-status.ts'
import { TASK_STATUSES } from '../../../protocol/statuses.ts'
import { createConditions } from '../../sql/conditions.ts'
import type { Database, Queryable } from '../../sql/database.ts'
import { readPage } from '../../sql/pages.ts'
import { type SummaryRow, summaryOf } from '../tasks/list.ts'

const COLUMNS = `task_id, owner, task_type, domain, status, has_webhook, created_at, updated_at,
  completed_at, message, progress`

type Row = SummaryRow & { message: string | null; progress: string | null }

/** If several statuses are requested, each is read along its own index, and the newest of all are returned. */
export async function listAllTasks(
  database: Database,
  { statuses, ...filter }: TaskListFilter,
): ReturnType<ConsoleQueries['tasks']> {
  const { limit } = filter
  const lists = await Promise.all(
    (statuses ?? [undefined]).map((status) => listOf(database, filter, status)),
  )
  const rows = lists.flatMap((list) => list.rows).sort(newestFirst)
  const hasMore = rows.length > limit || lists.some((list) => list.hasMore)
  return { rows: rows.slice(0, limit).map(taskOf), hasMore }
}

function listOf(
  { read }: Database,
  { task_type, task_id, owner, since, until, after, limit }: TaskListFilter,
  status: TaskStatus | undefined,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const conditions = createConditions()
  conditions.add('is_told = 1')
  conditions.isOneOf('status', TASK_STATUSES, status)
  conditions.is('task_type =', task_type)
  conditions.is('task_id =', task_id)
  conditions.is('owner =', owner)
  conditions.is('created_at >=', since)
  conditions.is('created_at <', until)
  return readPage<Row>(read, {
    select: `SELECT ${COLUMNS} FROM tasks`,
    conditions,
    keys: ['created_at', 'task_id'],
    direction: 'desc',
    after: after && [after.created_at, after.task_id],
    limit,
  })
}

function newestFirst(a: Row, b: Row): number {
  return b.created_at - a.created_at || (a.task_id < b.task_id ? 1 : -1)
}

function taskOf(row: Row): ListedTask {
  return {
    ...summaryOf(row),
    message: row.message ?? undefined,
    progress: row.progress === null ? undefined : JSON.parse(row.progress),
  }
}

export async function countTasks(
  read: Queryable,
  since: number,
  most: number,
): Promise<Map<TaskStatus, number>> {
  const counts = await Promise.all(
    TASK_STATUSES.map(async (status) => {
      const from = isFinalStatus(status) ? since : 0
      const row = await read.get<{ n: number }>(
        `SELECT count(*) AS n FROM (SELECT 1 FROM tasks
           WHERE is_told = 1 AND status = '${status}' AND created_at >= $1 LIMIT $2) AS found`,
        [from, most],
      )
      return [status, row?.n ?? 0] as const
    }),
  )
  return new Map(counts)
}

// An owner's tasks in SQL, filtered, sorted and paged. A page begins after the last task of the previous page, so
// tasks added or ended in between shift nothing.

import type { TaskStatus } from '../../../protocol/schemas/task-status.ts'
import type { TaskFilter, TaskPage, TaskQuery, TaskSummary } from '../../../tasks/store.ts'
import { type Conditions, createConditions } from '../../sql/conditions.ts'
import type { Database } from '../../sql/database.ts'
import { countBy, readPage } from '../../sql/pages.ts'

const COLUMNS = `task_id, owner, task_type, domain, status, has_webhook, created_at, updated_at,
  completed_at`

export interface SummaryRow {
  task_id: string
  owner: string
  task_type: string
  domain: string
  status: TaskStatus
  has_webhook: number
  created_at: number
  updated_at: number
  completed_at: number | null
}

export async function listTasks(
  { read }: Database,
  owner: string,
  { filter, sort, limit, after }: TaskQuery,
): Promise<TaskPage> {
  const conditions = conditionsOf(owner, filter)
  const counts = await countBy(read, { from: 'tasks', conditions, by: ['domain', 'status'] })
  const { rows, hasMore } = await readPage<SummaryRow>(read, {
    select: `SELECT ${COLUMNS} FROM tasks`,
    conditions,
    keys: [sort.field, 'task_id'],
    direction: sort.direction,
    after: after && [after.value, after.task_id],
    limit,
  })
  return {
    tasks: rows.map(summaryOf),
    hasMore,
    total: counts.total,
    byDomain: counts.of.domain,
    byStatus: counts.of.status,
  }
}

function conditionsOf(owner: string, filter: TaskFilter): Conditions {
  const { has_webhook, contextContains: sought } = filter
  const conditions = createConditions()
  conditions.is('owner =', owner)
  conditions.add('is_told = 1')
  conditions.isIn('domain', filter.domains)
  conditions.isIn('status', filter.statuses)
  conditions.isIn('task_type', filter.task_types)
  conditions.isIn('task_id', filter.task_ids)
  conditions.is('created_at >', filter.createdAfter)
  conditions.is('created_at <', filter.createdBefore)
  conditions.is('updated_at >', filter.updatedAfter)
  conditions.is('updated_at <', filter.updatedBefore)
  conditions.is('has_webhook =', has_webhook === undefined ? undefined : Number(has_webhook))
  // The context is stored as JSON, so the search text is escaped as JSON.
  conditions.contains(
    'context',
    sought === undefined ? undefined : JSON.stringify(sought).slice(1, -1),
  )
  return conditions
}

export function summaryOf(row: SummaryRow): TaskSummary {
  return {
    task_id: row.task_id,
    owner: row.owner,
    task_type: row.task_type,
    domain: row.domain,
    status: row.status,
    has_webhook: row.has_webhook === 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
    completed_at: row.completed_at ?? undefined,
  }
}

// An owner's tasks in SQL, filtered, sorted and in pages. A page begins after the last task of the one
// before, so what is added or ends in between shifts nothing.

import type { TaskStatus } from '../../../protocol/schemas/task-status.ts'
import type { TaskFilter, TaskPage, TaskQuery, TaskSummary } from '../../../tasks/store.ts'
import type { Database, SqlValue } from '../../sql/database.ts'

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
  database: Database,
  owner: string,
  { filter, sort, limit, after }: TaskQuery,
): Promise<TaskPage> {
  const { read } = database
  const params: SqlValue[] = [owner]
  const conditions = [
    'owner = $1',
    'is_told = 1',
    ...conditionsOf(database.dialect, filter, params),
  ]
  const counts = await read.all<{ domain: string; status: string; n: number }>(
    `SELECT domain, status, count(*) AS n FROM tasks WHERE ${conditions.join(' AND ')}
     GROUP BY domain, status ORDER BY domain, status`,
    params,
  )
  const direction = sort.direction === 'asc' ? 'ASC' : 'DESC'
  if (after) {
    const sign = sort.direction === 'asc' ? '>' : '<'
    params.push(after.value, after.task_id)
    conditions.push(`(${sort.field}, task_id) ${sign} ($${params.length - 1}, $${params.length})`)
  }
  const rows = await read.all<SummaryRow>(
    `SELECT ${COLUMNS} FROM tasks WHERE ${conditions.join(' AND ')}
     ORDER BY ${sort.field} ${direction}, task_id ${direction} LIMIT $${params.length + 1}`,
    [...params, limit + 1],
  )
  return {
    tasks: rows.slice(0, limit).map(summaryOf),
    hasMore: rows.length > limit,
    total: counts.reduce((sum, { n }) => sum + n, 0),
    byDomain: totalsOf(counts, 'domain'),
    byStatus: totalsOf(counts, 'status'),
  }
}

function conditionsOf(
  dialect: Database['dialect'],
  filter: TaskFilter,
  params: SqlValue[],
): string[] {
  const conditions: string[] = []
  const add = (value: SqlValue | undefined, condition: (place: number) => string) => {
    if (value !== undefined) conditions.push(condition(params.push(value)))
  }
  const addList = (values: readonly string[] | undefined, column: string) =>
    add(values && listed(values), (place) => isIn(dialect, column, place))
  addList(filter.domains, 'domain')
  addList(filter.statuses, 'status')
  addList(filter.task_types, 'task_type')
  addList(filter.task_ids, 'task_id')
  add(filter.createdAfter, (place) => `created_at > $${place}`)
  add(filter.createdBefore, (place) => `created_at < $${place}`)
  add(filter.updatedAfter, (place) => `updated_at > $${place}`)
  add(filter.updatedBefore, (place) => `updated_at < $${place}`)
  add(filter.has_webhook === undefined ? undefined : Number(filter.has_webhook), (place) => {
    return `has_webhook = $${place}`
  })
  // The context is kept as JSON, so the text is sought as JSON spells it.
  const sought = filter.contextContains
  add(sought === undefined ? undefined : JSON.stringify(sought).slice(1, -1), (place) =>
    dialect === 'postgres' ? `strpos(context, $${place}) > 0` : `instr(context, $${place}) > 0`,
  )
  return conditions
}

/** Whether `column` is one of a `listed` parameter: one text of SQL for lists of every length. */
export function isIn(dialect: Database['dialect'], column: string, place: number): string {
  const members =
    dialect === 'postgres'
      ? `SELECT jsonb_array_elements_text($${place}::jsonb)`
      : `SELECT value FROM json_each($${place})`
  return `${column} IN (${members})`
}

export function listed(values: readonly string[]): string {
  return JSON.stringify(values.filter(isStorable))
}

/** PostgreSQL holds no NUL in a text, so nothing that has one can be found. */
export function isStorable(value: string): boolean {
  return !value.includes('\0')
}

function totalsOf(
  counts: readonly { domain: string; status: string; n: number }[],
  by: 'domain' | 'status',
): Record<string, number> {
  const totals = new Map<string, number>()
  for (const count of counts) totals.set(count[by], (totals.get(count[by]) ?? 0) + count.n)
  return Object.fromEntries(totals)
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

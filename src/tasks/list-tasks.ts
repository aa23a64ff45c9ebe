// `list_tasks`: the caller's tasks, filtered, sorted and paged, with the count of each kind (spec 3.2).

import { defined } from '../lib/defined.ts'
import { cursorOf, pageAfter } from '../protocol/cursor.ts'
import {
  type ListTasksRequest,
  type ListTasksResponse,
  listTasksRequest,
  listTasksResponse,
} from '../protocol/schemas/tasks.ts'
import { defineTask, type Task } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import { ownerOf, serializeHistory, serializeSummary } from './serialize-task.ts'
import type { TaskFilter, TaskPage, TaskQuery, TaskSortField, TaskStore } from './store.ts'

const DEFAULT_PAGE = 50

export function listTasks({
  tasks,
}: {
  tasks: TaskStore
}): Task<ListTasksRequest, ListTasksResponse> {
  return defineTask({
    name: 'list_tasks',
    summary: 'The caller’s tasks, filtered, sorted and in pages',
    area: 'tasks',
    access: 'tasks',
    changes: false,
    request: listTasksRequest,
    response: listTasksResponse,
    cost: constantCost(200, 'tasks of a page'),
    handle: async (request, { principal }) => {
      const query = queryOf(request)
      const page = await tasks.list(ownerOf(principal), query)
      const said = request.include_history
        ? await tasks.history(page.tasks.map(({ task_id }) => task_id))
        : undefined
      return {
        query_summary: summaryOf(request, query, page),
        tasks: page.tasks.map((task) => ({
          ...serializeSummary(task),
          ...defined({
            history: said ? serializeHistory(said.get(task.task_id) ?? []) : undefined,
          }),
        })),
        pagination: {
          has_more: page.hasMore,
          ...defined({ cursor: page.hasMore ? cursorAfter(query, page) : undefined }),
          total_count: page.total,
        },
      }
    },
  })
}

function queryOf({ filters, sort, pagination }: ListTasksRequest): TaskQuery {
  const { field = 'created_at', direction = 'desc' } = sort ?? {}
  const sorted = { field: field === 'protocol' ? ('domain' as const) : field, direction }
  return {
    filter: filterOf(filters ?? {}),
    sort: sorted,
    limit: pagination?.max_results ?? DEFAULT_PAGE,
    ...defined({ after: readPlace(sorted, pagination?.cursor) }),
  }
}

function filterOf(filters: NonNullable<ListTasksRequest['filters']>): TaskFilter {
  const { protocol, protocols, domain, domains, status, statuses, task_type, task_types } = filters
  const { task_ids, context_contains, has_webhook } = filters
  return {
    ...defined({
      domains: inAll(only(protocol), protocols, only(domain), domains),
      statuses: inAll(only(status), statuses),
      task_types: inAll(only(task_type), task_types),
      task_ids,
      createdAfter: msOf(filters.created_after),
      createdBefore: msOf(filters.created_before),
      updatedAfter: msOf(filters.updated_after),
      updatedBefore: msOf(filters.updated_before),
      contextContains: context_contains,
      has_webhook,
    }),
  }
}

function only<T extends string>(one: T | readonly T[] | undefined): readonly T[] | undefined {
  return typeof one === 'string' ? [one] : one
}

/** The values that are in every given list: two names of one filter combine like two filters. */
function inAll(...lists: (readonly string[] | undefined)[]): readonly string[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined)
  return first?.filter((value) => others.every((list) => list.includes(value)))
}

function msOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time)
}

function summaryOf(
  { filters }: ListTasksRequest,
  { sort }: TaskQuery,
  page: TaskPage,
): ListTasksResponse['query_summary'] {
  const applied = Object.entries(filters ?? {}).filter(([, value]) => value !== undefined)
  return {
    total_matching: page.total,
    returned: page.tasks.length,
    domain_breakdown: page.byDomain,
    status_breakdown: page.byStatus,
    filters_applied: applied.map(([name]) => name).filter((name) => FILTERS.has(name)),
    sort_applied: sort,
  }
}

/** Members of `filters` that are read; it may hold others. */
const FILTERS: ReadonlySet<string> = new Set([
  'protocol',
  'protocols',
  'domain',
  'domains',
  'status',
  'statuses',
  'task_type',
  'task_types',
  'task_ids',
  'created_after',
  'created_before',
  'updated_after',
  'updated_before',
  'context_contains',
  'has_webhook',
])

const TIME_FIELDS: readonly TaskSortField[] = ['created_at', 'updated_at']

/** The last task of the page, and the sort order that this position is valid for. */
function cursorAfter({ sort }: TaskQuery, { tasks }: TaskPage): string | undefined {
  const last = tasks.at(-1)
  return last && cursorOf(listOf(sort), [last[sort.field], last.task_id])
}

function readPlace(sort: TaskQuery['sort'], cursor: string | undefined): TaskQuery['after'] {
  const value = TIME_FIELDS.includes(sort.field) ? 'integer' : 'text'
  const place = pageAfter(listOf(sort), cursor, [value, 'text'])
  return place && { value: place[0], task_id: place[1] }
}

function listOf({ field, direction }: TaskQuery['sort']): string {
  return `list_tasks ${field} ${direction}`
}

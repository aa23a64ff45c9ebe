// Tasks of all principals, and what waits for an operator's decision.

import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import { type Approval, type ApprovalStore, decideApproval } from '../media-buys/approvals.ts'
import { askBuyer } from '../media-buys/ask-buyer.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import type { TaskKey, TaskRecord, TaskStore } from '../tasks/store.ts'
import type {
  ApprovalItem,
  ApprovalsPage,
  ApprovalsQuery,
  Task,
  TaskItem,
  TasksPage,
  TasksQuery,
} from './api/tasks.ts'
import { type ActionPorts, act } from './audit.ts'
import { amountOf, iso, isoOf, type PrincipalNames } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import type { ConsoleQueries, ListedTask } from './queries.ts'
import { badCursor, notFound } from './refusal.ts'

export interface TaskPorts extends ActionPorts {
  queries: Pick<ConsoleQueries, 'tasks' | 'taskOwner'>
  tasks: TaskStore
  approvals: ApprovalStore
  names: PrincipalNames
  /** Throws a ProtocolError when it cannot be canceled. */
  cancelTask: (tx: Transaction, key: TaskKey, reason: string | undefined) => Promise<TaskRecord>
}

type TaskRoute =
  | 'listTasks'
  | 'getTask'
  | 'cancelTask'
  | 'listApprovals'
  | 'decideApproval'
  | 'askApproval'

export function taskHandlers(ports: TaskPorts): Handlers<TaskRoute> {
  return {
    listTasks: ({ query }) => listTasks(ports, query),
    getTask: async ({ params }) => showTask(ports, await keyOf(ports, params.task_id)),
    cancelTask: async ({ visitor, params, body }) => {
      const key = await keyOf(ports, params.task_id)
      const { reason } = body
      const action = { visitor, action: 'tasks.cancel', target: key.task_id, detail: reason }
      await act(ports, action, (tx) => ports.cancelTask(tx, key, reason))
      return showTask(ports, key)
    },
    listApprovals: ({ query }) => listApprovals(ports, query),
    decideApproval: async ({ visitor, params, body: { approved, note } }) => {
      const { task_id } = params
      const action = approved ? 'approvals.approve' : 'approvals.reject'
      const by = visitor.principal.principal_id
      const decided = await act(ports, { visitor, action, target: task_id, detail: note }, (tx) =>
        decideApproval(ports, tx, { task_id, approved, note, by }),
      )
      const kept = (await ports.approvals.get(task_id)) ?? decided
      return approvalItemOf(kept, await ports.names(namedIn([kept])))
    },
    askApproval: async ({ visitor, params: { task_id }, body: { question: text } }) => {
      const action = { visitor, action: 'approvals.ask', target: task_id, detail: text }
      const by = visitor.principal.principal_id
      const requested = await act(ports, action, (tx) => askBuyer(ports, tx, { task_id, text, by }))
      return approvalItemOf(requested, await ports.names(namedIn([requested])))
    },
  }
}

async function keyOf({ queries }: TaskPorts, task_id: string): Promise<TaskKey> {
  const owner = await queries.taskOwner(task_id)
  if (owner === undefined) throw notFound(`task ${task_id}`)
  return { owner, task_id }
}

const LIST = 'console.tasks'
const OPEN = ['submitted', 'working', 'input-required'] as const

async function listTasks(
  { queries, names }: TaskPorts,
  { cursor, limit, status, task_type, principal_id: owner, since, until, q }: TasksQuery,
): Promise<TasksPage> {
  const place = cursor === undefined ? undefined : readCursor(LIST, cursor, ['integer', 'text'])
  if (cursor !== undefined && !place) throw badCursor()
  const { rows, hasMore } = await queries.tasks({
    statuses: status === undefined ? undefined : status === 'open' ? OPEN : [status],
    task_type,
    owner,
    limit,
    task_id: q,
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
    after: place && { created_at: place[0], task_id: place[1] },
  })
  const last = rows.at(-1)
  const known = await names(rows.map(({ owner }) => owner))
  return {
    items: rows.map((row) => itemOf(row, known)),
    ...defined({
      next_cursor: hasMore && last ? cursorOf(LIST, [last.created_at, last.task_id]) : undefined,
    }),
  }
}

function itemOf(task: ListedTask, names: ReadonlyMap<string, string>): TaskItem {
  const { task_id, task_type, domain, status, has_webhook, owner } = task
  return {
    task_id,
    task_type,
    domain,
    status,
    has_webhook,
    principal_id: owner,
    created_at: iso(task.created_at),
    updated_at: iso(task.updated_at),
    ...defined({
      principal_name: names.get(owner),
      message: task.message,
      progress_percent: task.progress?.percentage,
      completed_at: isoOf(task.completed_at),
    }),
  }
}

const MAX_RESULT_CHARS = 131_072

async function showTask({ tasks, approvals, names }: TaskPorts, key: TaskKey): Promise<Task> {
  const task = await tasks.get(key)
  if (!task) throw notFound(`task ${key.task_id}`)
  const [history, approval] = await Promise.all([
    tasks.history([key.task_id]),
    approvals.get(key.task_id),
  ])
  const known = await names([task.owner, ...namedIn(approval ? [approval] : [])])
  const { context_id, progress, input_required, errors, result } = task
  return {
    ...itemOf(task, known),
    deadline_at: iso(task.deadline_at),
    tries: task.tries,
    history: (history.get(key.task_id) ?? []).map(({ at, type, data }) => ({
      at: iso(at),
      type,
      data,
    })),
    may: { cancel: !isFinalStatus(task.status), decide: approval?.state === 'waiting' },
    ...defined({
      context_id,
      progress: progress && { ...progress },
      input_required: input_required && { ...input_required },
      errors: errors?.map((error) => ({ ...error })),
      result: result && shortened(result),
      next_step_at: isoOf(task.due_at),
      approval: approval && approvalItemOf(approval, known),
    }),
  }
}

function shortened(result: object): object {
  const { length } = JSON.stringify(result)
  return length <= MAX_RESULT_CHARS ? result : { omitted_characters: length }
}

const APPROVALS = 'console.approvals'

async function listApprovals(
  { approvals, names }: TaskPorts,
  { cursor, limit, state }: ApprovalsQuery,
): Promise<ApprovalsPage> {
  const list = `${APPROVALS}.${state}`
  const place = cursor === undefined ? undefined : readCursor(list, cursor, ['integer', 'text'])
  if (cursor !== undefined && !place) throw badCursor()
  const after = place && { created_at: place[0], task_id: place[1] }
  const found = await approvals.list({ state, limit: limit + 1, after })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const isMore = found.length > limit && last !== undefined
  const known = await names(namedIn(rows))
  return {
    items: rows.map((row) => approvalItemOf(row, known)),
    ...defined({
      next_cursor: isMore ? cursorOf(list, [last.created_at, last.task_id]) : undefined,
    }),
  }
}

/** The principals that request approvals, and those that commented. */
export function namedIn(approvals: readonly Approval[]): string[] {
  return approvals.flatMap(({ owner, talk, first_by, decided_by }) => [
    owner,
    ...[first_by, decided_by].filter((one) => one !== undefined),
    ...talk.map(({ by }) => by),
  ])
}

export function approvalItemOf(
  { owner, requested, talk, note, first_by, first_at, decided_by, ...more }: Approval,
  names: ReadonlyMap<string, string>,
): ApprovalItem {
  const { created_at, decided_at, ...approval } = more
  const nameOf = (id: string | undefined) => (id === undefined ? undefined : names.get(id))
  return {
    ...approval,
    principal_id: owner,
    requested: {
      ...requested,
      total_budget: amountOf(requested.total_budget),
      product_ids: [...requested.product_ids],
    },
    talk: talk.map((remark) => ({
      ...remark,
      by: names.get(remark.by) ?? remark.by,
      at: iso(remark.at),
    })),
    created_at: iso(created_at),
    ...defined({
      principal_name: names.get(owner),
      note,
      decided_by,
      decided_by_name: nameOf(decided_by),
    }),
    ...defined({ first_by, first_by_name: nameOf(first_by), first_at: isoOf(first_at) }),
    ...defined({ decided_at: isoOf(decided_at) }),
  }
}

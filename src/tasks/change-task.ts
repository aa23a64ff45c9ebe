// The only way a task changes (spec 3.2): the transition is checked, and record, history and event are written in
// one transaction. Everything that is not a change of status is postponed instead and not reported.

import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import type { TaskError } from '../protocol/errors.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import type { ReleaseTable } from '../protocol/releases/release-table.ts'
import { RELEASES } from '../protocol/releases/releases.ts'
import { unversioned } from '../protocol/releases/unversioned.ts'
import type { TaskStatus } from '../protocol/schemas/task-status.ts'
import type { TaskProgress } from '../protocol/schemas/webhook-envelope.ts'
import type { TaskEvent, TaskEvents } from './events.ts'
import { mayMove } from './status.ts'
import {
  type HistoryEntry,
  type NewTask,
  TASKS_CANCELED_TOPIC,
  TASKS_DUE_TOPIC,
  TASKS_SETTLED_TOPIC,
  type TaskInput,
  type TaskRecord,
  type TaskStore,
} from './store.ts'

export interface ChangePorts {
  tasks: TaskStore
  events: TaskEvents
  /** Default all that are known. */
  releases?: ReleaseTable | undefined
}

export type TaskChange = { message?: string | undefined } & (
  | { status: 'submitted' | 'canceled' }
  | { status: 'working'; progress?: TaskProgress; interim?: object }
  | { status: 'input-required'; reason: string; errors?: readonly TaskError[] | undefined }
  | { status: 'completed'; result: object }
  | { status: 'failed' | 'rejected'; errors: readonly [TaskError, ...TaskError[]] }
)

/** The state for the next step. Unchanged unless one is given. */
interface NextStep {
  state?: unknown
  input?: TaskInput
  /** Default 0. */
  afterMs?: number
}

export type Changed = { ok: true; task: TaskRecord } | { ok: false; message: string }

interface RequestedChange {
  task: TaskRecord
  change: TaskChange
  next?: NextStep
}

/** Changes a task that was locked or claimed, unless the transition is invalid or the claim has ended. */
export async function changeTask(
  { tasks, events, releases = RELEASES }: ChangePorts,
  tx: Transaction,
  { task, change, next = {} }: RequestedChange,
): Promise<Changed> {
  if (!mayMove(task.status, change.status)) {
    return refused(`a task that is ${task.status} cannot become ${change.status}`)
  }
  const now = await tx.now()
  const inForm = converted(releases, task, change)
  const changed = after(task, inForm, { next, now })
  if (!(await tasks.save(tx, changed))) return refused('the task has changed in the meantime')
  const interim = inForm.status === 'working' ? inForm.interim : undefined
  const result = interim ? { ...resultOf(changed), ...interim } : resultOf(changed)
  await tasks.append(tx, task.task_id, said('response', changed.updated_at, answerOf(changed)))
  // Returned to the queue after an answer: the specification has no webhook for that.
  if (change.status !== 'submitted') await events.changed(tx, eventOf(changed, result))
  await wakeFor(tx, changed, now)
  return { ok: true, task: changed }
}

/** Converts into the form of the call that started the task, whatever form is used for polling. */
function converted(
  releases: ReleaseTable,
  { generation = unversioned.name, task_type }: TaskRecord,
  change: TaskChange,
): TaskChange {
  const version = releases.version(generation)
  const inForm = (error: TaskError) => releases.errorFor(version, error)
  if ('result' in change) {
    return { ...change, result: releases.answerFor(version, task_type, change.result) }
  }
  if (change.status === 'working') {
    const { interim } = change
    if (!interim) return change
    return { ...change, interim: releases.membersFor(version, task_type, interim) }
  }
  if (!('errors' in change) || !change.errors) return change
  if (change.status === 'input-required') return { ...change, errors: change.errors.map(inForm) }
  const [first, ...others] = change.errors
  return { ...change, errors: [inForm(first), ...others.map(inForm)] }
}

function refused(message: string): Changed {
  return { ok: false, message }
}

interface Postponement extends Partial<Pick<TaskRecord, 'state' | 'input' | 'tries'>> {
  task: TaskRecord
  afterMs: number
}

/** Postpones the next step, or repeats the last one, without a change of status. */
export async function postponeTask(
  { tasks }: Pick<ChangePorts, 'tasks'>,
  tx: Transaction,
  { task, afterMs, ...changed }: Postponement,
): Promise<boolean> {
  const now = await tx.now()
  const due_at = dueAt(task, now, afterMs)
  return tasks.save(tx, { ...task, ...changed, due_at })
}

/** Starts a task. Its first status is the response to the request, so it is not reported to anyone else. */
export async function beginTask(
  { tasks }: Pick<ChangePorts, 'tasks'>,
  tx: Transaction,
  task: NewTask,
): Promise<TaskRecord> {
  const begun = await tasks.add(tx, task)
  await tasks.append(tx, task.task_id, said('request', begun.created_at, task.request))
  await tx.wake(TASKS_DUE_TOPIC)
  return begun
}

/** Longest JSON that the history includes: a list displays many of them. */
const MAX_SAID_CHARS = 8_192

export function said(type: HistoryEntry['type'], at: number, data: unknown): HistoryEntry {
  const { length } = JSON.stringify(data)
  return { type, at, data: length <= MAX_SAID_CHARS ? data : { omitted_characters: length } }
}

function after(
  task: TaskRecord,
  change: TaskChange,
  { next, now }: { next: NextStep; now: number },
): TaskRecord {
  const { status } = change
  const hasEnded = isFinalStatus(status)
  // Later than the previous change, even if the clock is not: receivers order by it (spec 6.4).
  const updated_at = Math.max(now, task.updated_at + 1)
  const progress = status === 'working' ? (change.progress ?? task.progress) : task.progress
  return {
    ...task,
    status,
    message: change.message,
    progress: hasEnded ? undefined : progress,
    input_required: status === 'input-required' ? reasonOf(change) : undefined,
    result: status === 'completed' ? change.result : undefined,
    errors: status === 'failed' || status === 'rejected' ? change.errors : undefined,
    state: hasEnded ? undefined : 'state' in next ? next.state : task.state,
    input: next.input,
    tries: 0,
    lost: 0,
    due_at: hasEnded ? undefined : nextDueAt(task, status, { now, afterMs: next.afterMs }),
    updated_at,
    completed_at: hasEnded ? updated_at : undefined,
  }
}

function reasonOf({ reason, errors }: Extract<TaskChange, { reason: string }>) {
  return { reason, ...defined({ errors }) }
}

/** A task that waits for its owner is examined once more: when its time is over. */
function nextDueAt(
  task: TaskRecord,
  status: TaskStatus,
  { now, afterMs = 0 }: { now: number; afterMs: number | undefined },
): number {
  return status === 'input-required' ? task.deadline_at : dueAt(task, now, afterMs)
}

function dueAt(task: TaskRecord, now: number, afterMs: number): number {
  return Math.min(now + Math.max(0, Math.round(afterMs)), task.deadline_at)
}

/** What a webhook carries for the status (spec 3.2). */
function resultOf(task: TaskRecord): object | undefined {
  const { status, result, errors, domain } = task
  if (status === 'completed') return result
  if (status === 'working') return task.progress ?? {}
  if (status === 'input-required') return task.input_required
  const [first] = errors ?? []
  if (!first) return undefined
  // The full response of a creative task that failed also has `error` (spec 7.1).
  const error = { code: first.code, message: first.message }
  return { ...defined({ error: domain === 'creative' ? error : undefined }), errors }
}

/**
 * spec 2.10: the text that people read for a status that carries no further information. Other statuses have their
 * own reason.
 */
const DEFAULT_MESSAGES = new Map<TaskStatus, (taskType: string) => string>([
  ['working', (taskType) => `${taskType} is in progress`],
  ['completed', (taskType) => `${taskType} completed`],
])

function eventOf(task: TaskRecord, result: object | undefined): TaskEvent {
  const { owner, task_id, task_type, domain, status, context, context_id } = task
  const message = task.message ?? DEFAULT_MESSAGES.get(status)?.(task_type)
  return {
    owner,
    task_id,
    task_type,
    domain,
    status,
    at: task.updated_at,
    ...defined({ message, result, context, context_id }),
  }
}

/** For the history: everything but the result, which is stored next to it. */
function answerOf({ status, message, progress, input_required, errors }: TaskRecord): object {
  return {
    status,
    ...defined({
      message,
      progress: status === 'working' && progress ? progress : undefined,
      input_required,
      errors,
    }),
  }
}

async function wakeFor(tx: Transaction, task: TaskRecord, now: number): Promise<void> {
  if (task.status === 'canceled') await tx.wake(TASKS_CANCELED_TOPIC)
  if (task.due_at !== undefined && task.due_at <= now) await tx.wake(TASKS_DUE_TOPIC)
  // Only a caller that does not have the task's id yet can still be waiting for its response.
  const isSettled = task.due_at === undefined || task.status === 'input-required'
  if (isSettled && !task.is_told) await tx.wake(TASKS_SETTLED_TOPIC)
}

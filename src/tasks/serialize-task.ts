// A task as its owner sees it, in the responses of the task-management tasks (spec 3.2).

import { defined } from '../lib/defined.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { GetTaskStatusResponse } from '../protocol/schemas/tasks.ts'
import type { CallContext } from '../protocol/task.ts'
import type { HistoryEntry, TaskKey, TaskRecord, TaskSummary } from './store.ts'

export function serializeSummary(task: TaskSummary) {
  const { task_id, task_type, domain, status, has_webhook, completed_at } = task
  return {
    task_id,
    task_type,
    protocol: domain,
    domain,
    status,
    created_at: isoTime(task.created_at),
    updated_at: isoTime(task.updated_at),
    ...defined({ completed_at: completed_at === undefined ? undefined : isoTime(completed_at) }),
    has_webhook,
  }
}

export interface SerializeOptions {
  /** Default true. */
  withResult?: boolean | undefined
  /** The current state of work in progress. */
  interim?: object | undefined
}

export function serializeTask(
  task: TaskRecord,
  { withResult = true, interim }: SerializeOptions = {},
): GetTaskStatusResponse {
  const { message, progress, input_required, errors } = task
  const result = task.result ?? interim
  const [error] = errors ?? []
  return {
    ...serializeSummary(task),
    ...defined({
      message,
      progress,
      input_required: input_required ? { ...input_required } : undefined,
    }),
    ...(error ? { error: serializeError(error), errors: [...(errors ?? [])] } : {}),
    ...defined({ result: result && withResult ? result : undefined }),
  }
}

function serializeError({ code, message, details }: NonNullable<TaskRecord['errors']>[number]) {
  return { code, message, ...defined({ details }) }
}

export function serializeHistory(entries: readonly HistoryEntry[]) {
  return entries.map(({ at, type, data }) => ({ timestamp: isoTime(at), type, data }))
}

/** The caller's task with this id; only the caller may learn whether it exists. */
export function keyOf({ principal }: CallContext, taskId: string): TaskKey {
  return { owner: ownerOf(principal), task_id: taskId }
}

export function ownerOf(principal: CallContext['principal']): string {
  if (principal) return principal.principal_id
  throw new ProtocolError('AUTH_MISSING', 'tasks require a key: send Authorization: Bearer adw_…')
}

/** The same response for a task that is unknown, deleted or owned by someone else. */
export function notFound(taskId: string): ProtocolError {
  const quotedId = JSON.stringify(taskId.slice(0, 100))
  return new ProtocolError('TASK_NOT_FOUND', `no task ${quotedId} belongs to you`, {
    field: '/task_id',
    suggestion: 'Use a task_id from an earlier response or from list_tasks.',
  })
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

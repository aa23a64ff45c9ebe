// What the answer to a call, a poll and a webhook report about a task, in one form (spec 3.2, 6.1): its status, and
// the answer that the call would have returned if it had waited for the task.

import { defined } from '../lib/defined.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import { type OutcomeFields, outcomeValue, type ValueNames } from '../protocol/one-outcome.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { receivedTaskStatus } from '../protocol/schemas/task-status.ts'
import type { CallFailure, CallResult } from '../transports/client.ts'
import type { ReceivedWebhook } from './options.ts'
import type { UpdateSource } from './outcome.ts'

type Members = Record<string, unknown>

export interface TaskUpdate extends OutcomeFields {
  by: UpdateSource
  taskId: string | undefined
  /** The answer, as far as it is one. */
  body: Members
  message: string | undefined
  progress: Members | undefined
}

export interface UpdateQuery {
  task: string
  names: ValueNames
}

/** Undefined if it reports no task: no response, or a refusal of the call itself. */
export function updateFromResponse(
  result: CallResult,
  { task, names }: UpdateQuery,
  by: UpdateSource = 'answer',
): TaskUpdate | undefined {
  const { body } = result
  if (!body || (!result.ok && result.kind)) return undefined
  const status = textOf(body.status) ?? (result.ok ? result.status : 'failed')
  return {
    by,
    task_type: task,
    status,
    value: outcomeValue(status, body, names),
    taskId: textOf(body.task_id),
    body,
    message: textOf(body.message),
    progress: isFinalStatus(status) ? undefined : body,
  }
}

/**
 * From an answer of `get_task_status`. A refused call has the status `failed` itself: only an answer that names a
 * task is about one, so anything else means that the poll failed.
 */
export function updateFromPoll(
  result: CallResult,
  { task, names }: UpdateQuery,
): TaskUpdate | CallFailure {
  const { body } = result
  if (!body) return result as CallFailure
  const taskId = textOf(body.task_id)
  const status = statusOf(body.status)
  if (taskId === undefined || status === undefined) {
    if (!result.ok) return result
    const message = 'the poll returned something that is not a task'
    return { ok: false, kind: 'invalid-answer', message, body }
  }
  const { context } = body
  const members = membersOf(status, body)
  const message = textOf(body.message)
  return {
    by: 'poll',
    task_type: textOf(body.task_type) ?? task,
    status,
    value: outcomeValue(status, members, names),
    taskId,
    body: { ...members, status, task_id: taskId, ...defined({ message, context }) },
    message,
    progress: isObject(body.progress) ? body.progress : undefined,
  }
}

/** Undefined for a webhook without a task status. */
export function updateFromWebhook(
  { status: said, task_id, payload, data }: ReceivedWebhook,
  { task, names }: UpdateQuery,
): TaskUpdate | undefined {
  const status = statusOf(said)
  if (status === undefined) return undefined
  const { task_type, message, context } = isObject(payload) ? payload : {}
  const members = isObject(data) ? data : {}
  const words = textOf(message)
  return {
    by: 'webhook',
    task_type: textOf(task_type) ?? task,
    status,
    value: outcomeValue(status, members, names),
    taskId: task_id,
    body: {
      ...members,
      status,
      ...defined({ task_id, message: words, context: isObject(context) ? context : undefined }),
    },
    message: words,
    progress: isFinalStatus(status) ? undefined : members,
  }
}

/** The members of the answer itself, from a task's record. */
function membersOf(status: string, { result, error, errors, input_required }: Members): Members {
  const members = isObject(result) ? result : {}
  if (status === 'completed') return members
  if (!isFinalStatus(status)) {
    return { ...members, ...(isObject(input_required) ? input_required : {}) }
  }
  const listed = Array.isArray(errors) ? errors : isObject(error) ? [error] : undefined
  return { ...members, ...defined({ errors: listed ? (members.errors ?? listed) : undefined }) }
}

function statusOf(value: unknown): string | undefined {
  const known = receivedTaskStatus.safeParse(value)
  return known.success ? known.data : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

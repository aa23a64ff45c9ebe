// Getting a task again and cancelling it (spec 3.2). Another caller's task is indistinguishable from one that never
// existed.

import { failedAnswer, refusedAnswer } from '../../agent/answer.ts'
import { defined } from '../../lib/defined.ts'
import { tryJsonObject } from '../../lib/try-json.ts'
import { stringifyKeeping } from '../../lib/verbatim-json.ts'
import { taskError } from '../../protocol/errors.ts'
import { isFinalStatus } from '../../protocol/final-status.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { A2aContext, Method, MethodAnswer, MethodCall } from './ports.ts'
import { a2aError, TASK_NOT_CANCELABLE, TASK_NOT_FOUND, taskJson } from './shapes.ts'
import { A2A_STATES, type A2aTask } from './store.ts'

/** Longer than the longest call: a task still running then was lost with its instance. */
const LOST_AFTER_MS = 60_000

export const getTask: Method = async (context, call) => {
  const task = await ownTask(context, call, call.params?.id)
  if (!task) return notFound()
  const json = taskJson(await asItStands(context, call, task), call.generation)
  const full = call.source.reserve?.(json.length)
  return full
    ? { ok: false, refused: refusedAnswer(full, context.identifiers) }
    : { ok: true, json }
}

export const cancelTask: Method = async (context, call) => {
  const task = await ownTask(context, call, call.params?.id)
  if (!task) return notFound()
  if (isFinalStatus((await asItStands(context, call, task)).state)) return notCancelable()
  const isCancelled =
    task.body === undefined
      ? await cancelRunning(context, task)
      : await cancelAccepted(context, call, task)
  if (!isCancelled) return notCancelable()
  const returned = (await ownTask(context, call, task.taskId)) ?? task
  return { ok: true, json: taskJson(await asItStands(context, call, returned), call.generation) }
}

/** Work accepted for later is a task of the protocol: its state is read there. */
export async function asItStands(
  context: A2aContext,
  { source }: MethodCall,
  task: A2aTask,
): Promise<A2aTask> {
  if (task.body === undefined) return orLost(context, task)
  if (isFinalStatus(task.state)) return task
  const task_id = workOf(task)
  const answer = await context.agent.call({
    task: 'get_task_status',
    arguments: { task_id },
    transport: 'a2a',
    ...source,
  })
  if (!answer?.ok) return task
  const { body } = answer
  return {
    ...task,
    state: A2A_STATES.find((state) => state === body.status) ?? task.state,
    body: stringifyKeeping(serializeBody(body, task_id), 'context'),
    updatedAt: Date.parse(String(body.updated_at)) || task.updatedAt,
  }
}

/**
 * The protocol's task behind it. If a call repeats another one with the same key, this is the task of the original
 * call.
 */
export function workOf({ taskId, body }: Pick<A2aTask, 'taskId' | 'body'>): string {
  const named = body === undefined ? undefined : tryJsonObject(body)?.task_id
  return typeof named === 'string' ? named : taskId
}

/** The answer that the call would have returned to a waiting caller. */
function serializeBody(
  body: Readonly<Record<string, unknown>>,
  task_id: string,
): Readonly<Record<string, unknown>> {
  const { status, message, result, error, progress, input_required, context } = body
  const reported = { message, context }
  if (status === 'completed' && isObject(result)) return { status, task_id, ...reported, ...result }
  const errors = (isObject(result) ? result.errors : undefined) ?? body.errors
  if (status === 'failed') return { status, task_id, ...reported, errors: errors ?? [error] }
  if (status === 'rejected') return { status, task_id, ...reported, ...defined({ errors }) }
  const interim = isObject(progress) ? progress : {}
  return {
    status,
    task_id,
    ...reported,
    ...interim,
    ...(isObject(input_required) ? input_required : {}),
  }
}

export async function ownTask(
  { tasks }: Pick<A2aContext, 'tasks'>,
  { owner }: Pick<MethodCall, 'owner'>,
  taskId: unknown,
): Promise<A2aTask | undefined> {
  if (owner === undefined || typeof taskId !== 'string') return undefined
  return tasks.get(owner, taskId)
}

/** The outcome is stored first, so that the call's response is too late on whichever instance it runs. */
async function cancelRunning(
  { transact, tasks, running, cancelWork }: A2aContext,
  task: A2aTask,
): Promise<boolean> {
  const isFirst = await transact((tx) =>
    tasks.settle(tx, task, { state: 'canceled', body: undefined }),
  )
  if (!isFirst) return false
  running.get(task.taskId)?.cancel.abort()
  await cancelWork?.({ owner: task.owner, task_id: task.taskId })
  return true
}

/** Work accepted for later is a task of the protocol, and is cancelled as one. */
async function cancelAccepted(
  { agent }: A2aContext,
  { source }: MethodCall,
  task: A2aTask,
): Promise<boolean> {
  const task_id = workOf(task)
  const request = { task: 'cancel_task', arguments: { task_id }, transport: 'a2a' as const }
  return (await agent.call({ ...request, ...source }))?.ok ?? false
}

function orLost({ clock, timeoutMs, identifiers }: A2aContext, task: A2aTask): A2aTask {
  const isRunning = task.state === 'working' && task.body === undefined
  if (!isRunning || clock.now() < task.updatedAt + timeoutMs + LOST_AFTER_MS) return task
  const message = 'the server stopped while the task was running: send the message again'
  const error = taskError('SERVICE_UNAVAILABLE', message, { retry_after: 5 })
  const answer = failedAnswer([error], identifiers)
  return { ...task, state: 'failed', body: answer.json() }
}

export function notFound(): MethodAnswer {
  return { ok: false, error: a2aError(TASK_NOT_FOUND, 'Task not found') }
}

function notCancelable(): MethodAnswer {
  return { ok: false, error: a2aError(TASK_NOT_CANCELABLE, 'Task cannot be canceled') }
}

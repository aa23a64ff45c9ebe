// Lets the caller provide the input that a task requests, and passes it on under the identity that the transport gave
// the task (spec 3.2: input-required is waiting for approval or clarification).

import { randomUUID } from 'node:crypto'
import { canonicalJson } from '../lib/canonical-json.ts'
import { defined } from '../lib/defined.ts'
import type { CallFailure, NativeTask, TaskClient } from '../transports/client.ts'
import type { FoundTransport } from './find-transport.ts'
import type { CallOptions } from './options.ts'
import type { TaskUpdate } from './task-update.ts'

export interface Answering {
  connect(signal: AbortSignal): Promise<FoundTransport | CallFailure>
  task: string
  /** The original request, for transports that send it again in full with further input. */
  request: Record<string, unknown>
  /** The task's id in the protocol and its transport's id for it, as far as they are known. */
  taskId: string | undefined
  native: NativeTask | undefined
  options: CallOptions
}

export type Answered =
  | { kind: 'goes-on' }
  | { kind: 'asks'; update: TaskUpdate }
  | { kind: 'failed'; failure: CallFailure }

const INPUT_TASK = 'provide_task_input'
const GOES_ON: Answered = { kind: 'goes-on' }
/** The last request for input of each call, so that a poll that repeats it does not trigger the callback again. */
const lastRequested = new WeakMap<object, string>()

export async function answerInput(
  answering: Answering,
  update: TaskUpdate,
  over: AbortSignal,
): Promise<Answered> {
  const { task, options } = answering
  const { status, body, message } = update
  if (status === 'auth-required') return { kind: 'failed', failure: wantsKey(body) }
  if (status !== 'input-required') return GOES_ON
  const question = canonicalJson(body)
  if (lastRequested.get(answering) === question) return GOES_ON
  lastRequested.set(answering, question)

  const taskId = update.taskId ?? answering.taskId
  const reason = typeof body.reason === 'string' ? body.reason : undefined
  const requested = { task, body, ...defined({ taskId, reason, message }) }
  const given = await unlessOver(options.onInputRequired?.(requested), over)
  if (over.aborted || given === 'wait') return GOES_ON
  if (given === undefined) return { kind: 'asks', update }
  return handOn(answering, given, { taskId, signal: over })
}

async function handOn(
  { connect, task, request, native }: Answering,
  given: Record<string, unknown>,
  { taskId, signal }: { taskId: string | undefined; signal: AbortSignal },
): Promise<Answered> {
  const at = await connect(signal)
  if (!at.ok) return { kind: 'failed', failure: at }
  const { client } = at
  const way = { signal, ...defined({ native }) }
  const hasOwnWay = native !== undefined && !(await lists(client, INPUT_TASK, signal))
  if (!hasOwnWay && taskId === undefined) return { kind: 'failed', failure: unnamed() }
  const result = hasOwnWay
    ? await client.call(task, { ...request, ...given }, way)
    : await client.call(INPUT_TASK, inputRequest(taskId as string, given), way)
  // The next poll returns the current state of the task.
  if (result.ok || signal.aborted || typeof result.body?.task_id === 'string') return GOES_ON
  return { kind: 'failed', failure: result }
}

const INPUT_MEMBERS = ['input', 'message', 'approved']

/** The caller's value is the input itself, unless it already has the layout that the task requires. */
function inputRequest(task_id: string, given: Record<string, unknown>): Record<string, unknown> {
  const members = Object.keys(given)
  const isLaidOut = members.length > 0 && members.every((name) => INPUT_MEMBERS.includes(name))
  return { task_id, idempotency_key: randomUUID(), ...(isLaidOut ? given : { input: given }) }
}

/** Whether the agent lists a task; queried only over a transport that has an alternative. */
export async function lists(
  client: TaskClient,
  name: string,
  signal: AbortSignal,
): Promise<boolean> {
  const listed = await client.listTasks({ signal })
  return !listed.ok || listed.isCut === true || listed.tasks.some((one) => one.name === name)
}

function unlessOver<T>(work: Promise<T> | undefined, over: AbortSignal): Promise<T | undefined> {
  if (!work || over.aborted) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined)
    over.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => over.removeEventListener('abort', stop))
  })
}

function wantsKey(body: Record<string, unknown>): CallFailure {
  const message = 'the task waits for credentials, which the agent accepts outside of the protocol'
  return { ok: false, code: 'AUTH_MISSING', message, body }
}

function unnamed(): CallFailure {
  const message = 'the task needs input but has no task_id to send it to'
  return { ok: false, kind: 'unsupported', message }
}

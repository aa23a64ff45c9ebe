// What is done with --write, once for all checks that use it: a call that gets an inline response, a task with
// webhooks that is requested twice and in two ways with one key, and a task whose first webhook is rejected. Nothing
// here is bought, activated or added to a library.

import { randomUUID } from 'node:crypto'
import { isFinalStatus } from '../../protocol/final-status.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { CallResult } from '../../transports/client.ts'
import { quotedValue } from '../check.ts'
import { isLoopback } from '../egress-clients.ts'
import { type AgentContext, CONTEXT } from './context.ts'
import { anyFormat } from './formats.ts'
import { type Caught, type OwnReceiver, openOwnReceiver } from './own-receiver.ts'

interface Operation {
  operationId: string
  token: string
  request: Record<string, unknown>
  answer: CallResult
  taskId: string | undefined
  /** Undefined if the agent cannot reach this process. */
  caught: readonly Caught[]
}

export type TrialRun =
  | {
      ok: true
      task: string
      /** Why webhooks cannot be checked. */
      unreached: string | undefined
      plain: Operation
      /** The same request again, and a different one with the same key. */
      replay: CallResult
      conflict: CallResult
      turnedAway: Operation
      /** For a task with an immediate response; undefined if the agent has none. */
      inline: Operation | undefined
    }
  | { ok: false; reason: string }

export function trialRun(context: AgentContext): Promise<TrialRun> {
  return context.once('rehearsal', () => rehearse(context))
}

async function rehearse(context: AgentContext): Promise<TrialRun> {
  if (context.key === undefined) return { ok: false, reason: 'it takes a key: give --auth' }
  const work = await workOf(context)
  if (!work)
    return {
      ok: false,
      reason: 'the agent has neither build_creative nor a task that costs nothing and takes time',
    }
  const receiver = await receiverOf(context)
  const unreached = receiver
    ? undefined
    : 'the agent cannot reach this machine: give --receiver-base-url'
  const begin = (task: string, request: Record<string, unknown>, name: string) =>
    beginOperation(context, { receiver, task, request, name })

  const tasks = await context.tasks()
  const inline = tasks.has('list_creative_formats')
    ? await begin('list_creative_formats', {}, 'inline')
    : undefined
  const plain = await begin(work.task, work.request, 'plain')
  const replay = await context.call(work.task, plain.request)
  const conflict = await context.call(work.task, { ...plain.request, ...work.other })
  receiver?.failFirst('turned-away')
  const turnedAway = await begin(work.task, work.request, 'turned-away')
  if (receiver) await waitForAll(receiver, context, [plain, turnedAway])
  return { ok: true, task: work.task, unreached, plain, replay, conflict, turnedAway, inline }
}

interface Work {
  task: string
  request: Record<string, unknown>
  /** What makes another request of it. */
  other: Record<string, unknown>
}

/** A task that takes time, costs nothing and leaves nothing that is used. */
async function workOf(context: AgentContext): Promise<Work | undefined> {
  const tasks = await context.tasks()
  if (tasks.has('simulate_task')) {
    const request = { duration_seconds: 0.5, steps: 2 }
    return { task: 'simulate_task', request, other: { steps: 3 } }
  }
  const format = tasks.has('build_creative') ? await anyFormat(context) : undefined
  if (!format) return undefined
  const request = {
    message: 'A banner that says: All is well.',
    target_format_id: format.format_id,
  }
  return { task: 'build_creative', request, other: { message: 'A banner that says: Good night.' } }
}

async function receiverOf(context: AgentContext): Promise<OwnReceiver | undefined> {
  const { base, receiverBaseUrl: baseUrl, receiverListen } = context
  if (baseUrl === undefined && !isLoopback(base)) return undefined
  const { host, port } = receiverListen ?? { host: '127.0.0.1', port: 0 }
  const receiver = await openOwnReceiver({ host, port, baseUrl })
  context.onClose(() => receiver.close())
  return receiver
}

interface Begin {
  receiver: OwnReceiver | undefined
  task: string
  request: Record<string, unknown>
  name: string
}

async function beginOperation(
  context: AgentContext,
  { receiver, task, request, name }: Begin,
): Promise<Operation> {
  const operationId = `doctor:${name}:${randomUUID()}`
  const token = randomUUID()
  const config = receiver && { url: receiver.urlFor(name), operation_id: operationId, token }
  const sent = {
    ...request,
    context: CONTEXT,
    idempotency_key: randomUUID(),
    ...(config ? { push_notification_config: config } : {}),
  }
  const answer = await context.call(task, sent)
  const taskId = answer.body?.task_id
  return {
    operationId,
    token,
    request: sent,
    answer,
    taskId: typeof taskId === 'string' ? taskId : undefined,
    caught: receiver?.caught(name) ?? [],
  }
}

/** An additional wait, during which unwanted webhooks would arrive. */
const GRACE_MS = 700

async function waitForAll(
  receiver: OwnReceiver,
  { webhookWaitMs }: AgentContext,
  operations: readonly Operation[],
): Promise<void> {
  const until = Date.now() + webhookWaitMs
  const isOver = (operation: Operation) =>
    !isAsync(operation.answer) || (hasEnded(operation.caught) && isRetried(operation.caught))
  while (Date.now() < until && !operations.every(isOver)) {
    await receiver.news(Math.max(1, until - Date.now()))
  }
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS))
}

export function isAsync(answer: CallResult): boolean {
  return answer.ok && (answer.status === 'submitted' || answer.status === 'working')
}

export function hasEnded(caught: readonly Caught[]): boolean {
  return caught.some(({ body, answered }) => answered === 200 && isFinalStatus(statusOf(body)))
}

export function statusOf(body: Caught['body']): string {
  const status = body?.status
  if (typeof status === 'string') return status
  return isObject(status) ? String(status.state) : ''
}

/** Whether each rejected webhook was sent again: with its key, or with the same content. */
export function isRetried(caught: readonly Caught[]): boolean {
  return caught.every((one, at) => {
    if (one.answered === 200) return true
    return caught.slice(at + 1).some((later) => isSameNews(one, later))
  })
}

export function hasSameKey(one: Caught, other: Caught): boolean {
  const key = one.body?.idempotency_key
  return key !== undefined && key === other.body?.idempotency_key
}

/** With one key, or about the same change. */
export function isSameNews(one: Caught, other: Caught): boolean {
  if (hasSameKey(one, other)) return true
  const said = ({ body }: Caught) => `${statusOf(body)} ${quotedValue(body?.timestamp)}`
  return one.body !== undefined && said(one) === said(other)
}

// `SendMessage` and `message/send` (spec 4.2): a message becomes the call of a task, its answer an A2A
// task. Who does not wait is told the task's id at once; the call goes on and its outcome is stored.

import { randomUUID } from 'node:crypto'
import { type Answer, echoOf, failedAnswer } from '../../agent/answer.ts'
import { type TaskError, taskError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { lacksKey } from '../call-source.ts'
import { RPC_INVALID_PARAMS } from '../json-rpc.ts'
import type { A2aContext, MethodAnswer, MethodCall } from './ports.ts'
import { readMessage, type SentMessage } from './read-message.ts'
import { a2aError, TASK_NOT_FOUND, taskJson, UNSUPPORTED_OPERATION } from './shapes.ts'
import { A2A_TTL_MS, type A2aState, type A2aTask } from './store.ts'
import { asItStands, ownTask } from './task-methods.ts'

/** An answer that changed nothing is asked for again soon or never, and may be large. */
const READ_TTL_MS = 10 * 60 * 1_000
const SHOWN_NAME_CHARS = 100
/** What a further message to a task is taken as. */
const INPUT_SKILL = 'provide_task_input'

export async function sendMessage(context: A2aContext, call: MethodCall): Promise<MethodAnswer> {
  const read = readMessage(call.params)
  if (!read.ok) return refuse(RPC_INVALID_PARAMS, `Invalid params: ${read.fault}`)
  const { message } = read
  if (message.taskId !== undefined) return goOn(context, call, message, message.taskId)

  const push = message.push === undefined ? undefined : context.push.read(message.push)
  if (push?.ok === false) return refuse(RPC_INVALID_PARAMS, `Invalid params: ${push.fault}`)
  const task: NewTask = {
    taskId: randomUUID(),
    contextId: message.contextId ?? randomUUID(),
    skill: message.call?.skill.slice(0, SHOWN_NAME_CHARS) ?? 'none',
    hasWebhook: false,
  }
  const { owner } = call
  const entry = context.agent.tasks.find(message.call?.skill ?? '')
  if (push && owner === undefined && entry?.task.access === 'public') {
    return refuse(RPC_INVALID_PARAMS, 'Invalid params: a push notification config needs a key')
  }
  if (owner === undefined || !entry) return answerNow(context, call, message, task)
  if (push?.ok) {
    const at = { owner, taskId: task.taskId, generation: call.generation }
    const kept = await context.push.register(at, push.push)
    if ('fault' in kept) return refuse(RPC_INVALID_PARAMS, `Invalid params: ${kept.fault}`)
    task.hasWebhook = true
  }
  return message.waits
    ? answerNow(context, call, message, task)
    : answerLater(context, call, message, task)
}

interface NewTask extends Pick<A2aTask, 'taskId' | 'contextId' | 'skill'> {
  hasWebhook: boolean
}

/** Waits for the answer. Without a key there is nobody a task could be kept for. */
async function answerNow(
  context: A2aContext,
  { generation, owner, source }: MethodCall,
  message: SentMessage,
  task: NewTask,
): Promise<MethodAnswer> {
  const answer = await callSkill(context, message, source, task)
  const { hasWebhook: _hasWebhook, ...shown } = task
  const outcome = { ...shown, state: stateOf(answer), body: answer.json() }
  const isKept = owner !== undefined && !source.signal.aborted && isWorthKeeping(answer)
  const kept = isKept
    ? await context.transact((tx) =>
        context.tasks.add(tx, { ...outcome, owner }, ttlOf(context, answer, task)),
      )
    : { ...outcome, owner: '', updatedAt: context.clock.now() }
  return { ok: true, json: sentTask(kept, generation), lacksKey: lacksKey(answer) }
}

async function answerLater(
  context: A2aContext,
  { generation, owner = '', source }: MethodCall,
  message: SentMessage,
  task: NewTask,
): Promise<MethodAnswer> {
  const cancel = new AbortController()
  const { hasWebhook: _hasWebhook, ...shown } = task
  const kept = await context.transact((tx) =>
    context.tasks.add(tx, { ...shown, owner, state: 'working', body: undefined }, A2A_TTL_MS),
  )
  const ended = settleLater(context, { owner, taskId: task.taskId }, () =>
    callSkill(context, message, { ...source, signal: cancel.signal }, task),
  )
  context.running.set(task.taskId, { cancel, ended })
  return { ok: true, json: sentTask(kept, generation) }
}

/** A cancellation that came first stays: the store settles a task once. */
async function settleLater(
  { transact, tasks, running, onFault }: A2aContext,
  key: Pick<A2aTask, 'owner' | 'taskId'>,
  run: () => Promise<Answer>,
): Promise<void> {
  try {
    const answer = await run()
    const outcome = { state: stateOf(answer), body: answer.json() }
    await transact((tx) => tasks.settle(tx, key, outcome))
  } catch (error) {
    onFault(error)
  } finally {
    running.delete(key.taskId)
  }
}

async function callSkill(
  { agent, identifiers }: A2aContext,
  { call }: SentMessage,
  source: MethodCall['source'],
  { taskId, contextId, hasWebhook }: NewTask,
): Promise<Answer> {
  const deferred = { task_id: taskId, hasWebhook, context_id: contextId }
  const answer = call
    ? await agent.call({
        task: call.skill,
        arguments: call.arguments,
        wire: 'a2a',
        deferred,
        ...source,
      })
    : undefined
  if (answer) return answer
  const fault = call
    ? `there is no skill ${JSON.stringify(call.skill.slice(0, SHOWN_NAME_CHARS))}`
    : 'no part of the message can be called: send a data part {"skill": …, "parameters": {…}}'
  const skills = agent.tasks.entries.map(({ name }) => name).join(', ')
  const error = taskError('INVALID_REQUEST', `${fault}; the skills are ${skills}`)
  return failedAnswer([error], echoOf(call?.arguments), identifiers, undefined)
}

/** A further message answers what the task waits for; a task that waits for nothing takes none. */
async function goOn(
  context: A2aContext,
  call: MethodCall,
  { call: named, text, data }: SentMessage,
  taskId: string,
): Promise<MethodAnswer> {
  const { agent, clock } = context
  const found = await ownTask(context, call, taskId)
  if (!found) return refuse(TASK_NOT_FOUND, 'Task not found')
  if (named && named.skill !== INPUT_SKILL) {
    const how = `send the answer as text or data, or the skill ${INPUT_SKILL}`
    return refuse(UNSUPPORTED_OPERATION, `a further message answers what a task waits for: ${how}`)
  }
  const given = isObject(named?.arguments)
    ? named.arguments
    : { ...(text === undefined ? {} : { message: text }), ...(data ? { input: data } : {}) }
  const answer = await agent.call({
    task: INPUT_SKILL,
    arguments: { ...given, task_id: taskId },
    wire: 'a2a',
    ...call.source,
  })
  if (!answer?.ok) {
    const why = answer ? String((answer.body.errors as TaskError[])[0]?.message) : 'it has ended'
    return refuse(UNSUPPORTED_OPERATION, `the task takes no further message: ${why}`)
  }
  const shown = { ...(await asItStands(context, call, found)), updatedAt: clock.now() }
  return { ok: true, json: sentTask(shown, call.generation) }
}

function stateOf(answer: Answer): A2aState {
  return answer.ok ? answer.callStatus : 'failed'
}

/** What only says that nothing was looked at is not kept: it would be a way to fill the database. */
function isWorthKeeping(answer: Answer): boolean {
  return answer.ok || !(lacksKey(answer) || answer.code === 'RATE_LIMITED')
}

function ttlOf({ agent }: A2aContext, answer: Answer, { skill }: NewTask): number {
  const changes = agent.tasks.find(skill)?.task.changes ?? false
  const isAccepted = answer.ok && answer.callStatus !== 'completed'
  return changes || isAccepted ? A2A_TTL_MS : READ_TTL_MS
}

/** 1.0 says which of a task and a message it is. */
function sentTask(task: A2aTask, generation: MethodCall['generation']): string {
  const json = taskJson(task, generation)
  return generation === '1.0' ? `{"task":${json}}` : json
}

function refuse(code: number, message: string): MethodAnswer {
  return { ok: false, error: a2aError(code, message) }
}

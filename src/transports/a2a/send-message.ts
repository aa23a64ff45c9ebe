// `SendMessage` and `message/send` (spec 4.2): a message becomes the call of a task, its answer an A2A
// task. Who does not wait is told the task's id at once; the call goes on and its outcome is stored.

import { randomUUID } from 'node:crypto'
import { type Answer, echoOf, failedAnswer } from '../../agent/answer.ts'
import type { TableEntry } from '../../agent/task-table.ts'
import { unknownTask } from '../../agent/unknown-task.ts'
import { defined } from '../../lib/defined.ts'
import { type TaskError, taskError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { lacksKey } from '../call-source.ts'
import { RPC_INVALID_PARAMS } from '../rpc-error.ts'
import { keptBody, mayKeep, settledAs, stateOf, tooManyTasks } from './keep-answer.ts'
import type { A2aContext, MethodAnswer, MethodCall } from './ports.ts'
import { readMessage, type SentMessage } from './read-message.ts'
import { a2aError, TASK_NOT_FOUND, taskJson, UNSUPPORTED_OPERATION } from './shapes.ts'
import { A2A_TTL_MS, type A2aTask } from './store.ts'
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
  // What cannot be called is nothing to keep.
  if (owner === undefined || !entry) {
    return answerNow(context, { ...call, owner: undefined }, message, task)
  }
  const register = async (): Promise<MethodAnswer | undefined> => {
    if (push?.ok) {
      const at = { owner, taskId: task.taskId, generation: call.generation }
      const kept = await context.push.register(at, push.push)
      if ('fault' in kept) return refuse(RPC_INVALID_PARAMS, `Invalid params: ${kept.fault}`)
      task.hasWebhook = true
    }
    return undefined
  }
  if (message.waits) return (await register()) ?? answerNow(context, call, message, task)
  // Taken before anything is waited for, so that many at once do not slip in together.
  if (context.unawaited.take(owner) !== 'taken') return tooManyTasks(context)
  let hasBegun = false
  try {
    if (!(await context.kept.hasRoom(owner, 0))) return tooManyTasks(context)
    const refused = await register()
    if (refused) return refused
    const kept = await keepRunning(context, owner, task)
    hasBegun = true
    begin(context, { ...call, owner }, message, task)
    return { ok: true, json: sentTask(kept, call.generation) }
  } finally {
    if (!hasBegun) context.unawaited.give(owner)
  }
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
  const body = keptBody(answer)
  const isKept =
    owner !== undefined && !source.signal.aborted && (await mayKeep(context, owner, answer, body))
  const { updatedAt } = isKept
    ? await context.transact((tx) =>
        context.tasks.add(tx, { ...outcome, body, owner }, ttlOf(context, answer, task)),
      )
    : { updatedAt: context.clock.now() }
  const json = sentTask({ ...outcome, owner: owner ?? '', updatedAt }, generation)
  return { ok: true, json, lacksKey: lacksKey(answer) }
}

function keepRunning(context: A2aContext, owner: string, task: NewTask): Promise<A2aTask> {
  const { hasWebhook: _hasWebhook, ...shown } = task
  return context.transact((tx) =>
    context.tasks.add(tx, { ...shown, owner, state: 'working', body: undefined }, A2A_TTL_MS),
  )
}

/** Begins a call that nobody waits for; its share is given back when it ends. */
function begin(
  context: A2aContext,
  { owner, source }: MethodCall & { owner: string },
  message: SentMessage,
  task: NewTask,
): void {
  const cancel = new AbortController()
  const ended = settleLater(context, { owner, taskId: task.taskId }, () =>
    callSkill(context, message, { ...source, signal: cancel.signal }, task),
  )
  context.running.set(task.taskId, { cancel, ended })
}

/** A cancellation that came first stays: the store settles a task once. */
async function settleLater(
  { transact, tasks, running, unawaited, identifiers, onFault }: A2aContext,
  key: Pick<A2aTask, 'owner' | 'taskId'>,
  run: () => Promise<Answer>,
): Promise<void> {
  try {
    const answer = await run()
    await transact((tx) => tasks.settle(tx, key, settledAs(answer, identifiers)))
  } catch (error) {
    onFault(error)
  } finally {
    running.delete(key.taskId)
    unawaited.give(key.owner)
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
  const known = agent.tasks.knownTo(source.admitted.principal)
  const error = call ? unknownTask(known, call.skill, 'skill') : noCall(known)
  return failedAnswer([error], echoOf(call?.arguments), identifiers, undefined)
}

function noCall(known: readonly TableEntry[]): TaskError {
  const skills = known.map(({ name }) => name).join(', ')
  const message = `no part of the message can be called; the skills are ${skills}`
  const suggestion = 'Send a data part {"skill": …, "parameters": {…}}.'
  return taskError('INVALID_REQUEST', message, { suggestion })
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
    : defined({ message: text, input: data ? data : undefined })
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

// `SendMessage` and `message/send` (spec 4.2): a message becomes the call of a task, its response an A2A task. A
// caller that does not wait gets the task's id at once; the call continues and its outcome is stored.

import { randomUUID } from 'node:crypto'
import { type Answer, echoOf, failedAnswer } from '../../agent/answer.ts'
import type { TableEntry } from '../../agent/task-table.ts'
import { unknownTask } from '../../agent/unknown-task.ts'
import { type TaskError, taskError } from '../../protocol/errors.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import { lacksKey } from '../call-source.ts'
import { RPC_INVALID_PARAMS } from '../rpc-error.ts'
import { goOn } from './go-on.ts'
import { keptBody, mayKeep, settledAs, tooManyTasks } from './keep-answer.ts'
import type { A2aContext, MethodAnswer, MethodCall } from './ports.ts'
import { type ReadInvocation, readInvocation } from './profile.ts'
import { readMessage, type SentMessage } from './read-message.ts'
import { a2aError, taskJson } from './shapes.ts'
import { A2A_TTL_MS, type A2aTask } from './store.ts'
import { a2aStateOf, type StateSubject, stateSubjectOf } from './task-state.ts'

/** For a response that changed nothing: it is requested again soon or never, and may be large. */
const READ_TTL_MS = 10 * 60 * 1_000
const SHOWN_NAME_CHARS = 100

export async function sendMessage(context: A2aContext, call: MethodCall): Promise<MethodAnswer> {
  const read = readSent(context, call)
  if (!read.ok) return refuse(read.code, `Invalid params: ${read.fault}`)
  const { message } = read
  const { taskId } = message
  if (taskId === undefined) return callAgain(context, call, message)
  const on = await goOn(context, call, { ...message, taskId })
  if (on.kind === 'refused') return on.answer
  if (on.kind === 'task') return { ok: true, json: sentTask(on.task, call.generation) }
  return callAgain(context, call, { ...message, contextId: on.contextId })
}

/** With the profile, a message that calls nothing callable is invalid; otherwise the error is in the response. */
function readSent(
  { agent }: A2aContext,
  { isProfile, params, source }: MethodCall,
): ReadInvocation {
  if (!isProfile) {
    const read = readMessage(params)
    return read.ok ? read : { ...read, code: RPC_INVALID_PARAMS }
  }
  const read = readInvocation(params)
  const skill = read.ok ? read.message.call?.skill : undefined
  if (skill === undefined || agent.tasks.find(skill)) return read
  const { message } = unknownTask(agent.tasks.knownTo(source.admitted.principal), skill, 'skill')
  return { ok: false, code: RPC_INVALID_PARAMS, fault: message }
}

async function callAgain(
  context: A2aContext,
  call: MethodCall,
  message: SentMessage,
): Promise<MethodAnswer> {
  const push = message.push === undefined ? undefined : context.push.read(message.push)
  if (push?.ok === false) return refuse(RPC_INVALID_PARAMS, `Invalid params: ${push.fault}`)
  const { owner, isProfile } = call
  const task: NewTask = {
    message,
    returned: {
      taskId: randomUUID(),
      contextId: message.contextId ?? randomUUID(),
      skill: message.call?.skill.slice(0, SHOWN_NAME_CHARS) ?? 'none',
    },
    reports: stateSubjectOf({ isProfile, request: message.call?.arguments }, context.identifiers),
    hasWebhook: false,
  }
  const entry = context.agent.tasks.find(message.call?.skill ?? '')
  if (push && owner === undefined && entry?.task.access === 'public') {
    return refuse(RPC_INVALID_PARAMS, 'Invalid params: a push notification config needs a key')
  }
  // A message that cannot be called is not stored.
  if (owner === undefined || !entry) {
    return answerNow(context, { ...call, owner: undefined }, task)
  }
  const register = async (): Promise<MethodAnswer | undefined> => {
    if (push?.ok) {
      const at = { owner, taskId: task.returned.taskId, generation: call.generation }
      const kept = await context.push.register(at, push.push)
      if ('fault' in kept) return refuse(RPC_INVALID_PARAMS, `Invalid params: ${kept.fault}`)
      task.hasWebhook = true
    }
    return undefined
  }
  if (message.waits) return (await register()) ?? answerNow(context, call, task)
  // Reserved before the first await, so that concurrent requests cannot exceed the limit together.
  if (context.unawaited.take(owner) !== 'taken') return tooManyTasks(context)
  let hasBegun = false
  try {
    if (!(await context.kept.hasRoom(owner, 0))) return tooManyTasks(context)
    const refused = await register()
    if (refused) return refused
    const kept = await keepRunning(context, owner, task)
    hasBegun = true
    begin(context, { ...call, owner }, task)
    return { ok: true, json: sentTask(kept, call.generation) }
  } finally {
    if (!hasBegun) context.unawaited.give(owner)
  }
}

interface NewTask {
  /** The message that calls it. */
  message: SentMessage
  returned: Pick<A2aTask, 'taskId' | 'contextId' | 'skill'>
  reports: StateSubject
  hasWebhook: boolean
}

/** Waits for the answer. Without a key there is no owner to store a task for. */
async function answerNow(
  context: A2aContext,
  { generation, isProfile, owner, source }: MethodCall,
  task: NewTask,
): Promise<MethodAnswer> {
  const answer = await callSkill(context, source, task)
  const state = isCallable(context, task.message) ? a2aStateOf(answer, task.reports) : 'failed'
  const outcome = { ...task.returned, state, body: answer.json() }
  const body = keptBody(answer)
  const isKept =
    owner !== undefined &&
    !source.signal.aborted &&
    (await mayKeep(context, answer, { owner, body }))
  const { updatedAt } = isKept
    ? await context.transact((tx) =>
        context.tasks.add(tx, { ...outcome, body, owner }, ttlOf(context, answer, task)),
      )
    : { updatedAt: context.clock.now() }
  const isReported = state === 'completed' && generation === '0.3' && !isProfile
  const metadata = isReported ? handleOf(answer, context.identifiers) : undefined
  const json = sentTask({ ...outcome, owner: owner ?? '', updatedAt }, generation, metadata)
  return { ok: true, json, lacksKey: lacksKey(answer) }
}

/** Nothing was called, so nothing was completed. */
function isCallable({ agent }: A2aContext, { call }: SentMessage): boolean {
  return call !== undefined && agent.tasks.find(call.skill) !== undefined
}

/** 0.3 readers look here for the task that continues after their own has ended. */
function handleOf(answer: Answer, { taskIdMember }: Identifiers): object | undefined {
  if (!answer.ok || answer.callStatus === 'completed') return undefined
  return { [taskIdMember]: answer.body.task_id }
}

function keepRunning(context: A2aContext, owner: string, task: NewTask): Promise<A2aTask> {
  return context.transact((tx) =>
    context.tasks.add(
      tx,
      { ...task.returned, owner, state: 'working', body: undefined },
      A2A_TTL_MS,
    ),
  )
}

/** Starts a background call; its slot is released when it ends. */
function begin(
  context: A2aContext,
  { owner, source }: MethodCall & { owner: string },
  task: NewTask,
): void {
  const cancel = new AbortController()
  const { taskId } = task.returned
  const ended = settleLater(context, { owner, taskId, reports: task.reports }, () =>
    callSkill(context, { ...source, signal: cancel.signal }, task),
  )
  context.running.set(taskId, { cancel, ended })
}

/** An earlier cancellation stays: the store settles a task once. */
async function settleLater(
  { transact, tasks, running, unawaited, identifiers, onFault }: A2aContext,
  { reports, ...key }: Pick<A2aTask, 'owner' | 'taskId'> & { reports: StateSubject },
  run: () => Promise<Answer>,
): Promise<void> {
  try {
    const answer = await run()
    await transact((tx) => tasks.settle(tx, key, settledAs(answer, reports, identifiers)))
  } catch (error) {
    onFault(error)
  } finally {
    running.delete(key.taskId)
    unawaited.give(key.owner)
  }
}

async function callSkill(
  { agent, identifiers }: A2aContext,
  source: MethodCall['source'],
  { message: { call }, returned: { taskId, contextId }, hasWebhook }: NewTask,
): Promise<Answer> {
  const deferred = { task_id: taskId, hasWebhook, context_id: contextId }
  const answer = call
    ? await agent.call({
        task: call.skill,
        arguments: call.arguments,
        transport: 'a2a',
        deferred,
        ...source,
      })
    : undefined
  if (answer) return answer
  const known = agent.tasks.knownTo(source.admitted.principal)
  const error = call ? unknownTask(known, call.skill, 'skill') : noCall(known)
  return failedAnswer([error], identifiers, { echo: echoOf(call?.arguments) })
}

function noCall(known: readonly TableEntry[]): TaskError {
  const skills = known.map(({ name }) => name).join(', ')
  const message = `no part of the message is a call; the skills are ${skills}`
  const suggestion = 'Send a data part {"skill": …, "parameters": {…}}.'
  return taskError('INVALID_REQUEST', message, { suggestion })
}

function ttlOf({ agent }: A2aContext, answer: Answer, { returned }: NewTask): number {
  const changes = agent.tasks.find(returned.skill)?.task.changes ?? false
  const isAccepted = answer.ok && answer.callStatus !== 'completed'
  return changes || isAccepted ? A2A_TTL_MS : READ_TTL_MS
}

/** 1.0 states whether the result is a task or a message. */
function sentTask(task: A2aTask, generation: MethodCall['generation'], metadata?: object): string {
  const json = taskJson(task, generation, metadata)
  return generation === '1.0' ? `{"task":${json}}` : json
}

function refuse(code: number, message: string): MethodAnswer {
  return { ok: false, error: a2aError(code, message) }
}

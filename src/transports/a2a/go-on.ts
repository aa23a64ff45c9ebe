// A further message to a task: an answer to what the task waits for or, for callers that name the last task in every
// message, a new call in the same conversation.

import { defined } from '../../lib/defined.ts'
import type { TaskError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { RPC_INVALID_PARAMS } from '../rpc-error.ts'
import type { A2aContext, MethodAnswer, MethodCall } from './ports.ts'
import type { SentMessage } from './read-message.ts'
import { a2aError, TASK_NOT_FOUND, UNSUPPORTED_OPERATION } from './shapes.ts'
import type { A2aTask } from './store.ts'
import { asItStands, ownTask, workOf } from './task-methods.ts'
import { stateSubjectOf } from './task-state.ts'

/** How a further message to a task is interpreted. */
const INPUT_SKILL = 'provide_task_input'

interface FurtherMessage extends SentMessage {
  taskId: string
}

type WentOn =
  | { kind: 'task'; task: A2aTask }
  /** Treated as a new call in this conversation, as if no task were named. */
  | { kind: 'call'; contextId: string | undefined }
  | { kind: 'refused'; answer: MethodAnswer }

export async function goOn(
  context: A2aContext,
  call: MethodCall,
  message: FurtherMessage,
): Promise<WentOn> {
  const { taskId } = message
  const found = await ownTask(context, call, taskId)
  const { call: named } = message
  if (!named || named.skill === INPUT_SKILL) {
    return found ? answerTask(context, call, { task: found, given: inputOf(message) }) : notFound()
  }
  const request = named.arguments
  const reports = stateSubjectOf({ isProfile: call.isProfile, request }, context.identifiers)
  if (reports === 'work') return found ? refuseCall() : notFound()
  // Also under the protocol's name for it, which its callers use.
  if (!found && !(await isOwnWork(context, call, taskId))) return notFound()
  const stands = found && (await asItStands(context, call, found))
  if (stands?.state === 'input-required' && stands.skill === named.skill) {
    if (call.isProfile && message.contextId !== stands.contextId) {
      return refuse(RPC_INVALID_PARAMS, 'Invalid params: contextId must be that of the task')
    }
    return answerTask(context, call, { task: stands, given: { input: request } })
  }
  if (call.isProfile) return refuseCall()
  return { kind: 'call', contextId: message.contextId ?? found?.contextId }
}

function inputOf({ call, text, data }: SentMessage): Record<string, unknown> {
  if (isObject(call?.arguments)) return call.arguments
  return defined({ message: text, input: data ? data : undefined })
}

async function answerTask(
  context: A2aContext,
  call: MethodCall,
  { task, given }: { task: A2aTask; given: Record<string, unknown> },
): Promise<WentOn> {
  const { agent, clock } = context
  const answer = await agent.call({
    task: INPUT_SKILL,
    arguments: { ...given, task_id: workOf(task) },
    transport: 'a2a',
    ...call.source,
  })
  if (!answer?.ok) {
    const why = answer ? String((answer.body.errors as TaskError[])[0]?.message) : 'it has ended'
    return refuse(UNSUPPORTED_OPERATION, `the task takes no further message: ${why}`)
  }
  const returned = { ...(await asItStands(context, call, task)), updatedAt: clock.now() }
  return { kind: 'task', task: returned }
}

async function isOwnWork(
  { agent }: A2aContext,
  { source }: MethodCall,
  task_id: string,
): Promise<boolean> {
  const request = { task: 'get_task_status', arguments: { task_id }, transport: 'a2a' as const }
  return (await agent.call({ ...request, ...source }))?.ok ?? false
}

function notFound(): WentOn {
  return refuse(TASK_NOT_FOUND, 'Task not found')
}

function refuseCall(): WentOn {
  const how = `send the answer as text or data, or the skill ${INPUT_SKILL}`
  return refuse(UNSUPPORTED_OPERATION, `a further message answers what a task waits for: ${how}`)
}

function refuse(code: number, message: string): WentOn {
  return { kind: 'refused', answer: { ok: false, error: a2aError(code, message) } }
}

// The methods that set, get and delete where a caller wants updates about its task (spec 2.9). The parameters
// have different names in the two generations.

import { isObject } from '../../protocol/schemas/checks.ts'
import { RPC_INVALID_PARAMS } from '../rpc-error.ts'
import type { Method, MethodAnswer, MethodCall } from './ports.ts'
import { registrationShape } from './shapes.ts'
import { notFound, ownTask } from './task-methods.ts'

export const setPush: Method = async (context, call) => {
  const { params, generation, owner } = call
  const task = await ownTask(context, call, params?.taskId)
  if (!task || owner === undefined) return notFound()
  const read = context.push.read(generation === '1.0' ? params : params?.pushNotificationConfig)
  if (!read.ok) return invalid(read.fault)
  const at = { owner, taskId: task.taskId, generation }
  const kept = await context.push.register(at, read.push)
  if ('fault' in kept) return invalid(kept.fault)
  return { ok: true, json: JSON.stringify(registrationShape(kept, generation)) }
}

export const getPush: Method = async (context, call) => {
  const { taskId, configId } = namesOf(call)
  const task = await ownTask(context, call, taskId)
  if (!task) return notFound()
  const found = await context.push.list(task.owner, task.taskId)
  // 0.3 may omit the name if there is only one; earlier versions had no names.
  const returned =
    configId === undefined ? found[0] : found.find((one) => one.configId === configId)
  if (!returned) return notFound()
  return { ok: true, json: JSON.stringify(registrationShape(returned, call.generation)) }
}

export const listPush: Method = async (context, call) => {
  const task = await ownTask(context, call, namesOf(call).taskId)
  if (!task) return notFound()
  const found = await context.push.list(task.owner, task.taskId)
  const returned = found.map((one) => registrationShape(one, call.generation))
  const result = call.generation === '1.0' ? { configs: returned, nextPageToken: '' } : returned
  return { ok: true, json: JSON.stringify(result) }
}

export const deletePush: Method = async (context, call) => {
  const { taskId, configId } = namesOf(call)
  const task = await ownTask(context, call, taskId)
  if (!task || configId === undefined) return notFound()
  const key = { owner: task.owner, taskId: task.taskId, configId }
  return (await context.push.remove(key)) ? { ok: true, json: 'null' } : notFound()
}

function namesOf({ params, generation }: MethodCall): {
  taskId: unknown
  configId: string | undefined
} {
  const given = isObject(params) ? params : {}
  const taskId = generation === '1.0' ? given.taskId : given.id
  const configId = generation === '1.0' ? given.id : given.pushNotificationConfigId
  return { taskId, configId: typeof configId === 'string' ? configId : undefined }
}

function invalid(fault: string): MethodAnswer {
  return { ok: false, error: { code: RPC_INVALID_PARAMS, message: `Invalid params: ${fault}` } }
}

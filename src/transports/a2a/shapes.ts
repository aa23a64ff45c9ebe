// A2A in its two generations: 0.3 identifies parts by `kind` and writes states in lower case; 1.0 identifies them
// by the member that is present and writes states in capitals. Bodies are spliced in as JSON that was already
// serialized.

import { defined } from '../../lib/defined.ts'
import { isFinalStatus } from '../../protocol/final-status.ts'
import type { RpcError } from '../rpc-error.ts'
import type { Generation } from './generation.ts'
import type { SerializedRegistration } from './push-registrations.ts'
import type { A2aTask } from './store.ts'

export const TASK_NOT_FOUND = -32_001
export const TASK_NOT_CANCELABLE = -32_002
export const UNSUPPORTED_OPERATION = -32_004
export const CONTENT_TYPE_NOT_SUPPORTED = -32_005
export const EXTENDED_CARD_NOT_CONFIGURED = -32_007
export const EXTENSION_REQUIRED = -32_008
export const VERSION_NOT_SUPPORTED = -32_009

const REASONS: ReadonlyMap<number, string> = new Map([
  [TASK_NOT_FOUND, 'TASK_NOT_FOUND'],
  [TASK_NOT_CANCELABLE, 'TASK_NOT_CANCELABLE'],
  [UNSUPPORTED_OPERATION, 'UNSUPPORTED_OPERATION'],
  [CONTENT_TYPE_NOT_SUPPORTED, 'CONTENT_TYPE_NOT_SUPPORTED'],
  [EXTENDED_CARD_NOT_CONFIGURED, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
  [EXTENSION_REQUIRED, 'EXTENSION_SUPPORT_REQUIRED'],
  [VERSION_NOT_SUPPORTED, 'VERSION_NOT_SUPPORTED'],
])

/** An error from A2A's own list, with the details that 1.0 additionally requires. */
export function a2aError(code: number, message: string): RpcError {
  const reason = REASONS.get(code)
  if (reason === undefined) return { code, message }
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }
  return { code, message, data: [{ ...info, domain: 'a2a-protocol.org' }] }
}

/** A task as JSON. The body of an unfinished task is also its status message, where readers expect it. */
export function taskJson(task: A2aTask, generation: Generation, metadata?: object): string {
  const { taskId, contextId, skill, state, body, updatedAt } = task
  const isOld = generation === '0.3'
  const part = body === undefined ? undefined : partJson(body, isOld)
  const status = [
    `"state":${JSON.stringify(isOld ? state : `TASK_STATE_${state.toUpperCase().replace('-', '_')}`)}`,
    ...(part === undefined || isFinalStatus(state)
      ? []
      : [`"message":${messageJson(task, part, isOld)}`]),
    `"timestamp":"${new Date(updatedAt).toISOString()}"`,
  ]
  const reported = metadata ? `"metadata":${JSON.stringify(metadata)},` : ''
  const artifact = `{"artifactId":"result","name":${JSON.stringify(skill)},${reported}"parts":[${part}]}`
  return `{${[
    ...(isOld ? ['"kind":"task"'] : []),
    `"id":${JSON.stringify(taskId)},"contextId":${JSON.stringify(contextId)}`,
    `"status":{${status.join(',')}}`,
    ...(part === undefined ? [] : [`"artifacts":[${artifact}]`]),
  ].join(',')}}`
}

function partJson(body: string, isOld: boolean): string {
  return isOld
    ? `{"kind":"data","data":${body}}`
    : `{"data":${body},"mediaType":"application/json"}`
}

function messageJson({ taskId, contextId }: A2aTask, part: string, isOld: boolean): string {
  const head = {
    ...(isOld ? { kind: 'message', role: 'agent' } : { role: 'ROLE_AGENT' }),
    messageId: `${taskId}-status`,
    taskId,
    contextId,
  }
  return `${JSON.stringify(head).slice(0, -1)},"parts":[${part}]}`
}

/** A registration without the secrets that only its receiver may know. */
export function registrationShape(
  { taskId, configId, url, scheme }: SerializedRegistration,
  generation: Generation,
): object {
  if (generation === '1.0') {
    return {
      taskId,
      id: configId,
      url,
      ...defined({ authentication: scheme ? { scheme } : undefined }),
    }
  }
  const authentication = scheme ? { authentication: { schemes: [scheme] } } : {}
  return { taskId, pushNotificationConfig: { id: configId, url, ...authentication } }
}

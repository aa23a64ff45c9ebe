// The methods of A2A by name. The names differ between the two generations.

import type { Generation } from './generation.ts'
import type { Method } from './ports.ts'
import { deletePush, getPush, listPush, setPush } from './push-methods.ts'
import { sendMessage } from './send-message.ts'
import { a2aError, EXTENDED_CARD_NOT_CONFIGURED, UNSUPPORTED_OPERATION } from './shapes.ts'
import { cancelTask, getTask } from './task-methods.ts'

const refuse =
  (code: number, message: string): Method =>
  async () => ({ ok: false, error: a2aError(code, message) })

const noStreams = refuse(UNSUPPORTED_OPERATION, 'this agent does not stream: poll the task')
const noList = refuse(UNSUPPORTED_OPERATION, 'this agent does not list tasks: keep their ids')
const noCard = refuse(EXTENDED_CARD_NOT_CONFIGURED, 'there is no extended agent card')

const METHODS = new Map<string, { generation: Generation; run: Method }>([
  ['message/send', { generation: '0.3', run: sendMessage }],
  ['message/stream', { generation: '0.3', run: noStreams }],
  ['tasks/get', { generation: '0.3', run: getTask }],
  ['tasks/cancel', { generation: '0.3', run: cancelTask }],
  ['tasks/resubscribe', { generation: '0.3', run: noStreams }],
  ['tasks/pushNotificationConfig/set', { generation: '0.3', run: setPush }],
  ['tasks/pushNotificationConfig/get', { generation: '0.3', run: getPush }],
  ['tasks/pushNotificationConfig/list', { generation: '0.3', run: listPush }],
  ['tasks/pushNotificationConfig/delete', { generation: '0.3', run: deletePush }],
  ['agent/getAuthenticatedExtendedCard', { generation: '0.3', run: noCard }],
  ['SendMessage', { generation: '1.0', run: sendMessage }],
  ['SendStreamingMessage', { generation: '1.0', run: noStreams }],
  ['GetTask', { generation: '1.0', run: getTask }],
  ['ListTasks', { generation: '1.0', run: noList }],
  ['CancelTask', { generation: '1.0', run: cancelTask }],
  ['SubscribeToTask', { generation: '1.0', run: noStreams }],
  ['CreateTaskPushNotificationConfig', { generation: '1.0', run: setPush }],
  ['GetTaskPushNotificationConfig', { generation: '1.0', run: getPush }],
  ['ListTaskPushNotificationConfigs', { generation: '1.0', run: listPush }],
  ['DeleteTaskPushNotificationConfig', { generation: '1.0', run: deletePush }],
  ['GetExtendedAgentCard', { generation: '1.0', run: noCard }],
])

export function methodOf(name: string): { generation: Generation; run: Method } | undefined {
  return METHODS.get(name)
}

/** The names of all methods. */
export const A2A_METHODS: readonly string[] = [...METHODS.keys()]

const REFUSED: ReadonlySet<Method> = new Set([noStreams, noList, noCard])

/** Methods that do something: capabilities list no method that only rejects (spec 4.5). */
export const SERVED_A2A_METHODS: readonly string[] = [...METHODS].flatMap(([name, { run }]) =>
  REFUSED.has(run) ? [] : [name],
)

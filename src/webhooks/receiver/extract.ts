// Which form a webhook of a task has, and where its data is (spec 6.1): MCP when `status` is a text
// and there is a `task_id`; A2A when `status` is an object with a `state`.

import { isFinalStatus } from '../../protocol/final-status.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { type ReceivedTaskStatus, receivedTaskStatus } from '../../protocol/schemas/task-status.ts'

export type WebhookForm = 'mcp' | 'a2a'

export type Extracted =
  /** `data` is null if there is none; `status` is undefined if it is not a known one. */
  | { ok: true; form: WebhookForm; status: ReceivedTaskStatus | undefined; data: unknown }
  /** `wrapped_response`: an error of the agent, which puts members in the wrong place. */
  | { ok: false; reason: 'no_task' | 'wrapped_response' }

/** The data of a webhook, from its parsed body. */
export function extractPayload(body: unknown): Extracted {
  const found = detectForm(body)
  if (!found) return { ok: false, reason: 'no_task' }
  if (found.form === 'mcp') {
    const { status, result } = found.task
    return { ok: true, form: 'mcp', status: knownStatus(status), data: result ?? null }
  }
  const status = a2aStatus(found.task)
  const data = a2aData(found.task, status)
  if (data === WRAPPED) return { ok: false, reason: 'wrapped_response' }
  return { ok: true, form: 'a2a', status, data: data ?? null }
}

type Members = Record<string, unknown>

/** `task` is the envelope, or the A2A task or update taken out of its wrapper. */
export function detectForm(body: unknown): { form: WebhookForm; task: Members } | undefined {
  if (!isObject(body)) return undefined
  // An envelope may have any member, including one with the name of an A2A wrapper.
  if (typeof body.status === 'string' && Object.hasOwn(body, 'task_id')) {
    return { form: 'mcp', task: body }
  }
  const task = unwrapped(body)
  const isA2a = task && isObject(task.status) && Object.hasOwn(task.status, 'state')
  return isA2a ? { form: 'a2a', task } : undefined
}

/** The state by its lower-case name, for either spelling of A2A; undefined for an unknown one. */
export function a2aStatus({ status }: Members): ReceivedTaskStatus | undefined {
  if (!isObject(status) || typeof status.state !== 'string') return undefined
  const word = status.state
    .replace(/^TASK_STATE_/, '')
    // ASCII alone: the Kelvin sign is no K.
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replaceAll('_', '-')
  return knownStatus(word)
}

function knownStatus(status: unknown): ReceivedTaskStatus | undefined {
  const known = receivedTaskStatus.safeParse(status)
  return known.success ? known.data : undefined
}

const WRAPPERS = ['task', 'message', 'statusUpdate', 'artifactUpdate']

/** A2A 1.0 wraps its messages under a type name, once: a wrapper in a wrapper is malformed. */
function unwrapped(body: Members): Members | undefined {
  const [wrapper, ...others] = wrappersIn(body)
  if (wrapper === undefined || others.length > 0) return body
  const inner = body[wrapper] as Members
  return wrappersIn(inner).length === 0 ? inner : undefined
}

function wrappersIn(members: Members): string[] {
  return WRAPPERS.filter((name) => Object.hasOwn(members, name) && isObject(members[name]))
}

const INTERIM: ReadonlySet<unknown> = new Set([
  'submitted',
  'working',
  'input-required',
  'auth-required',
])
const WRAPPED = Symbol('wrapped')

/**
 * Final states: the last data of the first artifact. Otherwise, and in interim states: the first data of the message.
 */
function a2aData(
  { status, artifacts }: Members,
  state: ReceivedTaskStatus | undefined,
): Members | typeof WRAPPED | undefined {
  const message = isObject(status) && isObject(status.message) ? status.message : {}
  if (INTERIM.has(state)) return dataOf(message.parts)[0]
  if (!isFinalStatus(state)) return undefined
  const artifact: unknown = Array.isArray(artifacts) ? artifacts[0] : undefined
  const data = isObject(artifact) ? dataOf(artifact.parts).at(-1) : undefined
  if (data && Object.keys(data).join() === 'response' && isObject(data.response)) return WRAPPED
  return data ?? dataOf(message.parts)[0]
}

/** The members identify the kind of a part; `kind` may be missing. */
function dataOf(parts: unknown): Members[] {
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part: unknown) =>
    isObject(part) && isObject(part.data) ? [part.data] : [],
  )
}

// The content of another agent's A2A response, in either generation (spec 2.9): the body of its task. A finished task
// has it in its first artifact, an unfinished one in its status message.

import { defined } from '../../lib/defined.ts'
import { isFinalStatus } from '../../protocol/final-status.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { A2A_STATES, type A2aState } from './store.ts'

export type ReadTask =
  | { ok: true; state: A2aState; body: Body | undefined; taskId?: string; contextId?: string }
  | { ok: false; message: string }

type Body = Record<string, unknown>

const WRAPPERS = ['task', 'message', 'statusUpdate', 'artifactUpdate']

export function readTask(result: unknown): ReadTask {
  const task = unwrapped(result)
  if (!task) return refuse('the agent answered with something that is no task')
  const status = isObject(task.status) ? task.status : {}
  const state = stateOf(status.state)
  if (!state) return refuse('the agent answered with a task in no known state')
  const ids = defined({ taskId: textOf(task.id), contextId: textOf(task.contextId) })
  const message = isObject(status.message) ? dataOf(status.message.parts)[0] : undefined
  if (!isFinalStatus(state)) return { ok: true, ...ids, state, body: message }

  const artifact: unknown = Array.isArray(task.artifacts) ? task.artifacts[0] : undefined
  const body = isObject(artifact) ? dataOf(artifact.parts).at(-1) : undefined
  // A wrapper around the answer is an error of the agent: the answer's members would be in the wrong place.
  if (body && Object.keys(body).join() === 'response' && isObject(body.response)) {
    return refuse('the agent wrapped its answer in "response"')
  }
  return { ok: true, ...ids, state, body: body ?? message }
}

/** 1.0 wraps its results under a type name. It does so once: a wrapper in a wrapper is malformed. */
function unwrapped(result: unknown): Body | undefined {
  if (!isObject(result)) return undefined
  const [member, ...others] = Object.keys(result)
  if (member === undefined || others.length > 0 || !WRAPPERS.includes(member)) return result
  const inner = result[member]
  if (!isObject(inner)) return undefined
  const isAgain = Object.keys(inner).some(
    (name) => WRAPPERS.includes(name) && isObject(inner[name]),
  )
  return isAgain ? undefined : inner
}

function stateOf(state: unknown): A2aState | undefined {
  if (typeof state !== 'string') return undefined
  const word = state
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
  return A2A_STATES.find((known) => known === word)
}

/** The members identify the kind of a part; `kind` may be missing. */
function dataOf(parts: unknown): Body[] {
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part: unknown) =>
    isObject(part) && isObject(part.data) ? [part.data] : [],
  )
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function refuse(message: string): ReadTask {
  return { ok: false, message }
}

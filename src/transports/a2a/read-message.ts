// What an A2A message requests: the skill and its parameters in a data part, or the same as JSON in a text part;
// how long the caller waits; where it wants updates (spec 4.2).

import { createJsonMeter } from '../../lib/json-meter.ts'
import { isStorable } from '../../lib/storable-text.ts'
import { keepingParser } from '../../lib/verbatim-json.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { JSON_LIMITS } from '../http/read-body.ts'

export interface SentMessage {
  /** Undefined when no part of the message can be called. */
  call: { skill: string; arguments: unknown } | undefined
  /** The first text and the first data of the message: an answer to what a task waits for. */
  text: string | undefined
  data: Record<string, unknown> | undefined
  contextId: string | undefined
  /** The task that the message would go on with. */
  taskId: string | undefined
  /** Whether the caller waits for the result. */
  waits: boolean
  /** As it was sent, if it was. */
  push: unknown
}

export type ReadMessage = { ok: true; message: SentMessage } | { ok: false; fault: string }

/** Where the context of a call is in a part; it is returned unchanged. */
const CONTEXTS = [
  ['parameters', 'context'],
  ['input', 'context'],
]
const PART = ['params', 'message', 'parts', '*', 'data']
export const parseA2aBody = keepingParser(CONTEXTS.map((path) => [...PART, ...path]))
const parseTextPart = keepingParser(CONTEXTS)

const MAX_CONTEXT_ID_CHARS = 255

export function readMessage(params: Record<string, unknown> | undefined): ReadMessage {
  const message = params?.message
  if (!isObject(message)) return refuse('params.message must be a message')
  if (!Array.isArray(message.parts)) return refuse('params.message.parts must be a list of parts')
  const contextId = idOf(message.contextId)
  const taskId = idOf(message.taskId)
  if (contextId === null || taskId === null) {
    return refuse(
      `contextId and taskId are plain strings of at most ${MAX_CONTEXT_ID_CHARS} characters`,
    )
  }
  const configuration = isObject(params?.configuration) ? params.configuration : {}
  const push = configuration.taskPushNotificationConfig ?? configuration.pushNotificationConfig
  return {
    ok: true,
    message: {
      call: firstCall(message.parts),
      ...firstOfEach(message.parts),
      contextId,
      taskId,
      waits: configuration.blocking !== false && configuration.returnImmediately !== true,
      push: push ?? undefined,
    },
  }
}

/** The members identify the kind of a part: `kind` is from 0.3 and often omitted. */
function firstCall(parts: readonly unknown[]): SentMessage['call'] {
  for (const part of parts) {
    if (!isObject(part)) continue
    const call = callOf(part.data) ?? callOf(parsedText(part.text))
    if (call) return call
  }
  return undefined
}

function firstOfEach(parts: readonly unknown[]): Pick<SentMessage, 'text' | 'data'> {
  const returned = parts.filter(isObject)
  const text = returned.map((part) => part.text).find((value) => typeof value === 'string')
  return { text, data: returned.map((part) => part.data).find(isObject) }
}

function callOf(data: unknown): SentMessage['call'] {
  if (!isObject(data) || typeof data.skill !== 'string') return undefined
  return { skill: data.skill, arguments: data.parameters ?? data.input ?? {} }
}

/** JSON within a text was not measured when the body was read. */
function parsedText(text: unknown): unknown {
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return undefined
  if (createJsonMeter(JSON_LIMITS).feed(Buffer.from(text))) return undefined
  try {
    return parseTextPart(text)
  } catch {
    return undefined
  }
}

/** Null when it is there and is none. */
function idOf(value: unknown): string | undefined | null {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || value.length > MAX_CONTEXT_ID_CHARS) return null
  return isStorable(value) ? value : null
}

function refuse(fault: string): ReadMessage {
  return { ok: false, fault }
}

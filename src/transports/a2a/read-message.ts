// What an A2A message requests: the skill and its parameters in a data part, or the same as JSON in a text part;
// how long the caller waits; where it wants updates (spec 4.2).

import { createJsonMeter } from '../../lib/json-meter.ts'
import { isStorable } from '../../lib/storable-text.ts'
import { duplicateKeys } from '../../lib/strict-json.ts'
import { keepingParser } from '../../lib/verbatim-json.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { duplicateFault, JSON_LIMITS } from '../http/read-body.ts'

export interface SentMessage {
  /** Undefined if no part of the message is a call. */
  call: { skill: string; arguments: unknown } | undefined
  /** The first text and the first data of the message: an answer to the input that a task waits for. */
  text: string | undefined
  data: Record<string, unknown> | undefined
  contextId: string | undefined
  /** The task that the message is meant to continue. */
  taskId: string | undefined
  /** Whether the caller waits for the result. */
  waits: boolean
  /** As it was sent, if it was. */
  push: unknown
}

export type ReadMessage = { ok: true; message: SentMessage } | { ok: false; fault: string }

/** Where a part contains the context of a call; it is returned unchanged. */
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
  const found = firstCall(message.parts)
  if (found.fault !== undefined) return refuse(found.fault)
  const push = configuration.taskPushNotificationConfig ?? configuration.pushNotificationConfig
  return {
    ok: true,
    message: {
      call: found.call,
      ...firstOfEach(message.parts),
      contextId,
      taskId,
      waits: configuration.blocking !== false && configuration.returnImmediately !== true,
      push: push ?? undefined,
    },
  }
}

/** The members identify the kind of a part: `kind` is from 0.3 and often omitted. */
function firstCall(parts: readonly unknown[]): FoundCall {
  for (const part of parts) {
    if (!isObject(part)) continue
    const ofData = callOf(part.data)
    if (ofData) return { call: ofData }
    const { value, fault } = parsedText(part.text)
    if (fault !== undefined) return { call: undefined, fault }
    const ofText = callOf(value)
    if (ofText) return { call: ofText }
  }
  return { call: undefined }
}

interface FoundCall {
  call: SentMessage['call']
  fault?: string
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

/** JSON within a text was not checked against the limits when the body was read. */
function parsedText(text: unknown): { value?: unknown; fault?: string } {
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return {}
  const meter = createJsonMeter(JSON_LIMITS)
  if (meter.feed(Buffer.from(text))) return {}
  try {
    const value = parseTextPart(text)
    const keys = duplicateKeys(text, value, meter.values())
    return keys.length === 0 ? { value } : { fault: duplicateFault('a text part', keys) }
  } catch {
    return {}
  }
}

/** Null if the value is present but invalid. */
function idOf(value: unknown): string | undefined | null {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || value.length > MAX_CONTEXT_ID_CHARS) return null
  return isStorable(value) ? value : null
}

function refuse(fault: string): ReadMessage {
  return { ok: false, fault }
}

// The profile by which A2A 1.0 carries the protocol: a caller names it in a header, and its messages then have
// exactly one shape, so that nothing has to be guessed. Any other shape is rejected in A2A's own form.

import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../../protocol/schemas/checks.ts'
import { RPC_INVALID_PARAMS } from '../rpc-error.ts'
import { readMessage, type SentMessage } from './read-message.ts'
import { CONTENT_TYPE_NOT_SUPPORTED } from './shapes.ts'

export const EXTENSIONS_HEADER = 'a2a-extensions'

/** Whether a request names the profile; it may name others as well. */
export function namesProfile(headers: IncomingHttpHeaders, uri: string): boolean {
  return String(headers[EXTENSIONS_HEADER] ?? '')
    .split(',')
    .some((named) => named.trim() === uri)
}

export type ReadInvocation =
  | { ok: true; message: SentMessage }
  | { ok: false; code: number; fault: string }

/** Text is for people: only the data part is read. */
export function readInvocation(params: Record<string, unknown> | undefined): ReadInvocation {
  const read = readMessage(params)
  if (!read.ok) return invalid(read.fault)
  const { messageId, role, parts } = (params as { message: Record<string, unknown> }).message
  if (typeof messageId !== 'string' || messageId === '') {
    return invalid('params.message.messageId must be a text')
  }
  if (role !== 'ROLE_USER') return invalid('params.message.role must be "ROLE_USER"')

  const data: unknown[] = []
  for (const part of parts as unknown[]) {
    if (!isObject(part)) return invalid('a part must be an object')
    const isData = part.data !== undefined
    if (
      isData === (typeof part.text === 'string') ||
      FILES.some((name) => Object.hasOwn(part, name))
    ) {
      const fault = 'a part has either data or text: pass files inside the input'
      return { ok: false, code: CONTENT_TYPE_NOT_SUPPORTED, fault }
    }
    if (isData) data.push(part.data)
  }
  if (data.length !== 1) return invalid(`exactly one data part is accepted (got ${data.length})`)
  const [named] = data
  if (!isInvocation(named)) {
    return invalid('the data part must be {"skill": "…", "input": {…}} without other members')
  }
  // The call in the message decides whether a signature is required, so exactly that call must run.
  if (read.message.call?.arguments !== named.input) {
    return invalid('a text part must not look like a call')
  }
  if (hasUnsafeInteger(named)) {
    return invalid('an integer beyond ±9007199254740991 must be sent as a text')
  }
  return { ok: true, message: read.message }
}

/** Members that make a part a file, in either generation. */
const FILES = ['url', 'raw', 'file']

function isInvocation(data: unknown): data is { skill: string; input: Record<string, unknown> } {
  if (!isObject(data) || Object.keys(data).length !== 2) return false
  return typeof data.skill === 'string' && data.skill !== '' && isObject(data.input)
}

/** Numbers are doubles on this transport, so a larger one would arrive as a different number. */
function hasUnsafeInteger(root: unknown): boolean {
  const open = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      return true
    }
    if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) open.push(inner)
    }
  }
  return false
}

function invalid(fault: string): ReadInvocation {
  return { ok: false, code: RPC_INVALID_PARAMS, fault }
}

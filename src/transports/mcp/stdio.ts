// MCP over standard input and output (its stdio transport): one message per line in both directions, and nothing else
// on the output. The messages go through the same dispatch as over HTTP; values that HTTP carries in headers come
// from a message's own `_meta`.

import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { boundedLines } from '../../lib/bounded-lines.ts'
import { createJsonMeter } from '../../lib/json-meter.ts'
import { defineLimits } from '../../lib/limit.ts'
import { joinText } from '../../lib/shared-text.ts'
import { duplicateKeys } from '../../lib/strict-json.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { CallSource } from '../call-source.ts'
import { duplicateFault, JSON_LIMITS } from '../http/read-body.ts'
import {
  RPC_INTERNAL_ERROR,
  RPC_PARSE_ERROR,
  type RpcId,
  readRpcMessage,
  rpcError,
} from '../json-rpc.ts'
import { RPC_INVALID_REQUEST } from '../rpc-error.ts'
import { batchFault, dispatchBatch } from './batch.ts'
import type { Dispatch } from './dispatch.ts'
import { parseMcpMessage } from './parse-message.ts'
import { type McpHeaders, REVISION_META } from './revisions.ts'

export const STDIO_LIMITS = defineLimits({
  lineBytes: {
    what: 'one line of standard input',
    value: 1_024 * 1_024,
    unit: 'bytes',
    beyond: 'a JSON-RPC error without an id; the line is not held',
  },
  messages: {
    what: 'messages of standard input that are worked on, or whose answers have not been read',
    value: 64,
    unit: '',
    beyond: 'the next line is not read until one of them has ended',
  },
})

export interface StdioOptions {
  dispatch: Dispatch
  input: AsyncIterable<Buffer>
  output: Pick<Writable, 'write' | 'once'>
  /** The caller: all input belongs to a single one. */
  source: Omit<CallSource, 'signal'>
  /** Aborts the calls in progress, and reads no more. */
  stop: AbortSignal
  /** Receives errors from answering a message. */
  onFault: (error: unknown) => void
}

/** Resolves when the input has ended and all of it was answered, or soon after the stop. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { input, output, stop } = options
  const underWay = new Map<string, AbortController>()
  const answers = new Set<Promise<void>>()
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
  stop.addEventListener('abort', () => {
    for (const call of underWay.values()) call.abort()
  })

  /** Waits for the reader of the output, so that unread responses do not pile up. */
  const write = async (text: string | undefined): Promise<void> => {
    if (text === undefined || stop.aborted) return
    if (!output.write(`${text}\n`)) await Promise.race([once(output as Writable, 'drain'), stopped])
  }

  const answer = async (message: unknown): Promise<void> => {
    const text = await answerTo(options, message, underWay).catch((error: unknown) => {
      options.onFault(error)
      return rpcError(idOf(message), { code: RPC_INTERNAL_ERROR, message: 'Internal error' })
    })
    await write(text)
  }

  const read = async () => {
    for await (const line of boundedLines(input, STDIO_LIMITS.lineBytes.value)) {
      if (stop.aborted) return
      const parsed = line.ok ? parseLine(line.bytes) : tooLong()
      if (parsed.kind === 'blank') continue
      if (parsed.kind === 'fault') {
        await write(parsed.text)
        continue
      }
      if (cancels(parsed.message, underWay)) continue
      const going = answer(parsed.message).finally(() => answers.delete(going))
      answers.add(going)
      if (answers.size >= STDIO_LIMITS.messages.value) await Promise.race([...answers, stopped])
      // Messages that need no waiting are answered before the next line is read.
      await Promise.race([going, new Promise(setImmediate)])
    }
    await Promise.all(answers)
  }
  await Promise.race([read(), stopped])
}

async function answerTo(
  { dispatch, source, stop }: StdioOptions,
  message: unknown,
  underWay: Map<string, AbortController>,
): Promise<string | undefined> {
  const call = new AbortController()
  const shared = { headers: headersOf(message), source: { ...source, signal: call.signal } }
  const key = keyOf(message)
  if (key !== undefined) underWay.set(key, call)
  try {
    if (Array.isArray(message)) {
      const fault = batchFault(message, shared.source)
      if (fault !== undefined) return faultText(RPC_INVALID_REQUEST, fault)
      const { pieces } = await dispatchBatch(dispatch, message, shared)
      return pieces && joinText(pieces)
    }
    const { pieces } = await dispatch({ message, ...shared })
    // MCP: a cancelled request gets no response.
    const isCancelled = call.signal.aborted && !stop.aborted
    return isCancelled || !pieces ? undefined : joinText(pieces)
  } finally {
    if (key !== undefined && underWay.get(key) === call) underWay.delete(key)
  }
}

/** Ends the call that a `notifications/cancelled` names. */
function cancels(message: unknown, underWay: Map<string, AbortController>): boolean {
  if (!isObject(message) || message.method !== 'notifications/cancelled') return false
  const { params } = message
  const id = isObject(params) ? params.requestId : undefined
  if (typeof id === 'string' || typeof id === 'number') underWay.get(JSON.stringify(id))?.abort()
  return true
}

/** The values that an HTTP client repeats in headers, taken from the message itself. */
function headersOf(message: unknown): McpHeaders {
  const params = isObject(message) && isObject(message.params) ? message.params : {}
  const revision = isObject(params._meta) ? params._meta[REVISION_META] : undefined
  if (typeof revision !== 'string' || !isObject(message)) return {}
  return {
    'mcp-protocol-version': revision,
    'mcp-method': typeof message.method === 'string' ? message.method : undefined,
    'mcp-name': typeof params.name === 'string' ? params.name : undefined,
  }
}

type Line =
  | { kind: 'message'; message: unknown }
  | { kind: 'blank' }
  | { kind: 'fault'; text: string }

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseLine(bytes: Buffer): Line {
  const meter = createJsonMeter(JSON_LIMITS)
  if (meter.feed(bytes)) {
    return fault(RPC_INVALID_REQUEST, 'the message is nested too deep, or holds too many values')
  }
  try {
    const text = utf8.decode(bytes).trim()
    if (text === '') return { kind: 'blank' }
    const message = parseMcpMessage(text)
    const keys = duplicateKeys(text, message, meter.values())
    if (keys.length > 0) return fault(RPC_PARSE_ERROR, duplicateFault('the message', keys))
    return { kind: 'message', message }
  } catch {
    return fault(RPC_PARSE_ERROR, 'a line must be one JSON-RPC 2.0 message in JSON')
  }
}

function tooLong(): Line {
  return fault(
    RPC_INVALID_REQUEST,
    `a line must have at most ${STDIO_LIMITS.lineBytes.value} bytes`,
  )
}

function fault(code: number, why: string): Line {
  return { kind: 'fault', text: faultText(code, why) }
}

function faultText(code: number, why: string): string {
  return rpcError(null, { code, message: `Invalid request: ${why}` })
}

function idOf(message: unknown): RpcId {
  const read = readRpcMessage(message)
  return read.kind === 'request' ? read.id : null
}

function keyOf(message: unknown): string | undefined {
  const id = idOf(message)
  return id === null ? undefined : JSON.stringify(id)
}

// Calls tasks of another agent over MCP (spec 4.2). Most servers answer a message without a handshake. A server that
// requires the current revision, or a handshake first, rejects the message before it does anything, and the message
// is then sent in the required form.

import { defined } from '../../lib/defined.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type {
  CallFailure,
  CallResult,
  ClientOptions,
  ClientResponse,
  ListedTask,
  TaskClient,
} from '../client.ts'
import { objectOf, resultOf, TEXT_LIMITS } from '../client-answer.ts'
import { answerOf, type RpcOutcome, rpcFailure, sendRpcRequest } from '../rpc-client.ts'
import {
  CLIENT_CAPABILITIES_META,
  CLIENT_INFO_META,
  CURRENT_REVISION,
  HANDSHAKE_REVISIONS,
  REVISION_META,
  REVISION_UNSUPPORTED,
} from './revisions.ts'

export interface McpClientOptions extends ClientOptions {
  /** The name the caller sends for itself. Default adwire. */
  name?: string
  /** Default 1.0.0. */
  version?: string
}

/** The form of messages that the server requires, as far as it is known. */
type Manner =
  | { kind: 'alone' }
  | { kind: 'current' }
  | { kind: 'session'; headers: Record<string, string> }

interface McpMessage {
  method: string
  params: Record<string, unknown>
  signal?: AbortSignal
}

const MAX_PAGES = 20
/** Of all pages of a list of tools. */
const MAX_TOOLS = 2_000
const MAX_LIST_BYTES = 8 * 1_024 * 1_024
const MAX_TEXT_CHARS = 1_048_576

export function createMcpClient(options: McpClientOptions): TaskClient {
  const { url, name = 'adwire', version = '1.0.0' } = options
  const clientInfo = { name, version }
  let manner: Manner = { kind: 'alone' }

  const sendAs = (as: Manner, { method, params, signal }: McpMessage): Promise<RpcOutcome> => {
    const shared = { url, method, ...defined({ signal }) }
    if (as.kind !== 'current') {
      const headers = as.kind === 'session' ? as.headers : {}
      return sendRpcRequest(options, { ...shared, params, headers })
    }
    return sendRpcRequest(options, {
      ...shared,
      params: { ...params, _meta: currentMeta(clientInfo) },
      headers: {
        'mcp-protocol-version': CURRENT_REVISION,
        'mcp-method': method,
        ...defined({ 'mcp-name': typeof params.name === 'string' ? params.name : undefined }),
      },
    })
  }

  /** Resends only messages that were rejected before they were processed. */
  const send = async (message: McpMessage): Promise<RpcOutcome> => {
    const first = await sendAs(manner, message)
    if (wantsCurrent(first) && manner.kind !== 'current') {
      manner = { kind: 'current' }
      return sendAs(manner, message)
    }
    if (!wantsHandshake(first)) return first
    const shaken = await handshake(options, clientInfo, message.signal)
    if (!shaken.ok) return manner.kind === 'alone' ? first : shaken.outcome
    manner = { kind: 'session', headers: shaken.headers }
    return sendAs(manner, message)
  }

  return {
    listTasks: async ({ signal } = {}) => {
      const tasks: ListedTask[] = []
      let params: Record<string, unknown> = {}
      let bytes = 0
      for (let page = 0; page < MAX_PAGES; page++) {
        const outcome = await send({ method: 'tools/list', params, ...defined({ signal }) })
        if (outcome.kind !== 'result') return failureOf(outcome)
        const { tools, nextCursor } = isObject(outcome.result) ? outcome.result : {}
        if (!Array.isArray(tools)) return invalid('the agent listed no tools')
        const room = MAX_TOOLS - tasks.length
        for (const tool of tools.slice(0, room)) tasks.push(...taskOf(tool))
        if (tools.length > room) break
        if (typeof nextCursor !== 'string') return { ok: true, tasks }
        bytes += outcome.response.body.byteLength
        if (bytes >= MAX_LIST_BYTES) break
        params = { cursor: nextCursor }
      }
      return { ok: true, tasks, isCut: true }
    },
    call: async (task, request, { signal } = {}) => {
      const params = { name: task, arguments: request }
      const outcome = await send({ method: 'tools/call', params, ...defined({ signal }) })
      if (outcome.kind !== 'result') return failureOf(outcome)
      return readToolResult(outcome.result, outcome.response)
    },
  }
}

function currentMeta(clientInfo: { name: string; version: string }): Record<string, unknown> {
  return {
    [REVISION_META]: CURRENT_REVISION,
    [CLIENT_INFO_META]: clientInfo,
    [CLIENT_CAPABILITIES_META]: {},
  }
}

function wantsCurrent(outcome: RpcOutcome): boolean {
  return outcome.kind === 'error' && outcome.error.code === REVISION_UNSUPPORTED
}

/** Without a session, a server that uses them returns 400, and 404 for a session that it has forgotten. */
function wantsHandshake(outcome: RpcOutcome): boolean {
  if (outcome.kind === 'failed') return [400, 404].includes(outcome.failure.httpStatus ?? 0)
  if (outcome.kind !== 'error' || answerOf(outcome.error)) return false
  return [400, 404].includes(outcome.response.status)
}

type Shaken = { ok: true; headers: Record<string, string> } | { ok: false; outcome: RpcOutcome }

async function handshake(
  options: McpClientOptions,
  clientInfo: { name: string; version: string },
  signal: AbortSignal | undefined,
): Promise<Shaken> {
  const shared = { url: options.url, ...defined({ signal }) }
  const outcome = await sendRpcRequest(options, {
    ...shared,
    method: 'initialize',
    params: { protocolVersion: HANDSHAKE_REVISIONS[0], capabilities: {}, clientInfo },
  })
  if (outcome.kind !== 'result') return { ok: false, outcome }
  const { result, response } = outcome
  const agreed = isObject(result) ? result.protocolVersion : undefined
  const session = response.headers['mcp-session-id']
  const headers = {
    'mcp-protocol-version': typeof agreed === 'string' ? agreed : HANDSHAKE_REVISIONS[0],
    ...defined({ 'mcp-session-id': session }),
  }
  const method = 'notifications/initialized'
  await sendRpcRequest(options, { ...shared, method, params: {}, headers, hasAnswer: false })
  return { ok: true, headers }
}

/** `structuredContent`, else the first text that is a JSON object. */
function readToolResult(result: unknown, response: ClientResponse): CallResult {
  const httpStatus = response.status
  if (!isObject(result)) return { ...invalid('the agent gave no tool result'), httpStatus }
  const isError = result.isError === true
  const content = Array.isArray(result.content) ? result.content : []
  const texts = content.flatMap((part: unknown) =>
    isObject(part) && typeof part.text === 'string' && part.text.length <= MAX_TEXT_CHARS
      ? [part.text]
      : [],
  )
  const structured = isObject(result.structuredContent) ? result.structuredContent : undefined
  const body = structured ?? firstObject(texts)
  if (body) return resultOf(body, { isError, response })
  if (isError && texts[0]) return { ok: false, httpStatus, message: texts[0] }
  return { ...invalid('the tool result has no JSON object'), httpStatus }
}

function firstObject(texts: readonly string[]): Record<string, unknown> | undefined {
  for (const text of texts) {
    const found = objectOf(Buffer.from(text), TEXT_LIMITS)
    if (found) return found
  }
  return undefined
}

function invalid(message: string): CallFailure {
  return { ok: false, kind: 'invalid-answer', message }
}

function taskOf(tool: unknown): ListedTask[] {
  if (!isObject(tool) || typeof tool.name !== 'string') return []
  const { name, description, inputSchema, annotations } = tool
  const isReadOnly = isObject(annotations) ? annotations.readOnlyHint : undefined
  return [
    {
      name,
      ...defined({
        description: typeof description === 'string' ? description : undefined,
        inputSchema: isObject(inputSchema) ? inputSchema : undefined,
        changes: typeof isReadOnly === 'boolean' ? !isReadOnly : undefined,
      }),
    },
  ]
}

function failureOf(outcome: Exclude<RpcOutcome, { kind: 'result' }>): CallFailure {
  if (outcome.kind === 'failed') return outcome.failure
  return rpcFailure(outcome.error, outcome.response)
}

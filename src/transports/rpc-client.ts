// One JSON-RPC request to another agent, for the MCP and A2A clients: the response may arrive as JSON or as a stream
// of events that ends with it.

import { defined } from '../lib/defined.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { type CallFailure, type ClientOptions, type ClientResponse, exchange } from './client.ts'
import { objectIn, objectOf, resultOf, retryAfterOf, unreadable } from './client-answer.ts'
import { RPC_METHOD_NOT_FOUND, type RpcError } from './rpc-error.ts'

export interface RpcSend {
  url: string
  method: string
  params: Record<string, unknown>
  headers?: Record<string, string>
  signal?: AbortSignal
  /** False sends a notification, which gets no response. Default true. */
  hasAnswer?: boolean
}

export type RpcOutcome =
  /** The other side's result or error, with its HTTP status. */
  | { kind: 'result'; result: unknown; response: ClientResponse }
  | { kind: 'error'; error: RpcError; response: ClientResponse }
  /** No response, or one without a JSON-RPC answer. */
  | { kind: 'failed'; failure: CallFailure }

const ID = 1

export async function sendRpcRequest(
  options: ClientOptions,
  { url, method, params, headers = {}, signal, hasAnswer = true }: RpcSend,
): Promise<RpcOutcome> {
  const sent = await exchange(options, {
    url,
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      ...defined({ id: hasAnswer ? ID : undefined }),
      method,
      params,
    }),
    ...defined({ signal }),
  })
  if (!sent.ok) return { kind: 'failed', failure: sent }
  const { response } = sent
  const answer = answerIn(response)
  if (answer && isObject(answer.error)) {
    return { kind: 'error', error: errorOf(answer.error), response }
  }
  if (answer && 'result' in answer) return { kind: 'result', result: answer.result, response }
  return { kind: 'failed', failure: unreadable(response) }
}

/** An error may contain a whole answer in its data: one given before the message was read. */
export function rpcFailure(error: RpcError, response: ClientResponse): CallFailure {
  const answer = answerOf(error)
  if (answer) return resultOf(answer, { isError: true, response }) as CallFailure
  const { status } = response
  return {
    ok: false,
    ...defined({
      kind: error.code === RPC_METHOD_NOT_FOUND ? ('unsupported' as const) : undefined,
      code: status === 401 ? 'AUTH_MISSING' : undefined,
    }),
    httpStatus: status,
    ...defined({ retryAfterSeconds: retryAfterOf(response) }),
    message: error.message,
  }
}

export function answerOf({ data }: RpcError): Record<string, unknown> | undefined {
  return isObject(data) && Array.isArray(data.errors) ? data : undefined
}

function answerIn(response: ClientResponse): Record<string, unknown> | undefined {
  const { headers, body } = response
  if (!headers['content-type']?.includes('text/event-stream')) return objectIn(response)
  for (const event of eventsIn(body.toString('utf8').replaceAll('\r\n', '\n'))) {
    const answer = objectOf(Buffer.from(dataOf(event)))
    if (answer?.id === ID && ('result' in answer || 'error' in answer)) return answer
  }
  return undefined
}

/** For a stream: an agent may send other events before the response, but not endlessly. */
const MAX_EVENTS = 1_000

function* eventsIn(text: string): Generator<string> {
  let start = 0
  for (let count = 0; count < MAX_EVENTS && start < text.length; count++) {
    const end = text.indexOf('\n\n', start)
    yield end < 0 ? text.slice(start) : text.slice(start, end)
    if (end < 0) return
    start = end + 2
  }
}

function dataOf(event: string): string {
  return event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n')
}

function errorOf({ code, message, data }: Record<string, unknown>): RpcError {
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : 'the agent refused the message',
    data,
  }
}

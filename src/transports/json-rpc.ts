// JSON-RPC 2.0 as both MCP and A2A use it (spec 4.2 leaves the carrier open): what kind of message a body is, and how
// a response is written. Results are spliced in as JSON that was already serialized.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Failed, refusedAnswer } from '../agent/answer.ts'
import { defined } from '../lib/defined.ts'
import { taskError } from '../protocol/errors.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { BodyRefused } from './authenticate.ts'
import { challengeOf } from './challenge.ts'
import { faultOf, type HttpFault, logFault } from './http/errors.ts'
import { BodyFault } from './http/read-body.ts'
import { codeOf, STATUS } from './http/task-errors.ts'
import { RPC_INVALID_REQUEST, type RpcError } from './rpc-error.ts'

export type RpcId = string | number | null

export const RPC_PARSE_ERROR = -32_700
export const RPC_INTERNAL_ERROR = -32_603
/** Our own: neither MCP nor A2A has codes for HTTP 401 and 429. */
const RPC_KEY_REFUSED = -32_028
const RPC_RATE_LIMITED = -32_029

export interface RpcRequest {
  kind: 'request'
  id: RpcId
  method: string
  /** Undefined if there are none or they are not an object. */
  params: Record<string, unknown> | undefined
}

export type RpcMessage =
  | RpcRequest
  | { kind: 'notification'; method: string; params: Record<string, unknown> | undefined }
  /** A response to a request that a server might have sent. */
  | { kind: 'response' }
  | { kind: 'invalid'; id: RpcId; message: string }

export function readRpcMessage(body: unknown): RpcMessage {
  if (!isObject(body)) return invalid(null, 'the body must be a JSON-RPC 2.0 message')
  const { jsonrpc, method } = body
  const hasId = Object.hasOwn(body, 'id')
  const id = hasId && isRpcId(body.id) ? body.id : null
  if (jsonrpc !== '2.0') return invalid(id, 'jsonrpc must be "2.0"')
  if (method === undefined && ('result' in body || 'error' in body)) return { kind: 'response' }
  if (typeof method !== 'string' || method === '') return invalid(id, 'method must be a string')
  if (hasId && !isRpcId(body.id))
    return invalid(null, `id must be an integer, or a string of at most ${MAX_ID_CHARS} characters`)
  const params = isObject(body.params) ? body.params : undefined
  if (!hasId) return { kind: 'notification', method, params }
  return { kind: 'request', id, method, params }
}

/** The messages of a body that call a method, whether it is one message or a batch. */
export function rpcCalls(body: unknown): Pick<RpcRequest, 'method' | 'params'>[] {
  return (Array.isArray(body) ? body : [body]).flatMap((message) => {
    const read = readRpcMessage(message)
    return read.kind === 'request' || read.kind === 'notification' ? [read] : []
  })
}

/** The text of a successful answer; `result` is JSON. */
export function rpcResult(id: RpcId, result: string): string {
  const [head, tail] = rpcResultAround(id)
  return `${head}${result}${tail}`
}

/** The text before and after the result of a successful response. */
export function rpcResultAround(id: RpcId): [head: string, tail: string] {
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, '}']
}

export function rpcError(id: RpcId, { code, message, data }: RpcError): string {
  const error = { code, message, ...defined({ data }) }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

export function sendRpc(reply: FastifyReply, status: number, text: string | Buffer): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text)
}

/** For authentication: a message that was not read has no id, and `data` is the answer. */
export function refuseRpc(reply: FastifyReply, answer: Failed, bearer?: string): FastifyReply {
  const status = STATUS[answer.code]
  if (status === 401) reply.header('www-authenticate', challengeOf(answer, bearer))
  if (answer.retryAfterSeconds) reply.header('retry-after', String(answer.retryAfterSeconds))
  return sendRpc(reply, status, refusalText(answer, rpcCodeOf(status)))
}

/** For a route's `errorHandler`: errors before or inside a request, as JSON-RPC errors. */
export function rpcFaults(identifiers: Identifiers) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof BodyRefused) {
      return refuseRpc(reply, refusedAnswer(error.error, identifiers))
    }
    const fault = faultOf(error)
    logFault(request, error, fault)
    const code = error instanceof BodyFault ? RPC_INVALID_REQUEST : undefined
    return sendRpcFault(reply, fault, { identifiers, code })
  }
}

/** An error in a request as a whole. */
export function sendRpcFault(
  reply: FastifyReply,
  { status, error, retryAfterSeconds }: HttpFault,
  { identifiers, code }: { identifiers: Identifiers; code?: number | undefined },
): FastifyReply {
  if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds))
  const extras = retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }
  const answer = refusedAnswer(taskError(codeOf(status), error, extras), identifiers)
  const text = refusalText(answer, status === 400 && code ? code : rpcCodeOf(status))
  return sendRpc(reply, status, text)
}

function refusalText({ body }: Failed, code: number): string {
  const [first] = body.errors as [{ message: string }]
  return rpcError(null, { code, message: first.message, data: body })
}

const RPC_CODES: ReadonlyMap<number, number> = new Map([
  [400, RPC_PARSE_ERROR],
  [401, RPC_KEY_REFUSED],
  [429, RPC_RATE_LIMITED],
])

function rpcCodeOf(status: number): number {
  if (status >= 500) return RPC_INTERNAL_ERROR
  return RPC_CODES.get(status) ?? RPC_INVALID_REQUEST
}

/** Every response contains the id, including those that must be small. */
const MAX_ID_CHARS = 1_024

function isRpcId(value: unknown): value is RpcId {
  if (typeof value === 'string') return value.length <= MAX_ID_CHARS
  return value === null || Number.isInteger(value)
}

function invalid(id: RpcId, message: string): RpcMessage {
  return { kind: 'invalid', id, message: `Invalid request: ${message}` }
}

// What the callers of the three wires share: how they reach another agent, and how its answer is read
// (spec 3.2, 7). Whatever an agent sends is judged here; nothing it sends is thrown.

import { defined } from '../lib/defined.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { tryJsonObject } from '../lib/try-json.ts'
import { isObject } from '../protocol/schemas/checks.ts'

export type CallResult =
  /** `status` is the answer's own: completed, submitted, working, input-required. */
  { ok: true; status: string; body: Record<string, unknown> } | CallFailure

export interface CallFailure {
  ok: false
  /** The agent's error code, when its answer has one. */
  code?: string
  /** The agent's answer, when there was one. */
  body?: Record<string, unknown>
  httpStatus?: number
  message: string
}

export interface ListedTask {
  name: string
  description?: string
  inputSchema?: Record<string, unknown>
}

export type TaskList = { ok: true; tasks: ListedTask[] } | CallFailure

export interface TaskClient {
  listTasks(options?: CallOptions): Promise<TaskList>
  call(task: string, request: Record<string, unknown>, options?: CallOptions): Promise<CallResult>
}

export interface CallOptions {
  /** Ends the call. Default none. */
  signal?: AbortSignal
}

export interface ClientOptions {
  /** Where the agent answers. */
  url: string
  /** Sent as a bearer key. Default none. */
  key?: string
  fetch: ClientFetch
}

export interface ClientRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
}

export interface ClientResponse {
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
  body: Buffer
}

/** Sends one request; rejects, with a message that may be shown, when there is no response. */
export type ClientFetch = (request: ClientRequest) => Promise<ClientResponse>

/** Largest answer that is read. */
const MAX_ANSWER_BYTES = 4 * 1_024 * 1_024
const CALL_TIMEOUT_MS = 60_000
const FAILED = ['failed', 'rejected', 'canceled']

/** The way out of the server, with its guard. */
export function throughEgress(
  { fetch }: Pick<Egress, 'fetch'>,
  { timeoutMs = CALL_TIMEOUT_MS }: { timeoutMs?: number } = {},
): ClientFetch {
  return async (request) => {
    const limits = { totalTimeoutMs: timeoutMs, maxBytes: MAX_ANSWER_BYTES }
    const result = await fetch({ ...request, ...limits })
    if (!result.ok) throw new Error(result.message)
    return result
  }
}

/** A response, or why there is none. */
export async function exchange(
  { fetch, key }: Pick<ClientOptions, 'fetch' | 'key'>,
  request: ClientRequest,
): Promise<{ ok: true; response: ClientResponse } | CallFailure> {
  const headers = {
    accept: 'application/json',
    ...defined({
      'content-type': request.body === undefined ? undefined : 'application/json',
      authorization: key === undefined ? undefined : `Bearer ${key}`,
    }),
    ...request.headers,
  }
  try {
    return { ok: true, response: await fetch({ ...request, headers }) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'no response'
    return { ok: false, message: `the agent could not be reached: ${reason}` }
  }
}

/** The body as a JSON object; undefined when it is none. */
export function objectIn({ body }: ClientResponse): Record<string, unknown> | undefined {
  return tryJsonObject(body.toString('utf8'))
}

/** Reads an answer's body: a status of failure is one, whatever the wire said. */
export function resultOf(
  body: Record<string, unknown>,
  { isError = false, httpStatus }: { isError?: boolean; httpStatus?: number } = {},
): CallResult {
  const status = typeof body.status === 'string' ? body.status : 'completed'
  if (!isError && !FAILED.includes(status)) return { ok: true, status, body }
  const { code, message } = firstError(body)
  return {
    ok: false,
    ...defined({ code }),
    body,
    ...defined({ httpStatus }),
    message: message ?? `the agent answered ${status}`,
  }
}

/** `errors` comes first, then the member named after the protocol, then the creative agent's. */
function firstError(body: Record<string, unknown>): { code?: string; message?: string } {
  const named = Object.keys(body).find((member) => member.endsWith('_error'))
  const listed = Array.isArray(body.errors) ? body.errors[0] : undefined
  for (const error of [listed, named === undefined ? undefined : body[named], body.error]) {
    if (typeof error === 'string') return { message: error }
    if (!isObject(error)) continue
    return {
      ...defined({
        code: typeof error.code === 'string' ? error.code : undefined,
        message: typeof error.message === 'string' ? error.message : undefined,
      }),
    }
  }
  return {}
}

/** A response that carries no answer at all. */
export function unreadable({ status }: ClientResponse): CallFailure {
  return {
    ok: false,
    ...defined({ code: status === 401 ? 'AUTH_MISSING' : undefined }),
    httpStatus: status,
    message:
      status === 401
        ? 'the agent wants a key, or another one'
        : `the agent answered HTTP ${status} without a JSON answer`,
  }
}

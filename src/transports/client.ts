// Shared by the clients of the three transports: how they reach another agent (spec 4.2). Every request of every
// transport is sent through `exchange`; no error on the way is thrown.

import { defined } from '../lib/defined.ts'
import { isUrl } from '../lib/is-url.ts'
import type { EgressFailure } from '../lib/safe-fetch/outcome.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'

export type CallResult =
  /** `status` is the status in the answer: completed, submitted, working, input-required. */
  { ok: true; status: string; body: Record<string, unknown> } | CallFailure

/**
 * Why there is no answer; an agent's own rejection has none of these. `unreachable`: no response. `invalid-answer`: a
 * response that violates the protocol. `unsupported`: the agent does not support this.
 */
export type FailureKind = 'unreachable' | 'timeout' | 'cancelled' | 'invalid-answer' | 'unsupported'

export interface CallFailure {
  ok: false
  kind?: FailureKind
  /** The agent's error code, when its answer has one. */
  code?: string
  /** The agent's answer, when there was one. */
  body?: Record<string, unknown>
  httpStatus?: number
  /** Seconds to wait, if the response has them and the answer does not. */
  retryAfterSeconds?: number
  message: string
}

export interface ListedTask {
  name: string
  description?: string
  inputSchema?: Record<string, unknown>
  /** Whether it changes something, where the agent says so. */
  changes?: boolean
}

/** `isCut`: the agent lists more than the limit; the rest is not read. */
export type TaskList = { ok: true; tasks: ListedTask[]; isCut?: true } | CallFailure

export interface TaskClient {
  listTasks(options?: CallOptions): Promise<TaskList>
  call(task: string, request: Record<string, unknown>, options?: CallOptions): Promise<CallResult>
  /** The status of a task of the transport itself, for a transport that has tasks. */
  getTask?(native: NativeTask, options?: CallOptions): Promise<CallResult>
}

/** A task of the transport, which is not the `task_id` of the protocol. */
export interface NativeTask {
  taskId: string
  contextId?: string
}

export interface CallOptions {
  /** Ends the call. Default none. */
  signal?: AbortSignal
  /** Receives the transport's own task, over a transport that has tasks. */
  onNative?(native: NativeTask): void
  /** Continues this task of the transport: the request is its further input. */
  native?: NativeTask
}

/**
 * The headers to add to a request. `headers` has lower-case names; `body` is sent byte for byte. An error it
 * throws is reported as a request that could not be sent.
 */
export type RequestSigner = (request: {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: Uint8Array
}) => Promise<Record<string, string>>

export interface ClientOptions {
  /** Where the agent answers. */
  url: string
  /** Sent as a bearer key, only to the origin of `url`. Default: none. */
  key?: string
  /** Adds headers to every request. Default none. */
  signer?: RequestSigner
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

/**
 * Sends one request and follows no redirect; rejects, with a message that is safe to display, when there is no
 * response.
 */
export type ClientFetch = (request: ClientRequest) => Promise<ClientResponse>

/** Why there was no response. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Largest answer that is read. */
const MAX_ANSWER_BYTES = 4 * 1_024 * 1_024
const CALL_TIMEOUT_MS = 60_000

/** The server's egress client, with its guard. */
export function throughEgress(
  { fetch }: Pick<Egress, 'fetch'>,
  { timeoutMs = CALL_TIMEOUT_MS }: { timeoutMs?: number } = {},
): ClientFetch {
  return async (request) => {
    const limits = { totalTimeoutMs: timeoutMs, maxBytes: MAX_ANSWER_BYTES }
    const result = await fetch({ ...request, ...limits })
    if (!result.ok) throw new NoResponse(kindOf(result.code), result.message)
    return result
  }
}

/** How a request that got no response affects its call. */
export function kindOf(code: EgressFailure): FailureKind {
  if (code === 'timeout') return 'timeout'
  if (code === 'aborted') return 'cancelled'
  return code === 'too_large' || code === 'decode_failed' ? 'invalid-answer' : 'unreachable'
}

/** A response, or why there is none. */
export async function exchange(
  options: Pick<ClientOptions, 'url' | 'fetch' | 'key' | 'signer'>,
  request: ClientRequest,
): Promise<{ ok: true; response: ClientResponse } | CallFailure> {
  const { key, signer, fetch } = options
  // A key is only sent to the origin it was issued for, whatever a card or a listing names.
  const isHome = originOf(request.url) === originOf(options.url)
  const headers = {
    accept: 'application/json',
    ...defined({
      'content-type': request.body === undefined ? undefined : 'application/json',
      authorization: key !== undefined && isHome ? `Bearer ${key}` : undefined,
    }),
    ...request.headers,
  }
  try {
    const added = signer ? await signed(signer, { ...request, headers }) : {}
    return { ok: true, response: await fetch({ ...request, headers: { ...headers, ...added } }) }
  } catch (error) {
    if (request.signal?.aborted) return stopped(request.signal)
    const reason = error instanceof Error ? error.message : 'no response'
    const kind = error instanceof NoResponse ? error.kind : 'unreachable'
    const what =
      kind === 'invalid-answer' ? 'the answer could not be read' : 'the agent could not be reached'
    return { ok: false, kind, message: `${what}: ${reason}` }
  }
}

async function signed(
  signer: RequestSigner,
  { method, url, headers, body }: ClientRequest,
): Promise<Record<string, string>> {
  const bytes = body === undefined ? undefined : Buffer.from(body)
  try {
    return await signer({ method, url, headers, ...defined({ body: bytes }) })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it gave no reason'
    throw new NoResponse('unsupported', `the request could not be signed: ${why}`, { cause })
  }
}

/** The meaning of an aborted signal: the time is up, or a caller gave up. */
export function stopped({ reason }: AbortSignal): CallFailure {
  const isLate = reason instanceof Error && reason.name === 'TimeoutError'
  return isLate
    ? { ok: false, kind: 'timeout', message: 'the agent timed out' }
    : { ok: false, kind: 'cancelled', message: 'the call was cancelled before the agent responded' }
}

export function originOf(url: string): string | undefined {
  return isUrl(url) ? new URL(url).origin : undefined
}

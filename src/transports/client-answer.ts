// How another agent's response is read, for callers of the three transports (spec 3.2, 7). Everything an agent sends
// is validated here, within limits, and never causes a throw.

import { type BoundedJsonLimits, parseBoundedJson } from '../lib/bounded-json.ts'
import { defined } from '../lib/defined.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import type { CallFailure, CallResult, ClientResponse } from './client.ts'

const FAILED = ['failed', 'rejected', 'canceled']

/** For an answer: deeper values could not be compared or serialized again. */
const ANSWER_LIMITS: BoundedJsonLimits = { maxDepth: 100, maxValues: 500_000, maxMembers: 50_000 }

/** For an answer inside a text of another one, which was not counted while that was received. */
export const TEXT_LIMITS: BoundedJsonLimits = { ...ANSWER_LIMITS, maxValues: 100_000 }

/** The bytes as a JSON object; undefined if they are not one, or exceed the limits. */
export function objectOf(
  bytes: Uint8Array,
  limits: BoundedJsonLimits = ANSWER_LIMITS,
): Record<string, unknown> | undefined {
  const parsed = parseBoundedJson(bytes, limits)
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined
}

/** The body as a JSON object; undefined if it is not one. */
export function objectIn({ body }: ClientResponse): Record<string, unknown> | undefined {
  return objectOf(body)
}

/** Reads the body of a response: a failure status is a failure, whatever the transport reported. */
export function resultOf(
  body: Record<string, unknown>,
  { isError = false, response }: { isError?: boolean; response?: ClientResponse } = {},
): CallResult {
  const status = typeof body.status === 'string' ? body.status : 'completed'
  if (!isError && !FAILED.includes(status)) return { ok: true, status, body }
  if (!isError && isStatusOfBuy(body)) return { ok: true, status: 'completed', body }
  const { code, message, retry_after } = firstErrorIn(body)
  const reported = retry_after === undefined && response ? retryAfterOf(response) : undefined
  return {
    ok: false,
    ...defined({ code }),
    body,
    ...defined({ httpStatus: response?.status, retryAfterSeconds: reported }),
    message: message ?? `the agent answered ${status}`,
  }
}

/** In 3.0, `status` of a changed media buy may be the buy's own: a buy that was canceled is no failure. */
function isStatusOfBuy({
  status,
  media_buy_id,
  task_id,
  errors,
}: Record<string, unknown>): boolean {
  const isEnd = status === 'canceled' || status === 'rejected'
  return isEnd && typeof media_buy_id === 'string' && task_id === undefined && errors === undefined
}

/** An error from a response, with those members that have valid values. */
export interface ReadError {
  code?: string
  message?: string
  field?: string
  recovery?: string
  retry_after?: number
}

/** `errors` comes first, then the member named after the protocol, then the creative agent's. */
export function firstErrorIn(body: Readonly<Record<string, unknown>>): ReadError {
  const named = Object.keys(body).find((member) => member.endsWith('_error'))
  const listed: unknown = Array.isArray(body.errors) ? body.errors[0] : undefined
  for (const error of [listed, named === undefined ? undefined : body[named], body.error]) {
    if (typeof error === 'string') return { message: error }
    if (!isObject(error)) continue
    const { retry_after } = error
    return {
      ...defined({
        code: textOf(error.code),
        message: textOf(error.message),
        field: textOf(error.field),
        recovery: textOf(error.recovery),
        retry_after: typeof retry_after === 'number' && retry_after >= 0 ? retry_after : undefined,
      }),
    }
  }
  return {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A response without an answer. */
export function unreadable(response: ClientResponse): CallFailure {
  const { status } = response
  return {
    ok: false,
    ...(status === 401 ? { code: 'AUTH_MISSING' } : { kind: 'invalid-answer' as const }),
    httpStatus: status,
    ...defined({ retryAfterSeconds: retryAfterOf(response) }),
    message: wordsFor(response),
  }
}

function wordsFor({ status, headers }: ClientResponse): string {
  if (status === 401) return 'the agent requires a key, or a different one'
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return `the agent returned HTTP ${status}, a redirect, which is not followed: use the address that it leads to`
  }
  return `the agent returned HTTP ${status} without JSON`
}

/** In seconds; the date form is not supported. */
export function retryAfterOf({ headers }: ClientResponse): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  return /^\d{1,7}$/.test(text) ? Number(text) : undefined
}

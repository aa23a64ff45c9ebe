// One request to the console's API, returned as a value: the answer, or the error as a human-readable message.

import type { ApiError } from '../../../src/console/api/common.ts'
import { session, sessionEnded } from '../session.ts'
import { sentence } from '../words.ts'

/** Why there is no answer: what a view displays, and which remedy it offers. */
export interface Fault {
  kind: 'away' | 'signed-out' | 'forbidden' | 'missing' | 'busy' | 'refused' | 'broken'
  code: string
  message: string
  /** For a missing session: whether one click opens the demo. */
  demo?: boolean | undefined
  /** For a missing session: whether people sign in at an identity provider. */
  provider?: boolean | undefined
}

export type Answer<T> = { ok: true; value: T } | { ok: false; fault: Fault }

export interface RequestOptions {
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  signal?: AbortSignal
}

const KINDS: Readonly<Record<number, Fault['kind']>> = {
  401: 'signed-out',
  403: 'forbidden',
  404: 'missing',
  429: 'busy',
  502: 'away',
  503: 'away',
  504: 'away',
}

export async function request<T>(
  method: string,
  path: string,
  { query = {}, body, signal }: RequestOptions = {},
): Promise<Answer<T>> {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  const url = search.size > 0 ? `${path}?${search}` : path
  // Without a custom header, so that a request that the browser already sent because of the page's links is not
  // repeated.
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = 'application/json'
  const csrf = session.peek()?.csrf
  if (method !== 'GET' && csrf !== undefined) headers['x-adwire-csrf'] = csrf
  let response: Response
  let parsed: unknown
  try {
    response = await fetch(url, {
      method,
      headers,
      credentials: 'same-origin',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const text = await response.text()
    parsed = text === '' ? undefined : JSON.parse(text)
  } catch (error) {
    if (signal?.aborted) throw error
    return { ok: false, fault: AWAY }
  }
  if (response.ok) return { ok: true, value: parsed as T }
  return { ok: false, fault: faultOf(response.status, parsed) }
}

export const AWAY: Fault = {
  kind: 'away',
  code: 'unreachable',
  message: 'The server does not answer. It may be restarting, or the network is down.',
}

/** What a refusal says, regardless of the caller. */
export function faultOf(status: number, body: unknown): Fault {
  const { error, demo, provider } = (body ?? {}) as Partial<ApiError>
  const { code, message } = error ?? {}
  // A user who was signed in must sign in again, and stays where they were.
  if (status === 401 && session.peek()) sessionEnded()
  return {
    demo,
    provider,
    kind: KINDS[status] ?? (status >= 500 ? 'broken' : 'refused'),
    code: code ?? `http_${status}`,
    message: sentence(message ?? `the server returned ${status} without a reason`),
  }
}

// Forwards a message to another server, for `adwire receive --forward`.

import type { MessageLine } from './message-line.ts'
import type { GuardedFetch } from './named-egress.ts'

const TIMEOUT_MS = 15_000

/** Resolves when the server answered 2xx; anything else is thrown, and the message is sent again. */
export async function forward(
  url: string,
  line: MessageLine,
  { fetch, signal }: Pick<GuardedFetch, 'fetch'> & { signal: AbortSignal },
): Promise<void> {
  const answer = await fetch({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': line.idempotency_key },
    body: JSON.stringify(line),
    totalTimeoutMs: TIMEOUT_MS,
    overflow: 'truncate',
    signal,
  })
  if (!answer.ok) throw new Error(`forwarding failed: ${answer.message}`)
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`forwarding failed: the server answered ${answer.status}`)
  }
}

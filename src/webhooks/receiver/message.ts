// A message as the application receives it: what was verified about it, and the content of its body.

import { extractPayload } from './extract.ts'
import type { NewMessage } from './store.ts'

export interface WebhookMessage
  extends Pick<
    NewMessage,
    'sender' | 'idempotency_key' | 'route' | 'family' | 'task_id' | 'operation_id' | 'status'
  > {
  /** When it happened by the sender's clock, in milliseconds. */
  event_at: number | undefined
  /** When it was acknowledged, in milliseconds. */
  received_at: number
  /** The whole body, parsed. */
  payload: unknown
  /** The data of a task (spec 6.1): `result`, or the part of A2A that holds it; null without. */
  data: unknown
  /** The body as it was received, byte for byte. */
  body: Uint8Array
}

type Kept = Omit<NewMessage, 'digest'> & { received_at: number }

export function readMessage(kept: Kept): WebhookMessage {
  const { sender, idempotency_key, route, family, task_id, operation_id, status } = kept
  const { event_at, received_at, body } = kept
  // It was parsed strictly before it was stored, so this cannot fail.
  const payload: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
  const extracted = extractPayload(payload)
  return {
    sender,
    idempotency_key,
    route,
    family,
    task_id,
    operation_id,
    status,
    event_at,
    received_at,
    payload,
    body,
    data: extracted.ok ? extracted.data : null,
  }
}

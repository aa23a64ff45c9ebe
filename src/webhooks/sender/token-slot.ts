// The token of a registration in the body of a webhook (spec 2.9): the body is stored without it, with the sealed
// token next to it, so that reading the database reveals no token. The token is inserted again when the webhook is
// sent, so the bytes are the same in every attempt, even if the channel has a new token meanwhile.

import { randomUUID } from 'node:crypto'
import type { SecretBox } from '../../lib/secret-box.ts'

export interface TokenSlot {
  /** The token, sealed for this delivery. */
  sealed: string
  /** The byte offset in the body where it is inserted. */
  at: number
  /** How many bytes that adds. */
  bytes: number
}

export interface SlottedBody {
  body: Uint8Array
  token: TokenSlot | undefined
}

/** Writes a payload with a token, or without one if there is none. */
export function writeBody(
  writeWith: (token: string | undefined) => string,
  token: string | undefined,
  { idempotency_key, box }: { idempotency_key: string; box: SecretBox },
): SlottedBody {
  if (token === undefined) return { body: Buffer.from(writeWith(undefined)), token: undefined }
  // Random, so that nothing else in the payload can look like it.
  const slot = randomUUID()
  const text = writeWith(slot)
  const start = text.indexOf(slot)
  // A form without a member for the token sends it in a header.
  if (start < 0) return { body: Buffer.from(text), token: undefined }
  const before = Buffer.from(text.slice(0, start))
  const after = Buffer.from(text.slice(start + slot.length))
  return {
    body: Buffer.concat([before, after]),
    token: {
      sealed: box.seal(token, contextOf(idempotency_key)),
      at: before.byteLength,
      bytes: inJson(token).byteLength,
    },
  }
}

export type FilledBody = { ok: true; body: Uint8Array; token: string | undefined } | { ok: false }

/** The body as sent. Throws if the box has a different secret than the one that sealed the token. */
export function fillBody(
  { body, token, idempotency_key }: SlottedBody & { idempotency_key: string },
  box: SecretBox,
): FilledBody {
  if (!token) return { ok: true, body, token: undefined }
  const opened = box.open(token.sealed, contextOf(idempotency_key))
  if (!opened.ok) return opened
  const filled = [body.subarray(0, token.at), inJson(opened.text), body.subarray(token.at)]
  return { ok: true, body: Buffer.concat(filled), token: opened.text }
}

/** JSON-escaped, without the quotation marks. */
function inJson(token: string): Buffer {
  return Buffer.from(JSON.stringify(token).slice(1, -1))
}

function contextOf(idempotency_key: string): string {
  return JSON.stringify(['webhook delivery', idempotency_key])
}

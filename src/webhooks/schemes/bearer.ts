// The legacy Bearer scheme, for sender and receiver (spec 5): a shared token in the Authorization header. It
// identifies the sender and does not protect the content.

import { createHash, timingSafeEqual } from 'node:crypto'
import { headerLines } from '../../signing/message-headers.ts'
import type { HttpMessage } from '../../signing/ports.ts'

/** @internal */
export const BEARER_FAILURES = ['webhook_bearer_missing', 'webhook_bearer_invalid'] as const
export type BearerFailure = (typeof BEARER_FAILURES)[number]

export type BearerVerdict = { ok: true } | { ok: false; code: BearerFailure; detail: string }

export type BearerSigned =
  | { ok: true; headers: Record<string, string> }
  | { ok: false; error: 'credentials_unusable'; detail: string }

export function signBearer(credentials: string): BearerSigned {
  const detail = faultOfToken(credentials)
  if (detail) return { ok: false, error: 'credentials_unusable', detail }
  return { ok: true, headers: { authorization: `Bearer ${credentials}` } }
}

export function verifyBearer(headers: HttpMessage['headers'], credentials: string): BearerVerdict {
  const values = headerLines(headers).get('authorization')
  const token = values?.length === 1 ? /^bearer +(\S+)$/i.exec(values[0] ?? '')?.[1] : undefined
  if (token === undefined) {
    return {
      ok: false,
      code: 'webhook_bearer_missing',
      detail: 'Authorization must be present once, as Bearer and a token',
    }
  }
  // Digests have equal length, so comparing them reveals nothing about the length of the token.
  const isSame = timingSafeEqual(digest(token), digest(credentials))
  if (isSame && faultOfToken(credentials) === undefined) return { ok: true }
  return {
    ok: false,
    code: 'webhook_bearer_invalid',
    detail: 'the token is not the registered one',
  }
}

const MIN_TOKEN_CHARACTERS = 32

/** Why a token cannot be used; undefined for a usable one. */
export function faultOfToken(credentials: string): string | undefined {
  if (credentials.length < MIN_TOKEN_CHARACTERS) {
    return `the credentials are shorter than ${MIN_TOKEN_CHARACTERS} characters`
  }
  if (!/^[\x21-\x7e]+$/.test(credentials)) {
    return 'the credentials have a character that is not visible ASCII'
  }
  return undefined
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

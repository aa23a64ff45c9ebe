// The legacy HMAC-SHA256 scheme, for sender and receiver (spec 5): the message is the timestamp, a dot and the raw
// body; the secret is used as its literal text.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseStrictJson } from '../../lib/strict-json.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import { headerLines } from '../../signing/message-headers.ts'
import type { HttpMessage } from '../../signing/ports.ts'

export type HmacNames = Pick<Identifiers, 'signatureHeader' | 'timestampHeader'>

/** @internal */
export const HMAC_FAILURES = [
  'webhook_hmac_header_malformed',
  'webhook_hmac_timestamp_malformed',
  'webhook_hmac_window_invalid',
  'webhook_hmac_invalid',
  'webhook_hmac_secret_unusable',
  'webhook_body_malformed',
] as const
export type HmacFailure = (typeof HMAC_FAILURES)[number]

export type HmacVerdict =
  | { ok: true }
  | { ok: false; code: HmacFailure; detail: string; repeatedKeys?: string[] }

export type HmacSigned =
  | { ok: true; headers: Record<string, string> }
  | { ok: false; error: 'duplicate_key_input' | 'secret_unusable'; detail: string }

export interface HmacSecrets {
  current: string
  /** The secret before the last change, and the time of that change in seconds. */
  previous?: { secret: string; changedAt: number }
}

export interface HmacOptions {
  names: HmacNames
  /** Unix time in seconds. */
  now: number
}

/** How far a timestamp may be from now, and how long a replaced secret is accepted, in seconds. */
const TOLERANCE_SECONDS = 300
const MIN_SECRET_BYTES = 32

/** The headers for a body that is about to be sent, byte for byte. */
export function signHmac(
  body: Uint8Array,
  secret: string,
  { names, now }: HmacOptions,
): HmacSigned {
  const unusable = faultOfSecret(secret)
  if (unusable) return { ok: false, error: 'secret_unusable', detail: unusable }
  const read = parseStrictJson(body)
  if (!read.ok && read.reason === 'duplicate_keys') {
    const detail = 'the body has an object with the same key twice: receivers disagree about it'
    return { ok: false, error: 'duplicate_key_input', detail }
  }
  const timestamp = String(Math.floor(now))
  return {
    ok: true,
    headers: {
      [names.signatureHeader]: signatureOf(secret, timestamp, body),
      [names.timestampHeader]: timestamp,
    },
  }
}

export function verifyHmac(
  { headers, body }: Pick<HttpMessage, 'headers' | 'body'>,
  { current, previous }: HmacSecrets,
  { names, now }: HmacOptions,
): HmacVerdict {
  const lines = headerLines(headers)
  const signature = lines.get(names.signatureHeader)
  const timestamp = lines.get(names.timestampHeader)
  if (signature?.length !== 1 || timestamp?.length !== 1) {
    const wanted = `${names.signatureHeader} and ${names.timestampHeader}`
    return refuse('webhook_hmac_header_malformed', `${wanted} must both come, once each`)
  }
  const [sent = ''] = timestamp
  if (!SECONDS.test(sent)) {
    return refuse('webhook_hmac_timestamp_malformed', 'the timestamp must be Unix seconds, digits')
  }
  if (Math.abs(now - Number(sent)) > TOLERANCE_SECONDS) {
    const limit = `more than ${TOLERANCE_SECONDS} s from now`
    return refuse('webhook_hmac_window_invalid', `the timestamp is ${limit}`)
  }

  const isRecent = previous && now - previous.changedAt <= TOLERANCE_SECONDS
  const secrets = isRecent ? [current, previous.secret] : [current]
  const unusable = secrets.map(faultOfSecret).find((fault) => fault !== undefined)
  if (unusable) return refuse('webhook_hmac_secret_unusable', unusable)
  // Every secret is tried, so the time taken does not reveal which one matched.
  const fits = secrets.map((secret) => isEqual(signature[0], signatureOf(secret, sent, body)))
  if (!fits.includes(true)) {
    return refuse('webhook_hmac_invalid', 'the signature does not match the timestamp and the body')
  }
  return checkKeys(body)
}

/** Why a secret is too weak; undefined for a usable one. */
export function faultOfSecret(secret: string): string | undefined {
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES) {
    return `the secret is shorter than ${MIN_SECRET_BYTES} bytes`
  }
  if (new Set(secret).size === 1) return 'the secret is one character repeated'
  if (isShortBlockRepeated(Buffer.from(secret))) return 'the secret is a short text repeated'
  return undefined
}

/** A repeated block is as easy to guess as the block itself: one shorter than this many bytes can be brute-forced. */
const MIN_BLOCK_BYTES = 8

function isShortBlockRepeated(bytes: Uint8Array): boolean {
  for (let length = 1; length < MIN_BLOCK_BYTES; length++) {
    if (bytes.every((byte, index) => byte === bytes[index % length])) return true
  }
  return false
}

/** No sign, space, point or exponent, and no leading zero: each second has exactly one spelling. */
const SECONDS = /^(?:0|[1-9][0-9]{0,11})$/

function signatureOf(secret: string, timestamp: string, body: Uint8Array): string {
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body)
  return `sha256=${hmac.digest('hex')}`
}

function isEqual(given: string | undefined, expected: string): boolean {
  const a = Buffer.from(given ?? '')
  const b = Buffer.from(expected)
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}

/**
 * After the signature, so that only the sender can consume CPU time here. Other errors are reported by the envelope's
 * check.
 */
function checkKeys(body: Uint8Array): HmacVerdict {
  const read = parseStrictJson(body)
  if (read.ok || read.reason !== 'duplicate_keys') return { ok: true }
  const refusal = refuse('webhook_body_malformed', 'an object of the body has the same key twice')
  return { ...refusal, repeatedKeys: read.keys }
}

function refuse(code: HmacFailure, detail: string): HmacVerdict & { ok: false } {
  return { ok: false, code, detail }
}

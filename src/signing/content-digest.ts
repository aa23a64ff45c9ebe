// Writes and checks `Content-Digest`, which binds the raw bytes of the body to the signature (spec 5; RFC 9530 §2).
// Only sha-256 counts; other algorithms next to it are ignored.

import { hash } from 'node:crypto'
import { decodeBase64, decodePaddedBase64, encodeBase64Url } from '../lib/base64.ts'
import type { SigningProfile } from './profile.ts'
import { readByteSequence, readDictionary } from './structured-fields.ts'

type Binary = SigningProfile['binary']

export function createContentDigest(body: Uint8Array, binary: Binary = 'base64url'): string {
  return `sha-256=:${hash('sha256', body, binary)}:`
}

/** `digest` is in base64url whatever the received encoding, and undefined if only other algorithms were sent. */
export type ContentDigestResult =
  | { ok: true; digest: string | undefined }
  | { ok: false; reason: string }

/**
 * The sha-256 of a field in either alphabet, or in padded standard base64 if `binary` says so; duplicate or malformed
 * ones are refused.
 */
export function readContentDigest(
  field: string,
  binary: Binary = 'base64url',
): ContentDigestResult {
  const usual = binary === 'base64url' && USUAL.exec(field)
  if (usual) return { ok: true, digest: usual[1] }
  const read = readDictionary(field)
  if (!read.ok) return read
  const member = read.members.get('sha-256')
  if (member === undefined) return { ok: true, digest: undefined }
  const text = readByteSequence(member)
  if (text === undefined) return { ok: false, reason: 'has a sha-256 that is no byte sequence' }
  const decoded = binary === 'base64' ? decodePaddedBase64(text) : decodeBase64(text)
  if (!decoded.ok) return { ok: false, reason: `has a sha-256 that ${decoded.reason}` }
  return { ok: true, digest: encodeBase64Url(decoded.bytes) }
}

export function isDigestOf(digest: string, body: Uint8Array): boolean {
  return digest === sha256(body)
}

// 32 bytes in canonical base64url: `decodeBase64` would return the text itself.
const USUAL = /^sha-256=:([\w-]{42}[AEIMQUYcgkosw048]):$/

function sha256(body: Uint8Array): string {
  return hash('sha256', body, 'base64url')
}

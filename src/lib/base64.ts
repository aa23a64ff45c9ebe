// Decides which texts count as base64, for code that reads binary values from headers and keys (RFC 4648; spec 5
// writes url-safe without padding, and peers are known to send the other variant).

export type Base64Result = { ok: true; bytes: Buffer } | { ok: false; reason: string }

/**
 * The bytes of a text that is purely standard base64, padded or not, or purely url-safe base64
 * without padding. Mixed alphabets, wrong padding, white space and set trailing bits are refused,
 * so that one value has exactly one text per form. Never throws.
 */
export function decodeBase64(text: string): Base64Result {
  // Node's decoder accepts both alphabets and skips unknown characters: the text was strict only if encoding the
  // result gives the same text again.
  const bytes = Buffer.from(text, 'base64')
  if (text === bytes.toString('base64url')) return { ok: true, bytes }
  const padded = bytes.toString('base64')
  if (text === padded || text === unpadded(padded)) return { ok: true, bytes }
  return { ok: false, reason: 'is not canonical base64 in one alphabet' }
}

/** Like `decodeBase64`, but only the url-safe alphabet without padding, the format of keys. */
export function decodeBase64Url(text: string): Base64Result {
  const bytes = Buffer.from(text, 'base64url')
  if (text === bytes.toString('base64url')) return { ok: true, bytes }
  return { ok: false, reason: 'is not canonical base64url without padding' }
}

/** Like `decodeBase64`, but only the standard alphabet with padding (RFC 4648 §4). */
export function decodePaddedBase64(text: string): Base64Result {
  const bytes = Buffer.from(text, 'base64')
  if (text === bytes.toString('base64')) return { ok: true, bytes }
  return { ok: false, reason: 'is not canonical padded base64 in the standard alphabet' }
}

export function encodeBase64Url(bytes: Uint8Array): string {
  if (Buffer.isBuffer(bytes)) return bytes.toString('base64url')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')
}

function unpadded(text: string): string {
  if (text.endsWith('==')) return text.slice(0, -2)
  return text.endsWith('=') ? text.slice(0, -1) : text
}

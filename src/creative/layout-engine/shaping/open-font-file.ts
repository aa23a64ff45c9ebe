// A font file as OpenType, whether it is stored as OpenType, WOFF or WOFF2.

import { readFileSync } from 'node:fs'
import { MAX_FONT_BYTES } from '../../limits.ts'
import { isWoff, readWoff } from './woff.ts'
import { isWoff2, readWoff2 } from './woff2.ts'

/** Throws when it cannot be read or decoded. */
export function openFontFile(path: string): Uint8Array {
  return unpackFont(readFileSync(path))
}

/** Throws if it cannot be decoded, or is too large to decode. */
export function unpackFont(bytes: Uint8Array): Uint8Array {
  if (isWoff(bytes)) return readWoff(bytes, MAX_FONT_BYTES)
  if (!isWoff2(bytes)) return bytes
  // The decoder allocates memory for the size that the file declares.
  const size = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUInt32BE(16)
  if (size > MAX_FONT_BYTES) throw new Error(`it has more than ${MAX_FONT_BYTES} bytes unpacked`)
  return readWoff2(bytes)
}

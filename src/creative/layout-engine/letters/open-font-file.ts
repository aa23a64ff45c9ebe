// A font file as OpenType, whether it is stored so or as WOFF2.

import { readFileSync } from 'node:fs'
import { isWoff2, readWoff2 } from './woff2.ts'

/** Throws when it cannot be read or decoded. */
export function openFontFile(path: string): Uint8Array {
  const bytes = readFileSync(path)
  return isWoff2(bytes) ? readWoff2(bytes) : bytes
}

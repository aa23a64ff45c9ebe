// Determines the value of a covered header, for signer and verifier (RFC 9421 §2.1). A header that is repeated,
// folded, or contains bytes outside ASCII has no value that both ends agree on.

import { trimEnd } from '../lib/trim-end.ts'
import type { HttpMessage } from './ports.ts'

type Headers = HttpMessage['headers']

/** The values of a header, one or several; undefined if it was not sent. Name in lower case. */
export function linesOf(headers: Headers, name: string): string | readonly string[] | undefined {
  let found: string | readonly string[] | undefined
  for (const key in headers) {
    if (key.length !== name.length || (key !== name && key.toLowerCase() !== name)) continue
    const lines = headers[key]
    const isThere = typeof lines === 'string' || (Array.isArray(lines) && lines.length > 0)
    if (!isThere || !Object.hasOwn(headers, key)) continue
    found = found === undefined ? lines : [found, lines].flat()
  }
  return found
}

/** All headers received, by the name in lower case, for code that reads several headers. */
export function headerLines(headers: Headers): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, readonly string[]>()
  for (const key of Object.keys(headers)) {
    const name = key.toLowerCase()
    const found = lines.has(name) ? undefined : linesOf(headers, name)
    if (found !== undefined) lines.set(name, typeof found === 'string' ? [found] : found)
  }
  return lines
}

/** A header as one text, with its lines joined as in RFC 9110 §5.2; undefined if it was not sent. */
export function joined(headers: Headers, name: string): string | undefined {
  const lines = linesOf(headers, name)
  return typeof lines === 'string' ? lines : lines?.join(', ')
}

export type CoveredHeader =
  | { ok: true; value: string }
  | { ok: false; isMissing: boolean; reason: string }

/** The value a covered header has in the signature base. */
export function coveredHeader(headers: Headers, name: string): CoveredHeader {
  const lines = linesOf(headers, name)
  if (lines === undefined) return MISSING
  const line = typeof lines === 'string' ? lines : lines[0]!
  if (line !== lines && lines.length > 1) return refuse(`${name} came ${lines.length} times`)
  if (SIMPLE.test(line)) return { ok: true, value: line }
  if (!FIELD_TEXT.test(line)) return refuse(`${name} has a byte that is not visible ASCII`)
  if (name === 'content-type' && !ONE_VALUE.test(line)) return refuse(`${name} has two values`)
  return { ok: true, value: trimmed(line) }
}

const MISSING = { ok: false, isMissing: true, reason: 'a covered header did not come' } as const
// Neither space, quote nor comma: passes every check below, and has nothing to trim.
const SIMPLE = /^[\x21\x23-\x2b\x2d-\x7e]*$/
const FIELD_TEXT = /^[\t\x20-\x7e]*$/
// No comma outside of a quoted parameter.
const ONE_VALUE = /^[^",]*(?:"(?:[^"\\]|\\.)*"[^",]*)*$/
const PADDED = /^[ \t]|[ \t]$/

function trimmed(value: string): string {
  return PADDED.test(value) ? trimEnd(value.replace(/^[ \t]+/, ''), ' \t') : value
}

function refuse(reason: string): CoveredHeader {
  return { ok: false, isMissing: false, reason }
}

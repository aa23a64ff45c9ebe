// JSON that all parsers interpret in the same way: UTF-8 without a byte order mark, no object with duplicate keys, at
// most 200 levels. For code that acts on signed bytes: if one side uses the first of two equal keys and the other the
// last, a signed body has two meanings.

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-codes.ts'

export type StrictJson =
  | { ok: true; value: unknown }
  | { ok: false; reason: 'not_utf8' | 'not_json' | 'too_deep' }
  | { ok: false; reason: 'duplicate_keys'; keys: string[] }

const MAX_DEPTH = 200

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Never throws. The value is what `JSON.parse` returns for the same text. */
export function parseStrictJson(input: Uint8Array | string): StrictJson {
  let text: string
  try {
    text = typeof input === 'string' ? input : utf8.decode(input)
  } catch {
    return { ok: false, reason: 'not_utf8' }
  }
  let value: unknown
  try {
    value = JSON.parse(text) as unknown
  } catch {
    return { ok: false, reason: 'not_json' }
  }
  const repeated = repeatedKeys(text)
  if (repeated === 'too_deep') return { ok: false, reason: 'too_deep' }
  if (repeated.length > 0) return { ok: false, reason: 'duplicate_keys', keys: repeated }
  return { ok: true, value }
}

/**
 * Duplicate keys within an object of the text. `values` is the count of a JSON meter for the text: if the parsed
 * value has as many, none was lost, and the text is not read again.
 */
export function duplicateKeys(text: string, value: unknown, values: number): string[] {
  if (countValues(value) === values) return []
  const repeated = repeatedKeys(text)
  return repeated === 'too_deep' ? [] : repeated
}

/** Number of values and member names, as a JSON meter counts them. */
function countValues(value: unknown): number {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const one = open.pop()
    count++
    if (typeof one !== 'object' || one === null) continue
    const members = Array.isArray(one) ? (one as unknown[]) : Object.values(one)
    if (!Array.isArray(one)) count += members.length
    for (const member of members) open.push(member)
  }
  return count
}

/** One pass over text that is known to be JSON, so a string before a colon is a key. */
function repeatedKeys(text: string): string[] | 'too_deep' {
  const repeated = new Set<string>()
  // One set per level, cleared when an object starts there: siblings share no keys.
  const keysAt: Set<string>[] = [new Set()]
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      if (text.charCodeAt(afterSpace(text, end + 1)) === COLON) {
        const keys = keysAt[depth] as Set<string>
        const key = keyOf(text, at, end)
        if (keys.has(key)) repeated.add(key)
        else keys.add(key)
      }
      at = end
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) return 'too_deep'
      const known = keysAt[depth]
      if (known === undefined) keysAt.push(new Set())
      else if (known.size > 0) keysAt[depth] = new Set()
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return [...repeated]
}

/** The quote that ends the string: the first one behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
}

function afterSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}

/** Unescaped, since `"\u0061"` and `"a"` are the same key. */
function keyOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end)
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
}

const MAX_NAMES = 4
const MAX_NAME_BYTES = 32
// Control characters, invisible and direction marks, line separators, unpaired surrogates.
const UNPRINTABLE =
  /[\p{Cc}\u200b-\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u

/**
 * Key names in a form safe for logs: a sender chooses them, so they are limited to few, short and printable ones.
 * Everything after an unprintable character is omitted, and its bytes are counted.
 */
export function describeKeys(keys: readonly string[]): string {
  const returned = keys.slice(0, MAX_NAMES).map(describeKey)
  if (keys.length > MAX_NAMES) returned.push(`<...${keys.length - MAX_NAMES} more>`)
  return returned.join(', ')
}

function describeKey(key: string): string {
  const cut = key.search(UNPRINTABLE)
  if (cut < 0) return firstBytes(key)
  return `${firstBytes(key.slice(0, cut))}<sanitized:${Buffer.byteLength(key.slice(cut))}>`
}

/** As many whole characters as fit. */
function firstBytes(text: string): string {
  if (Buffer.byteLength(text) <= MAX_NAME_BYTES) return text
  let kept = ''
  let bytes = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > MAX_NAME_BYTES) break
    kept += character
  }
  return kept
}

// Parses untrusted JSON within limits that are checked before any value is built: one pass over the bytes counts
// levels, values and members, so that a small text cannot cause a large amount of work.

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-codes.ts'

export interface BoundedJsonLimits {
  /** Levels of arrays and objects. */
  maxDepth: number
  /** Total number of values, counted by the commas and brackets outside strings. */
  maxValues: number
  /** Members of one object. */
  maxMembers: number
}

export type BoundedJson =
  | { ok: true; value: unknown }
  | { ok: false; reason: 'not_utf8' | 'not_json' | 'too_deep' | 'too_many_values' | 'too_wide' }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Never throws. A byte order mark is not JSON. */
export function parseBoundedJson(bytes: Uint8Array, limits: BoundedJsonLimits): BoundedJson {
  const broken = brokenLimit(bytes, limits)
  if (broken !== undefined) return { ok: false, reason: broken }
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { ok: false, reason: 'not_utf8' }
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    return { ok: false, reason: 'not_json' }
  }
}

type BrokenLimit = 'too_deep' | 'too_many_values' | 'too_wide'

/** Non-ASCII bytes are either inside strings or make the text invalid JSON, so they need no decoding here. */
function brokenLimit(bytes: Uint8Array, limits: BoundedJsonLimits): BrokenLimit | undefined {
  const { maxDepth, maxValues, maxMembers } = limits
  // Commas since each open bracket; those of arrays only count as values.
  const commas = new Uint32Array(maxDepth + 1)
  const isObject = new Uint8Array(maxDepth + 1)
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] as number
    if (code === QUOTE) {
      at = endOfString(bytes, at)
    } else if (code === COMMA) {
      if (++values > maxValues) return 'too_many_values'
      const seen = (commas[depth] as number) + 1
      commas[depth] = seen
      if (isObject[depth] === 1 && seen >= maxMembers) return 'too_wide'
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > maxDepth) return 'too_deep'
      if (++values > maxValues) return 'too_many_values'
      commas[depth] = 0
      isObject[depth] = code === OPEN_BRACE ? 1 : 0
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      // More closing than opening brackets is invalid JSON; the parser reports it.
      if (depth > 0) depth--
    }
  }
  return undefined
}

/** The quote that ends the string, or the end of the bytes: the first one behind an even number of backslashes. */
function endOfString(bytes: Uint8Array, start: number): number {
  let from = start + 1
  for (;;) {
    const quote = bytes.indexOf(QUOTE, from)
    if (quote < 0) return bytes.length
    let backslashes = 0
    while (quote - backslashes > from && bytes[quote - backslashes - 1] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote
    from = quote + 1
  }
}

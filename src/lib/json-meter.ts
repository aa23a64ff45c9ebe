// Measures JSON while it arrives, chunk by chunk and in one pass over its bytes: how deep it is nested and how many
// values it holds. An excess is detected before the rest is read, let alone parsed: a megabyte of brackets costs
// more to parse and to walk than to send. It does not validate the grammar: for text that is not JSON it only has to
// stop counting in time.

import { BACKSLASH, QUOTE } from './json-codes.ts'

export interface JsonMeterLimits {
  maxDepth: number
  /** Number of values and member names together. */
  maxValues: number
}

export type Excess = 'too_deep' | 'too_many_values'

export interface JsonMeter {
  /** Processes the next bytes, split anywhere; the first excess is kept. */
  feed(chunk: Uint8Array): Excess | undefined
  /** How deep it has been so far. */
  depth(): number
  /** Number of values and member names that have started so far. */
  values(): number
}

/** The meaning of a byte outside a string. */
const SCALAR = 0
const SEPARATOR = 1
const OPEN = 2
const CLOSE = 3
const STRING = 4

const MEANING = meanings()

/** The state within a string after the last byte. */
const OUTSIDE = 0
const WITHIN = 1
const ESCAPING = 2
interface JsonString {
  state: typeof OUTSIDE | typeof WITHIN | typeof ESCAPING
}

/** Number of bytes of a string to scan before the platform searches for its end: most strings end sooner. */
const WALKED = 48

export function createJsonMeter({ maxDepth, maxValues }: JsonMeterLimits): JsonMeter {
  let deepest = 0
  let depth = 0
  let values = 0
  const string: JsonString = { state: OUTSIDE }
  let isInScalar = false
  let excess: Excess | undefined

  /** Works on copies of the state, because this runs for every byte that a caller sends. */
  function measure(chunk: Uint8Array, from: number): Excess | undefined {
    let [level, count, scalar] = [depth, values, isInScalar]
    for (let at = from; at < chunk.length; ) {
      const meaning = MEANING[chunk[at] as number]
      at++
      if (meaning === SCALAR) {
        if (!scalar) count++
        scalar = true
        continue
      }
      scalar = false
      if (meaning === SEPARATOR) continue
      if (meaning === CLOSE) {
        level--
        continue
      }
      count++
      if (meaning === OPEN) {
        level++
        if (level > deepest) deepest = level
        if (level > maxDepth) return 'too_deep'
      } else {
        string.state = WITHIN
        at = skipString(chunk, at, string)
      }
      if (count > maxValues) return 'too_many_values'
    }
    depth = level
    values = count
    isInScalar = scalar
    return count > maxValues ? 'too_many_values' : undefined
  }

  return {
    feed: (chunk) => {
      if (excess) return excess
      const from = string.state === OUTSIDE ? 0 : skipString(chunk, 0, string)
      excess = measure(chunk, from)
      return excess
    },
    depth: () => deepest,
    values: () => values,
  }
}

/** The position after the string that continues at `from`, or the end of the chunk. */
function skipString(chunk: Uint8Array, from: number, string: JsonString): number {
  let escaping = string.state === ESCAPING
  for (let at = from; at < chunk.length; ) {
    const soon = Math.min(chunk.length, at + WALKED)
    for (; at < soon; at++) {
      const byte = chunk[at]
      if (escaping) escaping = false
      else if (byte === BACKSLASH) escaping = true
      else if (byte === QUOTE) {
        string.state = OUTSIDE
        return at + 1
      }
    }
    if (escaping) continue
    const quote = chunk.indexOf(QUOTE, at)
    const end = quote < 0 ? chunk.length : quote
    // An odd number of backslashes before the quote escapes it. Each byte is searched once.
    escaping = trailingBackslashes(chunk, at, end) % 2 === 1
    if (quote >= 0 && !escaping) {
      string.state = OUTSIDE
      return quote + 1
    }
    if (quote >= 0) escaping = false
    at = quote < 0 ? end : quote + 1
  }
  string.state = escaping ? ESCAPING : WITHIN
  return chunk.length
}

function trailingBackslashes(chunk: Uint8Array, from: number, end: number): number {
  let at = end
  while (at > from && chunk[at - 1] === BACKSLASH) at--
  return end - at
}

function meanings(): Uint8Array {
  const table = new Uint8Array(256).fill(SCALAR)
  for (const byte of Buffer.from(' \t\n\r,:')) table[byte] = SEPARATOR
  for (const byte of Buffer.from('[{')) table[byte] = OPEN
  for (const byte of Buffer.from(']}')) table[byte] = CLOSE
  table[QUOTE] = STRING
  return table
}

// Serializes large values to JSON in slices, counting while it writes: neither the length nor the size of a value can
// block other callers.

import { createPacer, type Pacer } from './pacer.ts'

/** Objects and lists with more elements than this are written element by element. */
const MAX_ELEMENTS_AT_ONCE = 32
/** Down to this depth lists are written element by element; deeper values are written as a whole. */
const MAX_LEVELS = 6
/** How often the clock is read. */
const LOOK_PIECES = 8
const LOOK_CHARS = 65_536
/** A string is quoted in chunks of this many characters. */
const QUOTED_CHARS = 262_144

/**
 * Like `JSON.stringify` for plain data; undefined if the text would be longer than `maxChars`. Objects with a
 * `toJSON` are written as a whole.
 */
export async function stringifyPaced(
  value: unknown,
  maxChars: number,
  pacer: Pacer = createPacer(),
): Promise<string | undefined> {
  const pieces: string[] = []
  let length = 0

  const add = (piece: string): boolean => {
    length += piece.length
    pieces.push(piece)
    return length <= maxChars
  }

  /** The clock is read after this number of pieces or characters: most pieces are small. */
  let pieceLooked = 0
  let lengthLooked = 0
  const isDue = (): boolean => {
    const isTime = pieces.length - pieceLooked >= LOOK_PIECES || length - lengthLooked >= LOOK_CHARS
    if (!isTime) return false
    pieceLooked = pieces.length
    lengthLooked = length
    return pacer.isDue()
  }

  async function write(one: unknown, level: number): Promise<boolean> {
    const isList = Array.isArray(one)
    let separator = isList ? '[' : '{'
    for (const [name, member] of isList ? one.entries() : Object.entries(one as object)) {
      // As JSON.stringify does it.
      if (!isList && (member === undefined || typeof member === 'function')) continue
      if (!add(isList ? separator : `${separator}${JSON.stringify(name)}:`)) return false
      separator = ','
      const isWithin = isLarge(member, level + 1)
        ? await write(member, level + 1)
        : add(JSON.stringify(member) ?? 'null')
      if (!isWithin) return false
      if (isDue()) await pacer.pause()
    }
    if (separator !== ',') return add(isList ? '[]' : '{}')
    return add(isList ? ']' : '}')
  }

  const isWithin = isLarge(value, 0) ? await write(value, 0) : add(JSON.stringify(value) ?? 'null')
  return isWithin ? pieces.join('') : undefined
}

/** A text as a JSON string, quoted in slices. */
export async function quotePaced(text: string, pacer: Pacer = createPacer()): Promise<string> {
  if (text.length <= QUOTED_CHARS) return JSON.stringify(text)
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + QUOTED_CHARS, text.length)
    // A pair of surrogates stays together.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
    pieces.push(JSON.stringify(text.slice(at, end)).slice(1, -1))
    at = end
    if (pacer.isDue()) await pacer.pause()
  }
  return `"${pieces.join('')}"`
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** Whether it should be split: it is long itself, or contains something that may be. */
function isLarge(value: unknown, level: number): boolean {
  if (typeof value !== 'object' || value === null || level >= MAX_LEVELS) return false
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false
  if (Array.isArray(value)) return value.length > 0
  const members = Object.values(value)
  if (members.length > MAX_ELEMENTS_AT_ONCE) return true
  return members.some((member) => typeof member === 'object' && member !== null)
}

// The context model's features for each token: rows of its table, for the word, its beginning and end, its concept,
// its shape and its position. Training and reading use this one function.

import { hashOf, mixed } from '../../../lib/hash-bucket.ts'
import { BORDERS, type TokenRange } from './parts.ts'
import type { TokenPlace } from './places.ts'
import { seenTokens } from './seen-tokens.ts'
import type { Token } from './tokens.ts'
import { countStep, featureHash, NONE, START, type Word } from './word-hashes.ts'

/**
 * Rows of the table; a power of two.
 * @internal
 */
export const CONTEXT_ROWS = 1 << 15

export interface ContextFeatures {
  /** For each token; the first is the word itself. */
  rows: readonly Uint32Array[]
  sentences: readonly TokenRange[]
}

export function contextFeaturesOf(
  tokens: readonly Token[],
  seen = seenTokens(tokens),
): ContextFeatures {
  const { words, places, borders, sentences } = seen
  const concepts = new Uint16Array(tokens.length)
  for (const { from, to, id } of seen.concepts) concepts.fill(id + 1, from, to)
  const rows = tokens.map((token, index) => {
    const place = places[index] as TokenPlace
    const { hash, parts } = words[index] as Word
    const found: number[] = []
    const add = (name: string, a: number, b?: number) => {
      const first = featureHash(name, a)
      found.push((b === undefined ? first : mixed(first, b)) & (CONTEXT_ROWS - 1))
    }
    add('dw', hash)
    for (const [number, name] of PARTS) {
      if (parts.length > 0) add(name, parts[number] as number)
    }
    add('dk', concepts[index] as number)
    add('dsh', hashOf(shapeOf(token.text)), token.isSpaced ? 1 : 0)
    add('db', borders[index] as number, borders[index + 1] ?? BORDERS)
    add('dq', place.quote)
    add('dlb', place.label)
    add('dn', Math.min(place.number, 4), Math.min(place.sentences, 6))
    add('dic', countStep(place.inClause))
    add('dlen', countStep(tokens.length))
    if (UNSPACED.test(token.text)) {
      add('dc2', hash, words[index + 1]?.hash ?? NONE)
      add('dc-2', words[index - 1]?.hash ?? START, hash)
    }
    return new Uint32Array(found)
  })
  return { rows, sentences }
}

/** The first three and four letters of a word, the last three and two. */
const PARTS: readonly (readonly [number, string])[] = [
  [0, 'dp3'],
  [1, 'dp4'],
  [3, 'ds3'],
  [4, 'ds2'],
]

const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Thai}]/u

function shapeOf(text: string): string {
  if (/^\p{N}/u.test(text)) return `0${Math.min(text.length, 5)}`
  if (/^\p{Sc}$/u.test(text)) return '$'
  if (/\p{Extended_Pictographic}/u.test(text)) return 'emoji'
  if (!/\p{L}/u.test(text)) return text
  const upper = text.toUpperCase()
  if (text.length > 1 && text === upper && upper !== text.toLowerCase()) return 'XX'
  const first = text.charAt(0)
  return first !== first.toLowerCase() ? 'Xx' : 'x'
}

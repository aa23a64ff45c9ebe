// The context networks' features for each token: hashes of the word, its beginning and end, its concept,
// its shape and its position. Training and reading use this one function.

import { hashOf, mixed } from '../../../lib/hash-bucket.ts'
import { BORDERS, linesOfTokens, numbersOf, type TokenRange } from './parts.ts'
import type { TokenPlace } from './places.ts'
import { seenTokens } from './seen-tokens.ts'
import type { Token } from './tokens.ts'
import { countStep, featureHash, NONE, START, type Word } from './word-hashes.ts'

/**
 * Rows of a table; a power of two.
 * @internal
 */
export const CONTEXT_ROWS = 1 << 15

/**
 * The row of a feature in the table of a network: each network takes other bits of the hash, so that features that
 * share a row in one have rows of their own in another.
 */
export function rowOf(hash: number, network: number): number {
  return (hash >>> (ROW_BITS * network)) & (CONTEXT_ROWS - 1)
}

const ROW_BITS = Math.log2(CONTEXT_ROWS)

export interface ContextFeatures {
  /** Hashes for each token; the first is the word itself. */
  hashes: readonly Uint32Array[]
  sentences: readonly TokenRange[]
  /** With the number of the sentence of each. */
  clauses: readonly ClauseRange[]
}

interface ClauseRange extends TokenRange {
  sentence: number
}

export function contextFeaturesOf(
  tokens: readonly Token[],
  seen = seenTokens(tokens),
): ContextFeatures {
  const { words, places, borders, sentences } = seen
  const concepts = new Uint16Array(tokens.length)
  for (const { from, to, id } of seen.concepts) concepts.fill(id + 1, from, to)
  const nearest = nearestOf(concepts)
  const lines = linesOfTokens(tokens)
  const lineOf = numbersOf(lines, tokens.length)
  const sentenceOf = numbersOf(sentences, tokens.length)
  const clauses = seen.clauses.map(({ from, to }) => ({
    from,
    to,
    sentence: sentenceOf[from] as number,
  }))
  const clauseOf = numbersOf(clauses, tokens.length)
  const hashes = tokens.map((token, index) => {
    const place = places[index] as TokenPlace
    const { hash, parts } = words[index] as Word
    const found: number[] = []
    const add = (name: string, a: number, b?: number) => {
      const first = featureHash(name, a)
      found.push(b === undefined ? first : mixed(first, b))
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
    add('dmk', place.mark)
    add('dkp', nearest.before[index] as number)
    add('dkn', nearest.after[index] as number)
    add('dce', countStep((clauses[clauseOf[index] as number]?.to ?? index) - index))
    add(
      'dle',
      Math.min(lines.length - (lineOf[index] as number), 5),
      Math.min(lineOf[index] as number, 3),
    )
    add('dse', Math.min(place.sentences - place.number, 5))
    if (UNSPACED.test(token.text)) {
      add('dc2', hash, words[index + 1]?.hash ?? NONE)
      add('dc-2', words[index - 1]?.hash ?? START, hash)
    }
    return new Uint32Array(found)
  })
  return { hashes, sentences, clauses }
}

/** For each token, the nearest other concepts before and after it; 0 if there is none. */
function nearestOf(concepts: Uint16Array): { before: Uint16Array; after: Uint16Array } {
  const before = new Uint16Array(concepts.length)
  const after = new Uint16Array(concepts.length)
  let last = 0
  for (let index = 1; index < concepts.length; index++) {
    if (concepts[index - 1] !== concepts[index]) last = concepts[index - 1] || last
    before[index] = last
  }
  let next = 0
  for (let index = concepts.length - 2; index >= 0; index--) {
    if (concepts[index + 1] !== concepts[index]) next = concepts[index + 1] || next
    after[index] = next
  }
  return { before, after }
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

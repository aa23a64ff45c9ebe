// One wording of what is requested, ready for comparison: its content words with their weight in this catalogue, and
// its vectors.

import type { Block } from './columns.ts'
import { type Entries, impactIn } from './postings.ts'
import type { Quantised } from './quantise.ts'
import { quantise } from './quantise.ts'
import type { SignalIndex } from './signal-index.ts'
import type { StaticTable } from './static-table.ts'
import { contentWords, stemOf } from './words.ts'

export interface Question {
  text: string
  /** The input of the sentence model: without words that only say that people are meant. */
  meaning: string
  words: readonly QuestionWord[]
  /** Sum of the words' weights. */
  weight: number
  tableVector: Float32Array
  table: Quantised
}

interface QuestionWord {
  word: string
  stem: string
  /** All its forms in the catalogue. */
  terms: readonly number[]
  /** Rare words weigh more; words missing in the catalogue weigh most. */
  weight: number
}

export function createQuestion(text: string, index: SignalIndex, table: StaticTable): Question {
  const byStem = new Map(contentWords(text).map((word) => [stemOf(word), word]))
  const words = [...byStem].map(([stem, word]): QuestionWord => {
    const terms = index.terms.formsOf(word)
    return { word, stem, terms, weight: rarity(occurrences(index, terms), index.size) }
  })
  const tableVector = table.vectorOf(text)
  return {
    text,
    words,
    tableVector,
    meaning: withoutOpeners(text),
    weight: words.reduce((sum, { weight }) => sum + weight, 0),
    table: quantise(tableVector),
  }
}

// Every signal is about people, so that these words make all of them alike.
const OPENERS =
  /\b(?:people|folks|those|anyone|everyone|someone|somebody|consumers|individuals|persons|audiences?|segments?|users|adults|guys|ladies)\b(?: (?:who|that|whose|with|which))?(?: (?:are|is))?\b/gi

function withoutOpeners(text: string): string {
  const rest = text.replace(OPENERS, ' ').replace(/\s+/g, ' ').trim()
  return /\p{L}{3}/u.test(rest) ? rest : text
}

function rarity(found: number, size: number): number {
  return Math.log(1 + (Math.max(0, size - found) + 0.5) / (found + 0.5))
}

/** Counted over live rows, so that it does not depend on deleted ones. */
function occurrences(index: SignalIndex, terms: readonly number[]): number {
  let count = 0
  for (const { block } of index.blocks()) {
    for (const term of terms) {
      const entries = block.postings.of(term)
      if (!entries) continue
      if (block.live === block.used) count += entries.rows.length
      else
        for (let at = 0; at < entries.rows.length; at++) count += block.isLive[entries.rows[at]!]!
    }
  }
  return count
}

/** The share of a question's weight that the words at each place cover, from 0 to 1. */
export function lexicalShares(
  index: SignalIndex,
  places: readonly number[],
  question: Question,
): Float32Array {
  const shares = new Float32Array(places.length)
  if (question.weight === 0) return shares
  // The position of a word in a block is looked up once, and not for each of its rows.
  const found = new Map<Block, { forms: Entries[]; weight: number }[]>()
  for (const [at, place] of places.entries()) {
    const { block, row } = index.rowOf(place)
    let words = found.get(block)
    if (!words) {
      words = question.words.map(({ terms, weight }) => ({
        forms: terms.flatMap((term) => block.postings.of(term) ?? []),
        weight,
      }))
      found.set(block, words)
    }
    let sum = 0
    for (const { forms, weight } of words) {
      let impact = 0
      for (const entries of forms) impact = Math.max(impact, impactIn(entries, row))
      sum += (weight * impact) / 255
    }
    shares[at] = sum / question.weight
  }
  return shares
}

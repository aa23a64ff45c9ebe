// The concepts in a text, in any language: `make the logo bigger` and `Logo größer` both have `logo` and `bigger`.
// The sequence model uses them as features, and directions are read from them.

import { normalised, type Token, tokensOf } from '../reading/tokens.ts'
import { CONCEPT_BITS, type ConceptTable, conceptTable, rowOf } from './concept-table.ts'
import {
  asStem,
  EMPTY_FORM,
  takesEndings,
  withBlank,
  withoutPrefixes,
  withText,
} from './form-hash.ts'

export interface FoundConcept {
  concept: string
  /** In UTF-16 units of the text. */
  start: number
  end: number
}

export function conceptsIn(text: string): FoundConcept[] {
  const table = conceptTable()
  const tokens = tokensOf(text)
  return conceptsOfTokens(tokens, normalisedWords(tokens), table)
    .map(({ from, to, id, isForeign }) => ({
      concept: table.concepts[id] as string,
      start: (tokens[from] as Token).start,
      end: (tokens[to - 1] as Token).end,
      isForeign,
    }))
    .filter(({ start, end, isForeign }) => !isForeign || end - start > SHORT)
    .map(({ concept, start, end }) => ({ concept, start, end }))
}

/** Words this short from another language than the text's are a different word. */
const SHORT = 3

function normalisedWords(tokens: readonly Token[]): string[] {
  return tokens.map(({ text }) => normalised(text))
}

/** A concept at the tokens from `from` up to `to`. */
export interface ConceptSpan {
  from: number
  to: number
  /** Its place in the table. */
  id: number
  /** Whether the word exists only in languages that most other words are not from. */
  isForeign: boolean
}

const MAX_WORDS = 6
const MIN_STEM = 2

/** The longest match at each word; matches do not overlap. */
export function conceptsOfTokens(
  tokens: readonly Token[],
  words: readonly string[],
  table: ConceptTable = conceptTable(),
): ConceptSpan[] {
  const matches: Match[] = []
  for (let from = 0; from < tokens.length; ) {
    const match = longestFrom(from, words, table)
    if (match) matches.push(match)
    from = match?.to ?? from + 1
  }
  const language = languageVoted(matches, table)
  return matches.map(({ from, to, row }) => ({ from, to, ...meaningOf(row, language, table) }))
}

interface Match {
  from: number
  to: number
  /** The first of its rows. */
  row: number
}

function longestFrom(
  from: number,
  words: readonly string[],
  table: ConceptTable,
): Match | undefined {
  for (const first of withoutPrefixes(words[from] as string)) {
    let best: Match | undefined
    let joined = EMPTY_FORM
    for (let at = from; at < Math.min(words.length, from + MAX_WORDS); at++) {
      const word = at === from ? first : (words[at] as string)
      if (!/[\p{L}\p{N}/-]/u.test(word)) break
      const before = at === from ? joined : withBlank(joined)
      const row = rowOfWord(before, word, table)
      if (row >= 0) best = { from, to: at + 1, row }
      joined = withText(before, word)
    }
    if (best) return best
  }
  return undefined
}

/** The word itself, else the longest stem that it begins with. */
function rowOfWord(before: number, word: string, table: ConceptTable): number {
  const exact = rowOf(table, withText(before, word))
  if (exact >= 0) return exact
  const least = takesEndings(word) ? 1 : MIN_STEM
  let hash = before
  let found = -1
  for (let length = 1; length <= word.length; length++) {
    hash = withText(hash, word.charAt(length - 1))
    if (length < least) continue
    const row = rowOf(table, asStem(hash))
    if (row >= 0) found = row
  }
  return found
}

/** The language of most of the words. */
function languageVoted(matches: readonly Match[], table: ConceptTable): number {
  const votes = new Float64Array(table.languages.length)
  for (const { row } of matches) {
    const hash = table.hashes[row]
    const seen = new Set<number>()
    for (let at = row; table.hashes[at] === hash; at++) {
      seen.add((table.meanings[at] as number) >>> CONCEPT_BITS)
    }
    for (const language of seen) votes[language]! += 1 / seen.size
  }
  let best = 0
  for (let language = 1; language < votes.length; language++) {
    if ((votes[language] as number) > (votes[best] as number)) best = language
  }
  return best
}

/** In this language, else the first: English, if it has one. */
function meaningOf(
  row: number,
  language: number,
  { hashes, meanings }: ConceptTable,
): Pick<ConceptSpan, 'id' | 'isForeign'> {
  const mask = (1 << CONCEPT_BITS) - 1
  for (let at = row; hashes[at] === hashes[row]; at++) {
    const meaning = meanings[at] as number
    if (meaning >>> CONCEPT_BITS === language) return { id: meaning & mask, isForeign: false }
  }
  return { id: (meanings[row] as number) & mask, isForeign: true }
}

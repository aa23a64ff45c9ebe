// The input that both models share for the tokens of a message: their words, concepts and positions, computed once.

import { type ConceptSpan, conceptsOfTokens } from '../concepts/concepts-in.ts'
import { bordersOf, clausesOfTokens, sentencesOfTokens, type TokenRange } from './parts.ts'
import { placesOf, type TokenPlace } from './places.ts'
import { normalised, type Token } from './tokens.ts'
import { type Word, wordOf } from './word-hashes.ts'

export interface SeenTokens {
  /** Of each token. */
  words: readonly Word[]
  places: readonly TokenPlace[]
  borders: Uint8Array
  concepts: readonly ConceptSpan[]
  sentences: readonly TokenRange[]
  clauses: readonly TokenRange[]
}

export function seenTokens(tokens: readonly Token[]): SeenTokens {
  const texts = tokens.map(({ text }) => normalised(text))
  const words = texts.map(wordOf)
  const sentences = sentencesOfTokens(tokens)
  const clauses = clausesOfTokens(tokens)
  return {
    words,
    places: placesOf(tokens, words, { sentences, clauses }),
    borders: bordersOf(tokens),
    concepts: conceptsOfTokens(tokens, texts),
    sentences,
    clauses,
  }
}

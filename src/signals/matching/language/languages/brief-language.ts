// What a language must define so that briefs in it are understood. Every member is required, so a language that lacks
// one does not compile.

import { readLexiconFile } from '../lexicon.ts'

export interface BriefLanguage {
  /** Its words and their English meaning. */
  readonly words: LanguageWords
  /** Whether an adjective follows its noun. */
  readonly isNounFirst: boolean
  /** Whether the verb of a clause comes at its end. */
  readonly isVerbLast: boolean
  /** Whether nouns are written together, as in `Elektroautokäufer`. */
  readonly hasCompounds: boolean
  /** Prepares a text for being split into words at apostrophes and punctuation. */
  prepare(text: string): string
  /** A folded word of four letters or more without the endings of number, gender and case. */
  stem(word: string): string
}

/** The contents of `../lexicon/<language>.json`. */
export interface LanguageWords {
  /** Articles, prepositions and similar words; some have no English equivalent. */
  small: Readonly<Record<string, string>>
  adjectives: Readonly<Record<string, string>>
  words: Readonly<Record<string, string>>
  /** Parts of compounds; empty for a language without compounds. */
  parts: Readonly<Record<string, string>>
}

/** Reads the file when it is first needed. */
export function wordsIn(language: string): () => LanguageWords {
  let words: LanguageWords | undefined
  return () => {
    words ??= { parts: {}, ...readLexiconFile<Omit<LanguageWords, 'parts'>>(language) }
    return words
  }
}

// The words of the six other languages that briefs are written in (`languages/`), looked up in any number,
// gender and case.

import { foldWord } from '../words.ts'
import { BRIEF_LANGUAGES, type Language } from './languages/languages.ts'

export interface ForeignWord {
  english: string
  kind: 'small' | 'adjective' | 'word'
}

export interface ForeignWords {
  /** What a phrase of one or more folded words means. */
  find(words: readonly string[]): ForeignWord | undefined
  /** Part of a compound, as formed in German and Dutch. */
  part(word: string): string | undefined
  /** Words that identify the language on their own. */
  isMark(word: string): boolean
  /** Single words, for spelling repair. */
  readonly keys: readonly string[]
  readonly longest: number
}

const loaded = new Map<Language, ForeignWords>()

export function foreignWords(language: Language): ForeignWords {
  let words = loaded.get(language)
  if (words === undefined) {
    words = compile(language)
    loaded.set(language, words)
  }
  return words
}

/** A text as words and punctuation: an apostrophe splits words, as in "l'auto", except in Dutch plurals. */
export function foreignTokens(text: string, language: Language): string[] {
  const words = BRIEF_LANGUAGES[language].prepare(text).match(/[\p{L}\p{N}]+|[,.;:!?()&\n]/gu) ?? []
  return words.map((word) => foldWord(word))
}

function compile(language: Language): ForeignWords {
  const file = BRIEF_LANGUAGES[language].words
  const exact = new Map<string, ForeignWord>()
  const inflected = new Map<string, ForeignWord>()
  const keys: string[] = []
  let longest = 1
  const add = (entries: Readonly<Record<string, string>>, kind: ForeignWord['kind']) => {
    for (const [key, english] of Object.entries(entries)) {
      const words = foreignTokens(key, language)
      const value = { english, kind }
      if (!exact.has(words.join(' '))) exact.set(words.join(' '), value)
      if (kind === 'small') continue
      const stem = words.map((word) => stemIn(language, word)).join(' ')
      if (!inflected.has(stem)) inflected.set(stem, value)
      if (words.length === 1 && kind === 'word') keys.push(words[0] as string)
      longest = Math.max(longest, words.length)
    }
  }
  add(file.small, 'small')
  add(file.words, 'word')
  add(file.adjectives, 'adjective')
  const parts = new Map(Object.entries(file.parts).map(([key, value]) => [foldWord(key), value]))
  const marks = new Set(Object.keys(file.small).map(foldWord))
  return {
    find: (words) =>
      exact.get(words.join(' ')) ??
      inflected.get(words.map((word) => stemIn(language, word)).join(' ')),
    part: (word) => parts.get(word) ?? exact.get(word)?.english,
    isMark: (word) => marks.has(word),
    keys,
    longest,
  }
}

/** Without the endings of number, gender and case: "coches eléctricos" and "coche eléctrico" become the same. */
function stemIn(language: Language, word: string): string {
  return word.length < 4 ? word : BRIEF_LANGUAGES[language].stem(word)
}

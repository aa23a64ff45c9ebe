// The words of the six other languages that briefs are written in (`lexicon/es.json` …), looked up in any number,
// gender and case.

import { trimEnd } from '../../../lib/trim-end.ts'
import { foldWord } from '../words.ts'
import { readLexiconFile } from './lexicon.ts'

export const LANGUAGES = ['es', 'fr', 'de', 'it', 'pt', 'nl'] as const
export type Language = (typeof LANGUAGES)[number]

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

interface LanguageFile {
  /** Articles, prepositions and similar words; some have no English equivalent. */
  small: Record<string, string>
  adjectives: Record<string, string>
  words: Record<string, string>
  parts?: Record<string, string>
}

const loaded = new Map<Language, ForeignWords>()

export function foreignWords(language: Language): ForeignWords {
  let words = loaded.get(language)
  if (words === undefined) {
    words = compile(language, readLexiconFile<LanguageFile>(language))
    loaded.set(language, words)
  }
  return words
}

/** A text as words and punctuation: an apostrophe splits words, as in "l'auto", except in Dutch plurals. */
export function foreignTokens(text: string, language: Language): string[] {
  let parted = text
  if (language === 'nl') parted = text.replace(/['’](?=s\b)/g, '')
  // A comma before "die" continues the same thought instead of starting a new one.
  if (language === 'de') parted = text.replace(/,\s+(?:die|der|das)\b/gi, ' welche')
  const words = parted.match(/[\p{L}\p{N}]+|[,.;:!?()&\n]/gu) ?? []
  return words.map((word) => foldWord(word))
}

function compile(language: Language, file: LanguageFile): ForeignWords {
  const exact = new Map<string, ForeignWord>()
  const inflected = new Map<string, ForeignWord>()
  const keys: string[] = []
  let longest = 1
  const add = (entries: Record<string, string>, kind: ForeignWord['kind']) => {
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
  const parts = new Map(
    Object.entries(file.parts ?? {}).map(([key, value]) => [foldWord(key), value]),
  )
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
  if (word.length < 4) return word
  switch (language) {
    case 'de':
      return umlautless(word).replace(/(?:erinnen|ern|en|er|em|es|e|n|s)$/, '')
    case 'nl':
      return word.replace(/(?:en|s|n|e)$/, '').replace(/([bdfgklmnprst])\1$/, '$1')
    case 'fr':
      return trimEnd(word.replace(/[sx]$/, '').replace(/(?:euse|trice)$/, 'eur'), 'e')
    case 'it':
      return word.replace(/h?[aeio]$/, '')
    case 'pt':
      return word
        .replace(/(?:oes|aes)$/, 'ao')
        .replace(/([ae])is$/, '$1l')
        .replace(/s$/, '')
        .replace(/[aeo]$/, '')
    case 'es':
      return word.replace(/s$/, '').replace(/[aeo]$/, '')
  }
}

/** "Kaeufer" is the spelling without umlauts of a word that folds to "kaufer". */
function umlautless(word: string): string {
  return word.replace(/([aou])e(?!$)/g, '$1')
}

// Which words of an advertisement may be hyphenated, and where: at the soft hyphens set by their author, otherwise by
// the rules of the language. Names, addresses, codes and prices stay whole.

import type { Break, Hyphens } from '../breaks.ts'
import { withoutHyphenation } from '../held-together.ts'
import type { Writing } from '../writing.ts'
import { commonPartingsOf } from './hyphenate.ts'

export interface HyphenOptions {
  /** Possible languages, BCP 47: words are hyphenated where all agree. If empty, only words with soft hyphens are. */
  languages: readonly string[]
  /** Texts with their original soft hyphens. */
  marked: readonly string[]
  /** Whose words are never parted. */
  names: readonly string[]
}

export const HYPHEN = '-'
const SOFT_HYPHEN = '\u00ad'

export function hyphensFor({ languages, marked, names }: HyphenOptions): Hyphens {
  const byHand = markedWords(marked)
  const whole = new Set(names.flatMap((name) => wordsIn(name).map(({ word }) => folded(word))))
  const known = new Map<string, Break[]>()
  const placesIn = (word: string, isName: boolean) =>
    byHand.get(word) ??
    (isName || whole.has(folded(word)) || !isOrdinary(word)
      ? []
      : commonPartingsOf(word, languages))
  return {
    breaksIn: (text) => {
      let breaks = known.get(text)
      if (breaks === undefined) {
        const isName = nameTest(text, languages)
        breaks = wordsIn(text).flatMap(({ word, from }) =>
          placesIn(word, isName(word, from)).map((place) => ({
            to: from + place,
            next: from + place,
            mark: HYPHEN,
            word: { from, to: from + word.length },
          })),
        )
        known.set(text, breaks)
      }
      return breaks
    },
  }
}

/** These breaks, and those within words; the same list if no word can be hyphenated. */
export function withHyphens(
  breaks: readonly Break[],
  text: string,
  { hyphens }: Pick<Writing, 'hyphens'>,
): readonly Break[] {
  const within = hyphens?.breaksIn(text) ?? []
  if (within.length === 0) return breaks
  return [...withoutHyphenation(breaks, text), ...within].sort((a, b) => a.to - b.to)
}

/** Without the marks for possible hyphenation. */
export function withoutSoftHyphens(text: string): string {
  return text.replaceAll(SOFT_HYPHEN, '')
}

function markedWords(texts: readonly string[]): Map<string, number[]> {
  const words = new Map<string, number[]>()
  for (const text of texts) {
    for (const { 0: marked } of text.normalize('NFC').matchAll(/[\p{L}\p{M}\p{N}\u00ad]+/gu)) {
      const parts = marked.split(SOFT_HYPHEN)
      const places: number[] = []
      let at = 0
      for (const part of parts.slice(0, -1)) {
        at += part.length
        if (at > 0) places.push(at)
      }
      const word = parts.join('')
      if (places.length > 0) {
        words.set(
          word,
          places.filter((place) => place < word.length),
        )
      }
    }
  }
  return words
}

interface Word {
  word: string
  from: number
}

/** The text between spaces, hyphens and slashes, without surrounding punctuation; no part of an address. */
function wordsIn(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: token, index } of text.matchAll(/\S+/gu)) {
    if (/[@_\\]|[.:]\/?[\p{L}\p{N}]/u.test(token)) continue
    for (const { 0: piece, index: at } of token.matchAll(/[^/–—-]+/gu)) {
      const runs = [...piece.matchAll(/[\p{L}\p{M}\p{N}]+/gu)]
      const [first, last] = [runs[0], runs.at(-1)]
      if (!first || !last) continue
      const [start, end] = [first.index, last.index + last[0].length]
      words.push({ word: piece.slice(start, end), from: index + at + start })
    }
  }
  return words
}

/** Only letters: anything with digits, points or signs is an address, a code or a price. */
function isOrdinary(word: string): boolean {
  if (!/^[\p{L}\p{M}]+$/u.test(word)) return false
  // A capital inside a word indicates a name; all capitals are an abbreviation, or emphasis.
  const isShouting = word === word.toUpperCase()
  return isShouting ? word.length >= 9 : !/.\p{Lu}/u.test(word)
}

/** Nouns have capitals there. */
const CAPITAL_NOUNS: ReadonlySet<string> = new Set(['de'])

/** Whether a capital marks a word as a name, in a text that otherwise has lower-case letters. */
function nameTest(
  text: string,
  languages: readonly string[],
): (word: string, from: number) => boolean {
  if (languages.some((language) => CAPITAL_NOUNS.has(language))) return () => false
  const long = wordsIn(text).filter(({ word }) => word.length > 3)
  const small = long.filter(({ word }) => /^\p{Ll}/u.test(word)).length
  if (small * 2 < long.length) return () => false
  return (word, from) =>
    /^\p{Lu}/u.test(word) &&
    from > 0 &&
    !/[.!?…:;–—|»”"]\s*$/u.test(text.slice(Math.max(0, from - 3), from))
}

function folded(word: string): string {
  return word.toLowerCase()
}

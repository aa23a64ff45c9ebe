// Where a text may continue on the next line (UAX 14). First where a reader would break it: between words, also in
// scripts without spaces. Then, if that leaves too much for a line, between letters as far as the script allows it,
// and at hyphens.

import LineBreaker from 'linebreak'
import type { Break } from './breaks.ts'
import { withoutHyphenation } from './held-together.ts'
import { GRAPHEMES } from './runs.ts'

/** The last is the end of the text. */
export function breaksOf(text: string): Break[] {
  const places = unicodeBreaks(text)
  const words = WRITES_WITHOUT_BLANKS.test(text) ? wordEnds(text) : undefined
  if (words && BREAKS_BY_DICTIONARY.test(text)) addDictionaryBreaks(text, words, places)
  const chosen = [...places]
    .sort((a, b) => a - b)
    .filter((at) => at === text.length || isBetweenWords(text, at, words))
  const breaks = chosen.map((at) => breakAt(text, at))
  return withoutHyphenation(breaks, text)
}

/** In Chinese and Japanese, after a comma or a full stop, where a short text is best broken. */
export function phraseBreaksOf(text: string): Break[] | undefined {
  if (text.length > MAX_PHRASED || !/[\p{sc=Han}\p{sc=Hiragana}]/u.test(text)) return undefined
  const phrases = breaksOf(text).filter(
    ({ to, next }) =>
      next > to || to === text.length || /[，、。！？；：]/.test(text.charAt(to - 1)),
  )
  return phrases.length > 1 ? phrases : undefined
}

/** In characters: longer texts are read as paragraphs. */
const MAX_PHRASED = 32

/** All that the script allows. */
export function looseBreaksOf(text: string): Break[] {
  const places = unicodeBreaks(text)
  if (BREAKS_BY_DICTIONARY.test(text)) addDictionaryBreaks(text, wordEnds(text), places)
  return [...places].sort((a, b) => a - b).map((at) => breakAt(text, at))
}

/** Between what a reader takes for letters: for a word that has no other break. */
export function letterEnds(text: string, from: number, to: number): number[] {
  return [...GRAPHEMES.segment(text.slice(from, to))].map(
    ({ index, segment }) => from + index + segment.length,
  )
}

function unicodeBreaks(text: string): Set<number> {
  const breaker = new LineBreaker(text)
  const places = new Set<number>()
  for (let at = breaker.nextBreak(); at; at = breaker.nextBreak()) places.add(at.position)
  places.add(text.length)
  return places
}

function breakAt(text: string, at: number): Break {
  let to = at
  while (to > 0 && text.charAt(to - 1) === ' ') to -= 1
  return { to, next: at }
}

const WRITES_WITHOUT_BLANKS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** UAX 14 leaves these to a dictionary, which ICU has. */
const BREAKS_BY_DICTIONARY = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const DICTIONARY_LETTER = BREAKS_BY_DICTIONARY
const WORDS = new Intl.Segmenter('th', { granularity: 'word' })

function wordEnds(text: string): Set<number> {
  const ends = new Set<number>()
  for (const { index, segment } of WORDS.segment(text)) ends.add(index + segment.length)
  return ends
}

function addDictionaryBreaks(text: string, words: ReadonlySet<number>, places: Set<number>): void {
  for (const at of words)
    if (DICTIONARY_LETTER.test(text.charAt(at)) && DICTIONARY_LETTER.test(text.charAt(at - 1)))
      places.add(at)
}

const HANGUL = /\p{sc=Hangul}/u
const HIRAGANA = /[\p{sc=Hiragana}ー]/u
const WORD = /[\p{L}\p{N}\p{M}]/u

function isBetweenWords(text: string, at: number, words: ReadonlySet<number> | undefined): boolean {
  const [before, after] = [text.charAt(at - 1), text.charAt(at)]
  if (before === ' ') return true
  // 10月, 9,900원: a unit stays with its number.
  if (/\p{Nd}/u.test(before) && /\p{L}/u.test(after)) return false
  // Korean has spaces, and headlines keep its words whole; the same applies to names with a hyphen.
  if (HANGUL.test(before) && HANGUL.test(after)) return false
  if (before === '-' || before === '/') return false
  if (words === undefined) return true
  // Japanese endings and particles stay with the word before them.
  if (HIRAGANA.test(after) && WORD.test(before)) return false
  return words.has(at)
}

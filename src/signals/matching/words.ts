// Defines what a word is, when two words are equal, and what the forms of a word have in common: for the index, for
// queries and for parsing a brief. Simple on purpose: the vectors handle meaning. (The sentence model's pieces follow
// that model's own rules, in `word-pieces.ts`.)

import { isStopWord } from './stop-words.ts'

export interface Token {
  /** As it was written. */
  raw: string
  /** As comparisons see it. */
  word: string
  start: number
  end: number
}

/** Letters and digits; an apostrophe inside a word does not split it. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{N}\p{M}]+)*/gu

/** Words with their places. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(WORD)) {
    const raw = match[0]
    tokens.push({ raw, word: foldWord(raw), start: match.index, end: match.index + raw.length })
  }
  return tokens
}

export function wordsOf(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map(foldWord)
}

/** The words that have meaning; all of them if none does. */
export function contentWords(text: string): readonly string[] {
  return contentTokens(text).map(({ word }) => word)
}

/** The same words with their original spelling. */
export function contentTokens(text: string): readonly Token[] {
  const tokens = tokensOf(text)
  const content = tokens.filter(({ word }) => !isStopWord(word))
  return content.length > 0 ? content : tokens
}

/** Lower case without accents: "Naïve" and "naive" are equal, "don't" and "dont", "dog's" and "dog". */
export function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (/^[a-z0-9]*$/.test(lower)) return lower
  return lower
    .replace(/['’]s$/, '')
    .replace(/['’]/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßœæøłđ]/g, (letter) => UNFOLDED.get(letter) ?? letter)
}

const UNFOLDED: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['œ', 'oe'],
  ['æ', 'ae'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
])

/** The singular, by rough but consistent rules: only for comparison, never displayed. */
export function singularOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && word.endsWith('ie')) return `${word.slice(0, -2)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.length > 2 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

/** A longer one is not a word, so it has no inflection to recognise. */
const MAX_STEMMED = 48

/** What "shopper", "shoppers", "shopping" and "shop" have in common. */
export function stemOf(word: string): string {
  return stemWithout(/(?:ing|ed|er|or)$/, word)
}

/** The same, but keeping the person separate: for phrases of the lexicon, in which a runner is not a run. */
export function tenselessOf(word: string): string {
  return stemWithout(/(?:ing|ed)$/, word)
}

function stemWithout(ending: RegExp, word: string): string {
  if (word.length < 4 || word.length > MAX_STEMMED || /\d/.test(word)) return word
  let stem = singularOf(word)
  const bare = stem.replace(ending, '')
  if (bare !== stem && bare.length >= 3 && canStandAlone(bare)) stem = undouble(bare)
  if (stem.endsWith('e') && stem.length > 4) stem = stem.slice(0, -1)
  return stem.endsWith('y') && stem.length > 3 ? `${stem.slice(0, -1)}i` : stem
}

/** A vowel that is not all that is left: "bring" and "red" keep their endings. */
function canStandAlone(bare: string): boolean {
  const first = bare.search(/[aeiouy]/)
  return /[aeiouy]/.test(bare.slice(2)) || (first >= 0 && first < bare.length - 1)
}

/** "shopp" is shop. */
export function undouble(stem: string): string {
  return /([bdfgklmnprtz])\1$/.test(stem) ? stem.slice(0, -1) : stem
}

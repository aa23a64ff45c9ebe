// Words of a text for the language layer: folded for comparing, with their places for replacing.

import { trimEnd } from '../../../lib/trim-end.ts'

export interface Token {
  /** As it was written. */
  raw: string
  /** Lower case, without accents and apostrophes. */
  word: string
  start: number
  end: number
}

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(WORD)) {
    const raw = match[0]
    tokens.push({ raw, word: foldWord(raw), start: match.index, end: match.index + raw.length })
  }
  return tokens
}

/** As a comparison sees it: "Naïve" and "naive" are equal, and so are "don't" and "dont". */
export function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (/^[a-z0-9]*$/.test(lower)) return lower
  return lower
    .replace(/['’]/g, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßœæøłđ]/g, (letter) => UNFOLDED[letter] ?? letter)
}

const UNFOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
}

/** Without number, crudely but always alike: only for comparing, never shown. */
export function singularOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && word.endsWith('ie')) return `${word.slice(0, -2)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.length > 2 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

/** Without number and tense; for comparing phrases, where the words beside it keep it from going astray. */
export function stemOf(word: string): string {
  let stem = singularOf(word)
  if (stem.length > 5 && stem.endsWith('ing')) stem = undouble(stem.slice(0, -3))
  else if (stem.length > 4 && stem.endsWith('ed')) stem = undouble(stem.slice(0, -2))
  if (stem.length > 3 && stem.endsWith('e')) stem = stem.slice(0, -1)
  if (stem.length > 3 && stem.endsWith('y')) stem = `${stem.slice(0, -1)}i`
  return stem
}

export function undouble(stem: string): string {
  return /([bdfgklmnprtz])\1$/.test(stem) ? stem.slice(0, -1) : stem
}

/** One space between words, none at the ends and before punctuation, and no punctuation left over. */
export function tidy(text: string): string {
  const single = text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;:!?)])/g, '$1')
    .replace(/([,;:])(?: ?[,;:])+/g, '$1')
    .replace(/\( ?\)/g, '')
    .replace(/^[ ,.;:!?&/)*•–—-]+/, '')
  return trimEnd(single, ' ,.;:!?&/(*•–—-').trim()
}

/** Words that carry no meaning of their own. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the and or but of to in on at for from with by as into onto over under about between ' +
    'is are was were be been being am do does did have has had having will would can could should may ' +
    'might must who whom whose which that this these those it its they them their theirs we us our i me ' +
    'my you your he she his her not no nor so than then there here what when where why how all any both ' +
    'each few more most other some such only own same too very just also really still already ever up ' +
    'out off if while because until during before after again once s t re ve ll d m'
  ).split(' '),
)

/** Words that say an audience is meant and not which one. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  (
    'people person persons folks folk anyone anybody everyone everybody someone somebody those adults ' +
    'individuals consumers consumer users user audience audiences segment segments signal signals ' +
    'customers customer households household population public guys peeps humans types type kind kinds ' +
    'group groups lot lots shoppers buyers crowd crowds viewers market target targets targeting data ' +
    'interested interest interests love loves like likes enjoy enjoys into looking want wants reach find'
  ).split(' '),
)

export function isContentWord(word: string): boolean {
  return !STOP_WORDS.has(word) && !GENERIC_WORDS.has(word)
}

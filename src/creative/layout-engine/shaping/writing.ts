// The language and direction of an advertisement, determined from its letters: the language decides between the
// shapes that Chinese, Japanese and Korean give one letter, and the direction mirrors the layout.

import type { Hyphens } from './breaks.ts'

export interface Writing {
  /** BCP 47; empty when neither letters nor words identify it. */
  language: string
  direction: TextDirection
  /** How its words are hyphenated. Default: not at all. */
  hyphens?: Hyphens
}

export type TextDirection = 'ltr' | 'rtl'

/** What most of its letters are. */
export function writingOf(texts: readonly string[]): Writing {
  const text = texts.join(' ')
  if (!BEYOND_EUROPE.test(text)) return { language: '', direction: 'ltr' }
  const counts = new Map<string, number>()
  for (const letter of text) {
    const language = SCRIPTS.find(([, script]) => script.test(letter))?.[0]
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  // A single kana makes a text Japanese, however many Chinese characters it has.
  const han = counts.get('zh') ?? 0
  if (counts.has('ja')) counts.set('ja', (counts.get('ja') ?? 0) + han)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  const language = most?.[0] ?? ''
  if (language === 'ar') return { language: arabicOf(text), direction: 'rtl' }
  if (language === 'la') return { language: VIETNAMESE.test(text) ? 'vi' : '', direction: 'ltr' }
  return { language, direction: language === 'he' ? 'rtl' : 'ltr' }
}

/** Letters that are not Latin, Greek or Cyrillic, and not a sign that all scripts use; and Vietnamese. */
const BEYOND_EUROPE = /[\u0530-\u1fff\u2c00-\u{10ffff}]/u
const VIETNAMESE = /[ơưăđ\u1ea0-\u1ef9]/i

const SCRIPTS: readonly [string, RegExp][] = [
  ['la', /\p{sc=Latin}/u],
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['zh', /\p{sc=Han}/u],
  ['ko', /\p{sc=Hangul}/u],
  ['ar', /\p{sc=Arabic}/u],
  ['he', /\p{sc=Hebrew}/u],
  ['hi', /\p{sc=Devanagari}/u],
  ['th', /\p{sc=Thai}/u],
  ['el', /\p{sc=Greek}/u],
  ['ru', /\p{sc=Cyrillic}/u],
]

function arabicOf(text: string): string {
  if (/[ٹڈڑے]/.test(text)) return 'ur'
  return /[پچژگ]/.test(text) ? 'fa' : 'ar'
}

/** For a single text: a Latin name at its beginning does not reverse an Arabic sentence. */
export function directionOf(text: string): TextDirection {
  if (!hasRightToLeft(text)) return 'ltr'
  let [right, left] = [0, 0]
  for (const letter of text) {
    if (RIGHT_TO_LEFT.test(letter)) right += 1
    else if (/\p{L}/u.test(letter)) left += 1
  }
  return right * 1.5 >= left ? 'rtl' : 'ltr'
}

export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text)
}

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

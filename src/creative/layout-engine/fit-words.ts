// Shortens a text to a maximum number of characters, at the end of a sentence or else of a word.

import { trimEnd } from '../../lib/trim-end.ts'

/** Never longer than `limit` in UTF-16 units, so no other way of counting characters gives more. */
export function fitWords(text: string, limit: number): string {
  const clean = tidy(text)
  if (clean.length <= limit) return clean
  if (limit < 1) return ''
  const sentence = clean.slice(0, lastSentenceEnd(clean, limit))
  if (sentence.length >= limit * 0.45) return sentence
  const words = clean.slice(0, limit).split(' ')
  // The last piece may be half a word.
  if (clean[limit] !== ' ' && words.length > 1) words.pop()
  let length = words.join(' ').length
  while (words.length > 1 && !(length < limit && canEnd(words.at(-1) as string))) {
    length -= (words.pop() as string).length + 1
  }
  const kept = trimEnd(words.join(' '), LOOSE)
  if (words.length === 1 && kept.length >= limit) return cutWord(clean, limit)
  return kept.length < limit ? `${kept}…` : kept
}

/** The end of the last whole sentence within the limit; 0 if there is none. */
function lastSentenceEnd(text: string, limit: number): number {
  for (let end = limit; end > 0; end--) {
    if (text.charAt(end) === ' ' && /[.!?]/.test(text.charAt(end - 1))) return end
  }
  return 0
}

/** One line without control characters, bidirectional overrides and repeated spaces. */
export function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .trim()
}

const LOOSE = ' ,;:.–—&+/-'
const SMALL_WORDS = new Set(
  'a an and as at but by for from in into is of on or our the their to with your'.split(' '),
)

function canEnd(word: string): boolean {
  const last = trimEnd(word.toLowerCase(), LOOSE)
  return last !== '' && !SMALL_WORDS.has(last)
}

/** The maximum length of what a person would take for one character. */
const WINDOW = 64

/** Between two characters, not inside one; only the place of the cut is examined. */
function cutWord(text: string, limit: number): string {
  const from = Math.max(limit - 1 - WINDOW, 0)
  let end = from
  for (const { index } of new Intl.Segmenter('en').segment(text.slice(from, limit + WINDOW))) {
    if (from + index > limit - 1) break
    end = from + index
  }
  return end === 0 ? '' : `${text.slice(0, end)}…`
}

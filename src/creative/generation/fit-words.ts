// Shortens a text to so many characters, at the end of a sentence or else of a word.

/** Never longer than `limit`, counted in UTF-16 units: no counter of characters finds more. */
export function fitWords(text: string, limit: number): string {
  const clean = tidy(text)
  if (clean.length <= limit) return clean
  if (limit < 1) return ''
  const sentences = clean.slice(0, limit + 1).match(/^.*[.!?](?=\s)/s)?.[0]
  if (sentences !== undefined && sentences.length >= limit * 0.45) return sentences
  const words = clean.slice(0, limit).split(' ')
  // The last piece may be half a word.
  if (clean[limit] !== ' ' && words.length > 1) words.pop()
  while (words.length > 1 && !canEnd(words, limit)) words.pop()
  const kept = words.join(' ').replace(LOOSE_END, '')
  if (words.length === 1 && kept.length >= limit) return cutWord(clean, limit)
  return kept.length < limit ? `${kept}…` : kept
}

/** One line without control characters, bidirectional overrides and doubled blanks. */
export function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .trim()
}

const LOOSE_END = /[\s,;:.–—&+/-]+$/
const SMALL_WORDS = new Set(
  'a an and as at but by for from in into is of on or our the their to with your'.split(' '),
)

function canEnd(words: readonly string[], limit: number): boolean {
  const last = (words.at(-1) as string).toLowerCase().replace(LOOSE_END, '')
  return last !== '' && !SMALL_WORDS.has(last) && words.join(' ').length < limit
}

function cutWord(text: string, limit: number): string {
  let kept = ''
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    if (kept.length + segment.length > limit - 1) break
    kept += segment
  }
  return kept === '' ? '' : `${kept}…`
}

// Quotation marks of all languages: where quoted words begin and end. Linear: a closing mark is searched for only
// within the length of a text that an advertisement could hold.

import type { Span } from './phrases.ts'

/** The closing marks of each opening one. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”“"'],
  ['„', '“”"'],
  ['”', '”'],
  ['«', '»'],
  ['»', '«'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
  ['״', '״'],
  ['＂', '＂'],
  ['‘', '’'],
  ['‚', '‘’'],
  ["'", "'"],
])
/** Marks that are also apostrophes: quotation marks only at the ends of words. */
const APOSTROPHES = new Set(["'", '‘', '’', '״', '"'])
const LETTER = /[\p{L}\p{N}]/u
/** Letters that are written next to a quotation without a space. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/u
const MAX_QUOTED = 300

export interface Quoted extends Span {
  /** Without the marks and the spaces within them. */
  text: string
}

export function quotedIn(text: string): Quoted[] {
  const found: Quoted[] = []
  /** How far each closing mark has been searched for without success: that range is not searched again. */
  const soughtTo = new Map<string, number>()
  for (let at = 0; at < text.length; at++) {
    const closing = closingOf(text, at)
    if (closing === undefined) continue
    const sought = seek(text, closing, { at, from: Math.max(at + 1, soughtTo.get(closing) ?? 0) })
    if (typeof sought === 'number') {
      soughtTo.set(closing, sought)
      continue
    }
    found.push(sought)
    at = sought.end - 1
  }
  return found
}

/** The quotation from this position on; undefined if none begins here that is also closed. */
export function quotedAt(text: string, at: number): Quoted | undefined {
  const closing = closingOf(text, at)
  if (closing === undefined) return undefined
  const sought = seek(text, closing, { at, from: at + 1 })
  return typeof sought === 'number' ? undefined : sought
}

/** The marks that may close the quotation opened here. */
function closingOf(text: string, at: number): string | undefined {
  const opening = text.charAt(at)
  const isApostrophe = APOSTROPHES.has(opening) && isWordLetter(text.charAt(at - 1))
  return isApostrophe ? undefined : PAIRS.get(opening)
}

/** Part of a word that continues, in scripts with spaces between words. */
function isWordLetter(sign: string): boolean {
  return LETTER.test(sign) && !UNSPACED.test(sign)
}

/** The quotation that begins at `at`, closed at `from` or later; or how far the search went. */
function seek(
  text: string,
  closing: string,
  { at, from }: { at: number; from: number },
): Quoted | number {
  const last = Math.min(text.length, at + MAX_QUOTED)
  for (let end = from; end < last; end++) {
    const mark = text.charAt(end)
    if (mark === '\n') return end
    if (!closing.includes(mark)) continue
    const isWithin = APOSTROPHES.has(mark) && isWordLetter(text.charAt(end + 1))
    const inner = text.slice(at + 1, end).trim()
    if (!isWithin && inner !== '') return { start: at, end: end + 1, text: inner }
  }
  return Math.max(from, last)
}

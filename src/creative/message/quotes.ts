// Quotation marks of all languages: where quoted words begin and end. Linear: a closing mark is sought
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
const MAX_QUOTED = 300

export interface Quoted extends Span {
  /** Without the marks and the blanks within them. */
  text: string
}

export function quotedIn(text: string): Quoted[] {
  const found: Quoted[] = []
  for (let at = 0; at < text.length; at++) {
    const quoted = quotedAt(text, at)
    if (!quoted) continue
    found.push(quoted)
    at = quoted.end - 1
  }
  return found
}

/** What is quoted from this place on; undefined when nothing begins here that also ends. */
export function quotedAt(text: string, at: number): Quoted | undefined {
  const opening = text.charAt(at)
  const closing = PAIRS.get(opening)
  if (closing === undefined) return undefined
  if (APOSTROPHES.has(opening) && LETTER.test(text.charAt(at - 1))) return undefined
  const last = Math.min(text.length, at + MAX_QUOTED)
  for (let end = at + 1; end < last; end++) {
    const mark = text.charAt(end)
    if (mark === '\n') return undefined
    if (!closing.includes(mark)) continue
    const isWithin = APOSTROPHES.has(mark) && LETTER.test(text.charAt(end + 1))
    const inner = text.slice(at + 1, end).trim()
    if (!isWithin && inner !== '') return { start: at, end: end + 1, text: inner }
  }
  return undefined
}

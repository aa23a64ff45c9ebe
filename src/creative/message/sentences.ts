// Splits a message into sentences, and clauses within them, in every script. Quoted text is never split. Linear.

import { isMonth } from './facts.ts'
import { AND } from './lexicon/small-words.ts'
import { folded, foldWord, phrasesOf } from './phrases.ts'
import { quotedIn } from './quotes.ts'

export interface Clause {
  text: string
  /** The text up to the next clause: `, ` or ` – `, and at the end of a sentence its mark. */
  mark: string
}

const ENDS = new Set('.!?…。！？؟।॥．'.split(''))
const DIGIT = /\p{Nd}/u
const BLANK = /\s/
const LOWER = /\p{Ll}/u
const CLOSERS = new Set('"”“»」』’)）]】״'.split(''))

/** In message order, without what separates them. */
export function sentencesOf(message: string): string[] {
  const inQuotes = quotedSpans(message)
  const stopAt = fullStops(message)
  const sentences: string[] = []
  let from = 0
  const end = (at: number) => {
    const sentence = message.slice(from, at).trim()
    if (sentence !== '') sentences.push(sentence)
    from = at
  }
  for (let at = 0; at < message.length; at++) {
    const quoted = inQuotes.get(at)
    if (quoted !== undefined) {
      at = quoted - 1
      // A quotation that ends like a sentence ends one, if another begins after it.
      if (ENDS.has(message.charAt(at - 1)) || ENDS.has(message.charAt(at - 2))) {
        if (isLabelAhead(message, at + 1)) end(at + 1)
      }
      continue
    }
    const sign = message.charAt(at)
    if (sign === '\n' || sign === ';') {
      end(at)
      from = at + 1
      continue
    }
    if (!ENDS.has(sign) || !isSentenceEnd(message, at, stopAt)) continue
    while (ENDS.has(message.charAt(at + 1)) || CLOSERS.has(message.charAt(at + 1))) at++
    end(at + 1)
  }
  end(message.length)
  return sentences
}

function isLabelAhead(message: string, at: number): boolean {
  return /^ ?\p{Lu}/u.test(message.slice(at, at + 2))
}

function quotedSpans(text: string): Map<number, number> {
  return new Map(quotedIn(text).map(({ start, end }) => [start, end]))
}

/** Words that include a full stop. */
const SHORT = new Set(
  `tel tél tlf ul ул вул str st nr no av bd ca inkl incl zzgl approx dr mr mrs ms prof стр ext inc ltd руб грн млн тыс мин шт godz al пл просп пр бул
  вкл bzw usw etc vs sr sra dña avda pza ctra sig via piaz max min kg ft jan feb mar apr jun jul aug sep sept oct okt nov dec dez ene abr ago dic кв корп м г д т стр`.split(
    /\s+/,
  ),
)

interface FullStop {
  /** After the full stops and closing marks that follow it. */
  end: number
  /** After the blanks behind these. */
  next: number
}

/** Called from left to right, so that the text after a run of full stops is searched only once. */
function fullStops(text: string): (at: number) => FullStop {
  let known: FullStop = { end: 0, next: 0 }
  return (at) => {
    if (at + 1 < known.end) return known
    let end = at + 1
    while (CLOSERS.has(text.charAt(end)) || text.charAt(end) === '.') end++
    let next = end
    while (next < text.length && BLANK.test(text.charAt(next))) next++
    known = { end, next }
    return known
  }
}

function isSentenceEnd(text: string, at: number, stopAt: (at: number) => FullStop): boolean {
  const sign = text.charAt(at)
  // Within an address, as in `?c=1`.
  if (sign === '!' || sign === '?') return !/[\p{sc=Latin}\p{Nd}=&/]/u.test(text.charAt(at + 1))
  if (sign !== '.') return true
  const { end, next } = stopAt(at)
  if (end < text.length && end === next) return false
  const follows = text.charAt(next)
  if (follows === '') return true
  const before = /[\p{L}\p{M}\p{N}]{1,24}$/u.exec(text.slice(Math.max(0, at - 24), at))?.[0] ?? ''
  const next4 = /^\p{L}{1,20}/u.exec(text.slice(next, next + 20))?.[0] ?? ''
  if (/^\p{Nd}{1,2}$/u.test(before) && isMonth(next4)) return false
  // `4 °C.`, `800 W.`: the letter is a unit.
  if (/[\p{Nd}°] ?°?\p{L}$/u.test(text.slice(Math.max(0, at - 4), at)) && !LOWER.test(follows))
    return true
  // Some people write everything in lower case; but before a lower-case letter most short words are abbreviations.
  if (LOWER.test(follows)) return before.length > 3 && !isShort(before)
  return !isShort(before)
}

function isShort(word: string): boolean {
  return /^\p{L}$/u.test(word) || SHORT.has(foldWord(word)) || /^[\p{sc=Thai}]{1,3}$/u.test(word)
}

const SEPARATORS = new Set(',:，、：،؛；→|•・'.split(''))
const THAI = /\p{sc=Thai}/u
const DASHES = new Set('–—-−/'.split(''))

export function clausesOf(sentence: string): Clause[] {
  const inQuotes = quotedSpans(sentence)
  const clauses: Clause[] = []
  let from = 0
  let depth = 0
  for (let at = 0; at < sentence.length; at++) {
    const quoted = inQuotes.get(at)
    if (quoted !== undefined) {
      at = quoted - 1
      continue
    }
    const sign = sentence.charAt(at)
    if (sign === '(' || sign === '（') depth++
    if (sign === ')' || sign === '）') depth--
    if (depth > 0 || !isSeparator(sentence, at)) continue
    let end = at + 1
    while (end < sentence.length && BLANK.test(sentence.charAt(end))) end++
    let start = at
    while (start > from && BLANK.test(sentence.charAt(start - 1))) start--
    clauses.push({ text: sentence.slice(from, start), mark: sentence.slice(start, end) })
    from = end
    at = end - 1
  }
  clauses.push(lastClause(sentence.slice(from)))
  return clauses.filter(({ text }) => text !== '')
}

function isSeparator(text: string, at: number): boolean {
  const sign = text.charAt(at)
  const [before, after] = [text.charAt(at - 1), text.charAt(at + 1)]
  if (SEPARATORS.has(sign)) {
    if (sign === ':' && after === '/') return false
    return !(DIGIT.test(before) && DIGIT.test(after))
  }
  // Thai has spaces where other languages have commas.
  if (sign === ' ')
    return (
      THAI.test(after) &&
      (THAI.test(before) ||
        CLOSERS.has(before) ||
        (before === '.' && THAI.test(text.charAt(at - 2))))
    )
  if (!DASHES.has(sign)) return false
  return (BLANK.test(before) && BLANK.test(after)) || (sign === '—' && before !== '')
}

function lastClause(text: string): Clause {
  let end = text.length
  while (end > 0 && (ENDS.has(text.charAt(end - 1)) || BLANK.test(text.charAt(end - 1)))) end--
  return { text: text.slice(0, end), mark: text.slice(end) }
}

const JOINS = phrasesOf(AND)

/** Without the word that joins it to the text before it. */
export function withoutJoin(part: string): string {
  const text = folded(part)
  const join = JOINS.atStart(text)
  return join && join.start === 0 ? part.slice(join.end).trim() : part
}

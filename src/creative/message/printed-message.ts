// Compares a message with what was printed of it (spec 4.2), and returns the missing words as readable phrases.

import { factsIn } from './facts.ts'
import { unprintedFacts } from './guard-drawn.ts'
import { MENTION } from './lexicon/asking.ts'
import { NOT } from './lexicon/avoiding.ts'
import { DETERMINERS, STOP_WORDS } from './lexicon/small-words.ts'
import { PRINTING } from './lexicon/verbatim.ts'
import { folded, phrasesOf, type Span } from './phrases.ts'
import {
  MAX_SIDE_BY_SIDE,
  type PlacedWord,
  type PrintedWords,
  placedWords,
  printedMask,
  printedWords,
} from './word-match.ts'

export interface PrintedMessage {
  text: string
  words: readonly PlacedWord[]
  /** For each word, whether it is printed. */
  isPrinted: readonly boolean[]
  printed: PrintedWords
}

const SMALL = phrasesOf(STOP_WORDS, DETERMINERS, PRINTING, MENTION)
const NEGATION = phrasesOf(NOT)
/** Markup and macros are no words. */
const NO_WORDS = [
  /<[^<>]{1,200}>/g,
  /\{\{[^{}]{1,80}\}\}/g,
  /\$\{[^{}]{1,80}\}/g,
  /%%[^%]{1,80}%%/g,
]

export function printedMessage(text: string, printed: readonly string[]): PrintedMessage {
  const blank = NO_WORDS.reduce(
    (rest, pattern) => rest.replace(pattern, (found) => ' '.repeat(found.length)),
    text,
  )
  const words = placedWords(blank)
  const said = printedWords(printed)
  const isPrinted = printedMask(blank, words, said)
  // A figure is printed as a whole or not at all.
  let at = 0
  const lost = unprintedFacts(text, printed)
  for (const { start, end } of lost) {
    while ((words[at]?.end ?? text.length) <= start && at < words.length) at++
    for (let next = at; (words[next]?.start ?? end) < end; next++) isPrinted[next] = false
  }
  return { text, words, isPrinted, printed: said }
}

export interface Missing {
  /** Phrases of the message, verbatim. */
  missing: readonly string[]
  /** Whether any of it is printed. */
  hasPrinted: boolean
  /** Words that say something. */
  words: number
  /** Whether there is no word in it. */
  isEmpty: boolean
}

export function missingIn({ start, end }: Span, message: PrintedMessage): Missing {
  const { text, words } = message
  const [from, to] = [firstFrom(words, start), firstFrom(words, end)]
  const lost: Run[] = []
  let [printedCount, update] = [0, 0]
  for (let at = from; at < to; at++) {
    const word = words[at] as PlacedWord
    if (!isSmall(word, text)) {
      update++
      if (message.isPrinted[at]) printedCount++
    }
    if (message.isPrinted[at]) continue
    let last = at
    while (last + 1 < to && !message.isPrinted[last + 1] && !endsSentence(last, message)) last++
    const run = { from: at, to: last + 1 }
    const count = words.slice(run.from, run.to).filter((one) => !isSmall(one, text)).length
    if (count > 0) {
      if (isSaidAnyway(run, count, message)) printedCount += count
      else addRun(lost, run)
      update += count - (isSmall(word, text) ? 0 : 1)
    }
    at = last
  }
  const missing = lost.map((run) => {
    const first = words[run.from] as PlacedWord
    return text.slice(Math.max(first.start, start), Math.min(endOf(words, run.to - 1), end))
  })
  return {
    missing: withFigures(missing, { start, end }, message),
    hasPrinted: printedCount > 0,
    words: update,
    isEmpty: to <= from,
  }
}

function endsSentence(index: number, { text, words }: PrintedMessage): boolean {
  const next = words[index + 1]?.start ?? text.length
  return /[.!?…](?:["”»)]?\s)|[。！？;；\n]/u.test(text.slice(endOf(words, index), next))
}

/** With the symbols at the edges of a figure: `€`, `%`. */
function withFigures(missing: string[], { start, end }: Span, { text }: PrintedMessage): string[] {
  let at = start
  return missing.map((phrase) => {
    const from = text.indexOf(phrase, at)
    const [head, tail] = [
      text.slice(Math.max(start, from - 4), from),
      text.slice(from + phrase.length),
    ]
    at = from + phrase.length
    const before = /(?:[\p{Sc}@#+]|[A-Z]{0,2}\p{Sc} ?)$/u.exec(head)?.[0] ?? ''
    const after = /^ ?[\p{Sc}%٪％]/u.exec(tail.slice(0, end - at))?.[0] ?? ''
    return before + phrase + after
  })
}

interface Run {
  from: number
  to: number
}

/** Consecutive sentences form one phrase. */
function addRun(runs: Run[], run: Run): void {
  const last = runs.at(-1)
  if (last?.to === run.from) last.to = run.to
  else runs.push(run)
}

/** One or two words that appear elsewhere in the advertisement, and no figure. */
function isSaidAnyway({ from, to }: Run, count: number, message: PrintedMessage): boolean {
  const run = message.words.slice(from, to)
  const { start } = run[0] as PlacedWord
  const { end } = run.at(-1) as PlacedWord
  if (/\p{N}/u.test(message.text.slice(start, end))) return false
  if (factsIn(message.text.slice(start, end)).length > 0) return false
  const words = run.map(({ word }) => word)
  if (words.length <= MAX_SIDE_BY_SIDE && message.printed.hasRun(words)) return true
  return (
    count <= 2 && run.every((one) => isSmall(one, message.text) || message.printed.has(one.word))
  )
}

function isSmall({ word, start, end }: PlacedWord, text: string): boolean {
  if (/\p{N}/u.test(word)) return false
  const said = folded(text.slice(start, end))
  return SMALL.atStart(said) !== undefined && NEGATION.atStart(said) === undefined
}

function firstFrom(words: readonly PlacedWord[], at: number): number {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    // A word split by a boundary belongs to the side that has most of it.
    const { start, end } = words[middle] as PlacedWord
    if (start + (end - start) / 2 < at) low = middle + 1
    else high = middle
  }
  return low
}

function endOf(words: readonly PlacedWord[], index: number): number {
  return (words[index] as PlacedWord).end
}

const MAX_QUOTE = 200
const MAX_FACTS = 20

/** In quotation marks; if long, only its beginning and its figures. */
export function quoted(text: string): string {
  const tidy = text.replace(/\s+/g, ' ').trim()
  if (tidy.length <= MAX_QUOTE) return `“${tidy}”`
  const facts = factsIn(tidy.slice(MAX_QUOTE - 40)).map((fact) => `“${fact.text}”`)
  const named = facts.slice(0, MAX_FACTS).join(', ')
  return `“${tidy.slice(0, MAX_QUOTE)}…”${named === '' ? '' : ` with ${named}`}`
}

// Compares the parts of a message, as the rules read them, with what the sequence model learned from messages of many
// authors. Copy that is surely an instruction is not printed; copy that the rules took for an instruction is.

import { hasOffer } from './facts.ts'
import type { Language } from './language.ts'
import { OFFERS } from './lexicon/offers.ts'
import { folded, phrasesOf } from './phrases.ts'
import { type JudgedWord, judgedWords } from './reading/printable-words.ts'
import type { ReadPart } from './said-copy.ts'

/** Below it, words are surely an instruction: the model knows English best, then languages with many messages. */
const INSTRUCTION = { en: 0.3, well: 0.1, others: 0.05 }
const KNOWN_WELL: ReadonlySet<Language> = new Set('de fr it ja ko pt zh-Hans zh-Hant'.split(' '))
/** An offer is hardly an instruction. */
const OFFER = 0.05
/** Below it, what the rules found to be advertised is none. */
const NO_SUBJECT = 0.05
/** Words at the ends of copy are left out below it. */
const END = 0.05
/** Of words that are left beside an instruction, how likely copy they must be on average. */
const LEFT = 0.4
/** Above it, words are surely copy. */
const COPY = 0.9

export function judgeParts(
  message: string,
  parts: readonly ReadPart[],
  language: Language | undefined,
  words: readonly JudgedWord[] = judgedWords(message),
): ReadPart[] {
  // What is too short to tell its language is mostly English.
  const isEnglish = language === 'en' || language === undefined
  const isWell = language !== undefined && KNOWN_WELL.has(language)
  const limit = INSTRUCTION[isEnglish ? 'en' : isWell ? 'well' : 'others']
  const judged: Judged = { message, words, limit, isEnglish }
  let from = 0
  return parts.flatMap((part) => {
    const at = placeOf(message, part.whole, from)
    if (at < 0) return part
    from = at + part.whole.length
    if (part.kind === 'copy') return withoutInstruction(part, at, judged)
    if (!judged.isEnglish) return part
    if (part.kind === 'subject' || part.kind === 'mention') return withoutSubject(part, at, judged)
    return part.kind === 'avoid' ? withCopy(part, at, judged) : part
  })
}

/** Parts are in the order of the message; one that was put together is not found in it. */
function placeOf(message: string, text: string, from: number): number {
  if (text.trim() === '') return -1
  const next = message.indexOf(text, from)
  return next < 0 ? message.indexOf(text) : next
}

interface Judged {
  message: string
  words: readonly JudgedWord[]
  /** How likely copy must be at least. */
  limit: number
  isEnglish: boolean
}

/** What is left out at its ends is a part of its own, so that it is reported. */
function withoutInstruction(part: ReadPart, at: number, judged: Judged): ReadPart | ReadPart[] {
  const { message, words } = judged
  const start = placeOf(message, part.text, at)
  if (start < 0 || start + part.text.length > at + part.whole.length) return part
  const own = wordsIn(words, start, start + part.text.length)
  const limit = limitFor(part.text, judged)
  if (own.length > 0 && !longestCopy(own, limit)) return doubtful(part)
  const copy = longestCopy(own, Math.min(limit, END))
  if (!judged.isEnglish || !copy || copy.count === own.length) return part
  if (copy.mean < LEFT) return doubtful(part)
  const end = start + part.text.length
  const cut = (from: number, to: number): ReadPart[] => {
    const whole = message.slice(from, to).trim()
    return wordsIn(words, from, to).length > 0
      ? [{ ...part, kind: 'talk', text: whole, whole, mark: ' ' }]
      : []
  }
  const kept = { ...part, text: message.slice(copy.start, copy.end) }
  return [
    ...cut(start, copy.start),
    kept,
    ...cut(copy.end, end).map((last) => ({ ...last, mark: part.mark })),
  ]
}

/** In languages that the model knows less, what offers something is never doubted. */
function limitFor(text: string, { limit, isEnglish }: Judged): number {
  if (isEnglish) return hasOffer(text) ? OFFER : limit
  return hasOffer(text) || OFFERING.find(folded(text)) ? 0 : limit
}

const OFFERING = phrasesOf(OFFERS)

/** What the rules found to be advertised is doubted only when nothing speaks for it. */
function withoutSubject(part: ReadPart, at: number, { message, words }: Judged): ReadPart {
  const start = placeOf(message, part.text, at)
  const own = start < 0 ? [] : wordsIn(words, start, start + part.text.length)
  const isSure = own.length > 0 && own.every(({ printable }) => printable < NO_SUBJECT)
  return isSure ? doubtful(part) : part
}

function doubtful(part: ReadPart): ReadPart {
  return { ...part, kind: 'manner', text: part.whole, isDoubtful: true }
}

interface Run {
  start: number
  end: number
  count: number
  /** The probability of its words on average. */
  mean: number
}

/** Without words at both ends that are surely not copy. */
function longestCopy(words: readonly JudgedWord[], limit: number): Run | undefined {
  const isOther = ({ printable }: JudgedWord) => printable < limit
  const first = words.findIndex((word) => !isOther(word))
  const last = words.findLastIndex((word) => !isOther(word))
  const run = words.slice(Math.max(first, 0), last + 1)
  const [start, end] = [run[0], run.at(-1)]
  const mean = run.reduce((sum, { printable }) => sum + printable, 0) / run.length
  return start && end && { start: start.start, end: end.end, count: run.length, mean }
}

function withCopy(part: ReadPart, at: number, { words }: Judged): ReadPart {
  if (part.isLabel) return part
  const own = wordsIn(words, at, at + part.whole.length)
  const isSure = own.length > 1 && own.every(({ printable }) => printable > COPY)
  return isSure ? { ...part, kind: 'copy', text: part.whole } : part
}

function wordsIn(words: readonly JudgedWord[], from: number, to: number): JudgedWord[] {
  return words.filter(({ start, end }) => start >= from && end <= to)
}

// Quoted words that a message wants printed: next to the name of a part, before it or after it
// (`"See the menu" on the button`), or after words that request nothing else (`write exactly: "…"`).

import { hasOffer } from './facts.ts'
import { AVOID } from './lexicon/avoiding.ts'
import { LABELS } from './lexicon/labels.ts'
import { DETERMINERS, STOP_WORDS } from './lexicon/small-words.ts'
import { PRINTED, PRINTING, QUOTED_BEFORE } from './lexicon/verbatim.ts'
import { isManner } from './manner.ts'
import { folded, type Phrases, phrasesOf, type Span } from './phrases.ts'
import { quotedIn } from './quotes.ts'
import { clausesOf, sentencesOf, withoutJoin } from './sentences.ts'

export interface Texts {
  headline?: string
  description?: string
  call_to_action?: string
}

export type TextRole = keyof Texts

/** An additional text for a part that already has one: an advertisement has one headline and one button. */
export interface FurtherText {
  role: TextRole
  text: string
}

/** The first of each part counts. */
export function giveText(texts: Texts, further: FurtherText[], given: FurtherText): void {
  const first = texts[given.role]
  if (first === undefined) texts[given.role] = given.text
  else if (first !== given.text) further.push(given)
}

const ROLES = Object.entries(LABELS).map(([role, labels]): [TextRole, Phrases] => [
  role as TextRole,
  phrasesOf(labels),
])
const AVOIDING = phrasesOf(AVOID)
const ASKING = phrasesOf(PRINTING)
const SMALL = phrasesOf(PRINTING, PRINTED, DETERMINERS, STOP_WORDS)
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Hang}\p{sc=Arab}\p{sc=Hebr}]/u
const MAX_GAP_WORDS = 6
const MAX_UNSPACED = 12

/** Adds texts for parts without one to `texts`, and the rest to `further`; returns the message without them. */
export function takeQuoted(message: string, texts: Texts, further: FurtherText[]): string {
  const cuts: Span[] = []
  let loose: Span | undefined
  let from = 0
  for (const sentence of sentencesOf(message)) {
    const start = message.indexOf(sentence, from)
    from = start + sentence.length
    const own = cutsIn(sentence, texts, further)
    const quotes = quotedIn(sentence)
    const meant = quotes.length === 0 && loose ? meantIn(sentence) : undefined
    if (meant && loose) {
      const text = quotedIn(message.slice(loose.start, loose.end))[0]?.text ?? ''
      giveText(texts, further, { role: meant.role, text })
      cuts.push(loose)
      own.push({ start: meant.start, end: meant.end })
      loose = undefined
    }
    cuts.push(...own.map((cut) => ({ start: start + cut.start, end: start + cut.end })))
    const [only] = quotes
    const isLoose = only && quotes.length === 1 && own.length === 0
    if (isLoose) loose = { start: start + saidBy(sentence, only.start), end: start + only.end }
  }
  let at = 0
  let rest = ''
  for (const cut of cuts.sort((a, b) => a.start - b.start)) {
    rest += `${message.slice(at, cut.start)}\n`
    at = cut.end
  }
  return rest + message.slice(at)
}

const THAT_QUOTE = phrasesOf(QUOTED_BEFORE)

/** `Use that quote as the headline`: the part that a quotation before it is meant for. */
function meantIn(sentence: string): (Span & { role: TextRole }) | undefined {
  const text = folded(sentence)
  const that = THAT_QUOTE.find(text)
  if (!that || AVOIDING.find(text)) return undefined
  const [label] = ROLES.flatMap(([role, phrases]) => {
    const span = phrases.find(text, that.end)
    return span ? [{ role, ...span }] : []
  }).sort((a, b) => a.start - b.start)
  if (!label || !isSmall(sentence.slice(that.end, label.start))) return undefined
  return { role: label.role, start: leadOf(sentence, that.start), end: label.end }
}

/** Where the words about the speaker begin: `A customer wrote "…"`. */
function saidBy(sentence: string, quote: number): number {
  const { words } = folded(sentence.slice(0, quote))
  return words.length <= MAX_GAP_WORDS && !hasOffer(sentence.slice(0, quote)) ? 0 : quote
}

function cutsIn(sentence: string, texts: Texts, further: FurtherText[]): Span[] {
  const quotes = quotedIn(sentence)
  if (quotes.length === 0) return []
  const isForbidden = forbiddenIn(sentence)
  const cuts: Span[] = []
  let from = 0
  let wasForbidden = false
  for (const [index, quote] of quotes.entries()) {
    const before = sentence.slice(from, quote.start)
    const next = quotes[index + 1]?.start
    const after = sentence.slice(quote.end, next)
    const found =
      labelBefore(before) ??
      labelAfter(before, after, next !== undefined) ??
      verbatim(before, after, texts)
    // In `not "cheap", "free" on the button` neither is wanted there.
    const isListed: boolean = wasForbidden && wordsIn(withoutJoin(before)) === 0
    wasForbidden = isListed || isForbidden(from + (found?.start ?? before.length), quote.end)
    if (found && !wasForbidden) {
      giveText(texts, further, { role: found.role, text: quote.text })
      const end = quote.end + found.end
      cuts.push({ start: from + found.start, end })
      from = end
    } else from = quote.end
  }
  const last = cuts.at(-1)
  const tail = last ? sentence.slice(last.end) : ''
  // `… olsun`: the remainder says nothing without the quotation.
  if (last && wordsIn(tail) > 0 && isSmall(tail)) last.end = sentence.length
  return cuts
}

/** Whether the clauses that contain a part of the sentence say what to avoid. */
function forbiddenIn(sentence: string): (start: number, end: number) => boolean {
  if (!AVOIDING.find(folded(sentence))) return () => false
  let from = 0
  const clauses = clausesOf(sentence).map(({ text }) => {
    const start = sentence.indexOf(text, from)
    from = start + text.length
    return { start, end: from, isAvoiding: AVOIDING.find(folded(text)) !== undefined }
  })
  return (start, end) =>
    clauses.some((clause) => clause.isAvoiding && clause.start < end && clause.end > start)
}

interface Found {
  role: TextRole
  /** Where the instruction for the quotation begins in the text before it. */
  start: number
  /** How much of the text after it belongs to it. */
  end: number
}

function labelBefore(before: string): Found | undefined {
  const text = folded(before)
  const labels = ROLES.flatMap(([role, phrases]) =>
    phrases.all(text).map((span) => ({ role, ...span })),
  ).sort((a, b) => b.end - a.end || a.start - b.start)
  const [last] = labels
  if (!last) return undefined
  const gap = before.slice(last.end)
  const isReported = isSmall(gap) || (/[:：=] ?$/.test(gap) && wordsIn(gap) <= 2)
  return isReported ? { role: last.role, start: leadOf(before, last.start), end: 0 } : undefined
}

function labelAfter(before: string, after: string, hasNext: boolean): Found | undefined {
  const text = folded(after)
  const labels = ROLES.flatMap(([role, phrases]) => {
    const span = phrases.find(text)
    return span ? [{ role, ...span }] : []
  }).sort((a, b) => a.start - b.start || b.end - a.end)
  const [first] = labels
  if (!first || first.start === 0 || wordsIn(after.slice(0, first.start)) > 3) return undefined
  // Text after a punctuation mark is about something else: `"Sale". Button …`.
  if (/[.,;:!?\n]/.test(after.slice(0, first.start)) || !isSmall(after.slice(0, first.start)))
    return undefined
  // `… and the button "Go"` refers to the quotation after it.
  const isNext = (hasNext ? /^ {0,2}(?:[:：=]|$)/ : /^ {0,2}[:：=]/).test(after.slice(first.end))
  return isNext
    ? undefined
    : { role: first.role, start: leadOf(before, before.length), end: first.end }
}

/** Only the request to print it precedes it, and nothing important follows it. */
function verbatim(before: string, after: string, texts: Texts): Found | undefined {
  const requested = ASKING.find(folded(before))
  // `Please do the Swiss one: "…"`; otherwise all the text must consist of such words.
  const isRequested = requested?.start === 0 && /[:：] ?$/.test(before) && !hasOffer(before)
  if (!requested || !(isRequested || isSmall(before))) return undefined
  // `Use "…" on a dark ground`: the text after it says how it should look.
  const isFree = wordsIn(after) <= 1 || isSmall(after) || isRequested
  if (!isFree && !isManner(folded(after), { isInstructed: true })) return undefined
  const role = texts.headline === undefined ? 'headline' : 'description'
  return { role, start: 0, end: 0 }
}

/** The start of the small words before a position. */
function leadOf(text: string, to: number): number {
  let start = to
  for (const word of folded(text.slice(0, to)).words.toReversed()) {
    const isNext = /^[\s,:'’]*$/.test(text.slice(word.end, start))
    if (!isNext || !SMALL.atStart(folded(word.exact))) break
    start = word.start
  }
  return start
}

function isSmall(phrase: string): boolean {
  if (UNSPACED.test(phrase)) return phrase.trim().length <= MAX_UNSPACED
  const { words } = folded(phrase)
  return words.length <= MAX_GAP_WORDS && words.every(({ exact }) => SMALL.atStart(folded(exact)))
}

function wordsIn(phrase: string): number {
  return folded(phrase).words.length
}

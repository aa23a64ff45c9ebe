// Words in quotation marks that a message wants printed: beside the name of a part, before it or after it
// (`"See the menu" on the button`), or after words that ask for nothing else (`write exactly: "…"`).

import { hasOffer } from './facts.ts'
import { AVOID } from './lexicon/avoiding.ts'
import { LABELS } from './lexicon/labels.ts'
import { DETERMINERS, STOP_WORDS } from './lexicon/small-words.ts'
import { PRINTED, PRINTING } from './lexicon/verbatim.ts'
import { isManner } from './manner.ts'
import { folded, type Phrases, phrasesOf, type Span } from './phrases.ts'
import { quotedIn } from './quotes.ts'
import { clausesOf, sentencesOf, withoutJoin } from './sentences.ts'

export interface Texts {
  headline?: string
  description?: string
  call_to_action?: string
}

export type Role = keyof Texts

const ROLES = Object.entries(LABELS).map(([role, labels]): [Role, Phrases] => [
  role as Role,
  phrasesOf(labels),
])
const AVOIDING = phrasesOf(AVOID)
const ASKING = phrasesOf(PRINTING)
const SMALL = phrasesOf(PRINTING, PRINTED, DETERMINERS, STOP_WORDS)
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Hang}\p{sc=Arab}\p{sc=Hebr}]/u
const MAX_GAP_WORDS = 6
const MAX_UNSPACED = 12

/** Adds to `texts` what is not given yet; returns the message without it. */
export function takeQuoted(message: string, texts: Texts): string {
  let rest = ''
  let at = 0
  let from = 0
  for (const sentence of sentencesOf(message)) {
    const start = message.indexOf(sentence, from)
    from = start + sentence.length
    for (const cut of cutsIn(sentence, texts)) {
      rest += `${message.slice(at, start + cut.start)}\n`
      at = start + cut.end
    }
  }
  return rest + message.slice(at)
}

function cutsIn(sentence: string, texts: Texts): Span[] {
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
    // Of `not "cheap", "free" on the button` neither is wanted there.
    const isListed: boolean = wasForbidden && wordsIn(withoutJoin(before)) === 0
    wasForbidden = isListed || isForbidden(from + (found?.start ?? before.length), quote.end)
    if (found && !wasForbidden) {
      texts[found.role] ??= quote.text
      const end = quote.end + found.end
      cuts.push({ start: from + found.start, end })
      from = end
    } else from = quote.end
  }
  const last = cuts.at(-1)
  const tail = last ? sentence.slice(last.end) : ''
  // `… olsun`: what is left says nothing without the quotation.
  if (last && wordsIn(tail) > 0 && isSmall(tail)) last.end = sentence.length
  return cuts
}

/** Whether the clauses that a stretch of the sentence lies in say what to leave out. */
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
  role: Role
  /** Where in what stands before the quotation its instruction begins. */
  start: number
  /** How much of what stands after it belongs to it. */
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
  const isTold = isSmall(gap) || (/[:：=] ?$/.test(gap) && wordsIn(gap) <= 2)
  return isTold ? { role: last.role, start: leadOf(before, last.start), end: 0 } : undefined
}

function labelAfter(before: string, after: string, hasNext: boolean): Found | undefined {
  const text = folded(after)
  const labels = ROLES.flatMap(([role, phrases]) => {
    const span = phrases.find(text)
    return span ? [{ role, ...span }] : []
  }).sort((a, b) => a.start - b.start || b.end - a.end)
  const [first] = labels
  if (!first || first.start === 0 || wordsIn(after.slice(0, first.start)) > 3) return undefined
  // What follows a mark is about something else: `"Sale". Button …`.
  if (/[.,;:!?\n]/.test(after.slice(0, first.start)) || !isSmall(after.slice(0, first.start)))
    return undefined
  // `… and the button "Go"` names the quotation after it.
  const isNext = (hasNext ? /^ {0,2}(?:[:：=]|$)/ : /^ {0,2}[:：=]/).test(after.slice(first.end))
  return isNext
    ? undefined
    : { role: first.role, start: leadOf(before, before.length), end: first.end }
}

/** Nothing but the wish that it be printed stands before it, and nothing of weight after it. */
function verbatim(before: string, after: string, texts: Texts): Found | undefined {
  const asked = ASKING.find(folded(before))
  // `Please do the Swiss one: "…"`; else all that is said must be of this.
  const isAsked = asked?.start === 0 && /[:：] ?$/.test(before) && !hasOffer(before)
  if (!asked || !(isAsked || isSmall(before))) return undefined
  // `Use "…" on a dark ground`: what follows says how it shall look.
  const isFree = wordsIn(after) <= 1 || isSmall(after) || isAsked
  if (!isFree && !isManner(folded(after), { isInstructed: true })) return undefined
  const role = texts.headline === undefined ? 'headline' : 'description'
  return { role, start: 0, end: 0 }
}

/** Where the small words begin that lead to a place. */
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

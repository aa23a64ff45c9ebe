// What a message asks to leave out, and copy without it (spec 4.2).

import { factsIn, plainDigits } from './facts.ts'
import { AVOID, NOT, THE_WORD, TOPICS } from './lexicon/avoiding.ts'
import { STOP_WORDS } from './lexicon/small-words.ts'
import { folded, foldWord, phrasesOf, type Span } from './phrases.ts'
import { quotedIn } from './quotes.ts'

type Topic = keyof typeof TOPICS

export interface Avoided {
  topics: ReadonlySet<Topic>
  /** Words and phrases, folded. */
  terms: readonly string[]
  /** Digits of the figures that were named. */
  digits: readonly string[]
}

const AVOIDING = phrasesOf(AVOID)
const WORDS = phrasesOf(THE_WORD)
const NEGATIONS = phrasesOf(NOT)
const SMALL = phrasesOf(STOP_WORDS)
const BY_TOPIC = Object.entries(TOPICS).map(
  ([topic, words]) => [topic as Topic, phrasesOf(words)] as const,
)

export function avoidedIn(clauses: readonly string[]): Avoided {
  const topics = new Set<Topic>()
  const terms: string[] = []
  const digits: string[] = []
  for (const clause of clauses) {
    const text = folded(clause)
    for (const [topic, words] of BY_TOPIC) {
      if (words.all(text).some((span) => !isWithinWord(clause, span))) topics.add(topic)
    }
    for (const { text: number } of factsIn(clause)) digits.push(plainDigits(number))
    const quoted = quotedIn(clause).map(({ text: term }) => fold(term))
    terms.push(...(quoted.length > 0 ? quoted : objectOf(clause)))
  }
  return {
    topics,
    terms: terms.filter((term) => term.length > 1),
    digits: digits.filter((one) => one !== ''),
  }
}

/** Han letters that follow a word without being a part of it. */
const AFTER_HAN = new Set('不別别勿請请要和與与或跟及等也都在是的以無无')

/** `価格競争` is not about prices. */
function isWithinWord(text: string, { end }: Span): boolean {
  const isHan = (sign: string) => /\p{sc=Han}/u.test(sign)
  const next = text.charAt(end)
  return isHan(text.charAt(end - 1)) && isHan(next) && !AFTER_HAN.has(next)
}

/** Without quotation marks: the word after `the word`, else what follows the verb when it is short. */
function objectOf(clause: string): string[] {
  const text = folded(clause)
  const named = WORDS.find(text)
  if (named) {
    const next = text.words.find(({ start }) => start >= named.end)
    return next ? [next.word] : []
  }
  const verb = AVOIDING.find(text) ?? NEGATIONS.find(text)
  const rest = text.words.filter(
    ({ start, word }) => start >= (verb?.end ?? 0) && !SMALL.find(folded(word)),
  )
  const isTopic = BY_TOPIC.some(([, words]) => words.find(text))
  return rest.length > 0 && rest.length <= 2 && !isTopic
    ? [rest.map(({ word }) => word).join(' ')]
    : []
}

function fold(text: string): string {
  return folded(text)
    .words.map(({ word }) => word)
    .join(' ')
}

const FACTS_OF: Partial<Record<Topic, readonly string[]>> = {
  price: ['price'],
  discount: ['percentage'],
  phone: ['phone'],
  link: ['link'],
  date: ['date'],
}
const LEADS = phrasesOf(
  'for|for only|only|just|from|at|now|starting at|für|für nur|ab|nur|zum preis von|pour|à|dès|à partir de|por|desde|a|solo|per|da|a partire da|a soli|por|a partir de|só|apenas|voor|vanaf|slechts|za|od|tylko|sadece|chỉ|từ|giá|από|μόνο|за|от|всего|від|лише|सिर्फ|केवल|من|فقط|ب|רק|ב|החל מ',
)

/** The clause without what is to be avoided; '' when nothing is left to say. */
export function withoutAvoided(clause: string, avoided: Avoided): string {
  let text = clause
  if (avoided.topics.has('exclamation')) text = text.replace(/[!¡！]{1,9}/g, '')
  if (avoided.topics.has('emoji')) text = text.replace(/\p{Extended_Pictographic}\ufe0f?/gu, '')
  const kinds = new Set([...avoided.topics].flatMap((topic) => FACTS_OF[topic] ?? []))
  for (const fact of factsIn(text).reverse()) {
    const isNamed = avoided.digits.includes(plainDigits(fact.text))
    if (!kinds.has(fact.kind) && !isNamed) continue
    text = `${withoutLead(text.slice(0, fact.start))} ${text.slice(fact.end)}`
  }
  for (const term of avoided.terms) {
    if (!` ${fold(text)} `.includes(isUnspaced(term) ? term : ` ${term}`)) continue
    if (factsIn(text).length === 0) return ''
    text = withoutTerm(text, term)
  }
  if (text === clause) return clause
  const rest = text.replace(/ {2,9}/g, ' ').trim()
  return /\p{L}{2}/u.test(rest) || /\p{sc=Han}/u.test(rest) ? rest : ''
}

function isUnspaced(term: string): boolean {
  return /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Hang}]/u.test(term)
}

/** Without the small word that led to a price: `for`, `ab`. */
function withoutLead(text: string): string {
  const words = folded(text).words
  const last = words.at(-1)
  if (!last || !LEADS.atStart(folded(last.word)) || text.slice(last.end).trim() !== '') return text
  return text.slice(0, last.start)
}

function withoutTerm(text: string, term: string): string {
  const [first = ''] = term.split(' ')
  return folded(text)
    .words.filter(({ word }) => foldWord(word).startsWith(first))
    .reverse()
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
}

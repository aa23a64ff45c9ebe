// The offer that a text makes: its price, the former one, a percentage, a code and the day on which it ends. Read from
// the words that are printed anyway: every statement is a piece of them, and none has other words.

import { type Fact, factsIn } from '../message/facts.ts'
import {
  CODED,
  CONDITIONS,
  CURRENT,
  ENDED,
  ENDING,
  FORMER,
  REDUCED,
} from '../message/lexicon/offer-marks.ts'
import { type FoldedText, folded, type Phrases, phrasesOf } from '../message/phrases.ts'
import { clausesOf, sentencesOf } from '../message/sentences.ts'
import type { AdTexts } from './ad-input.ts'

export type StatementKind = 'price' | 'former' | 'percentage' | 'code' | 'deadline' | 'note'

/** A piece of the text: what is before its figure, the figure, and what is after it. */
export interface Statement {
  kind: StatementKind
  text: string
  lead: string
  figure: string
  tail: string
}

export interface Offer {
  /** In the order of the text; those of the headline are first. */
  statements: readonly Statement[]
  /** What is drawn largest: a price, or a percentage. Default: there is only a code. */
  hero?: Statement
  /** The words of all statements that come from the description. */
  said: string
  /** The headline without the statements that are drawn apart. */
  headline: string
  /** The description without them. */
  rest: string
}

/** Undefined if there is none that can be drawn apart from the sentences. */
export function offerIn({ headline, description }: AdTexts): Offer | undefined {
  const sentences = sentencesOf(description.slice(0, MAX_READ))
  const read = sentences.map((sentence) => ({ sentence, found: statementsOf(sentence) }))
  const inBody = read.flatMap(({ found }) => found?.statements ?? [])
  const isPriced = inBody.some(({ kind }) => HEROES.has(kind))
  const own = headlineStatement(headline, isPriced)
  const statements = own ? [own.statement, ...inBody] : inBody
  // A percentage of the headline is a badge beside a price.
  const hero = inBody.find(({ kind }) => HEROES.has(kind)) ?? own?.statement
  const isOffer = hero !== undefined || inBody.some(({ kind }) => kind === 'code')
  if (!isOffer || bare(sentences.join('')).length < bare(description).length - SLACK) {
    return undefined
  }
  const rest = read.flatMap(({ sentence, found }) => (found ? found.before : sentence))
  const said = read.flatMap(({ sentence, found }) => (found ? sentence : []))
  const join = (texts: readonly string[]) => texts.filter(Boolean).join(' ')
  return {
    statements,
    ...(hero && { hero }),
    said: join(said),
    headline: own ? own.rest : headline,
    rest: join(rest),
  }
}

const HEROES: ReadonlySet<StatementKind> = new Set(['price', 'percentage'])
/** In characters: an offer is short. */
const MAX_READ = 600
/** Characters that separate sentences and may be missing from them. */
const SLACK = 4
const MAX_LEAD = 26
const MAX_TAIL = 24
const MAX_NOTE = 30
const MAX_BADGE = 16

function bare(text: string): string {
  return text.replaceAll(' ', '')
}

interface Found {
  statements: Statement[]
  /** The beginning of the sentence, if that is no part of the offer; otherwise ''. */
  before: string
}

/** Undefined for a sentence that is printed as it is. */
function statementsOf(sentence: string): Found | undefined {
  const body = sentence.replace(END, '')
  const mark = sentence.slice(body.length)
  const clauses = clausesOf(body).map(({ text }) => text)
  const pieces = clauses.flatMap(piecesOf).map(statementOf)
  const first = pieces.findIndex((piece) => piece?.kind !== undefined && piece.kind !== 'note')
  if (first < 0 || pieces.includes(undefined)) return undefined
  const statements = pieces.slice(first) as Statement[]
  if (!statements.some(({ kind }) => kind !== 'note')) return undefined
  const isFormerAlone =
    statements.some(({ kind }) => kind === 'former') &&
    !statements.some(({ kind }) => kind === 'price')
  if (isFormerAlone) return undefined
  const before = first === 0 ? '' : body.slice(0, placeOf(body, statements[0] as Statement)).trim()
  return { statements, before: before === '' ? '' : before.replace(LOOSE_END, '') + mark }
}

const END = /[.!。！।؟۔]{1,3}$/u
const LOOSE_END = /[\s,;:،、，–—-]{1,4}$/u

function placeOf(body: string, { text }: Statement): number {
  return Math.max(0, body.indexOf(text))
}

/** A clause in pieces that each say one thing: before a code, a deadline, and a second price. */
function piecesOf(clause: string): string[] {
  const text = folded(clause)
  const facts = factsIn(clause)
  const cuts = new Set<number>()
  for (const marks of [MARKS.coded, MARKS.ending, MARKS.former, MARKS.current]) {
    for (const { start } of marks.all(text)) {
      // Only between two figures: the words before the first belong to it.
      const hasBefore = facts.some(({ end }) => end <= start)
      const hasAfter = facts.some((fact) => fact.start >= start) || marks === MARKS.ending
      if (hasBefore && hasAfter) cuts.add(wordsBefore(clause, start))
    }
  }
  const [one, other] = facts.filter(({ kind }) => kind === 'price')
  if (one && other && !between(cuts, one.end, other.start)) {
    const particle = PARTICLE.exec(clause.slice(one.end, other.start))?.[0] ?? ''
    if (MARKS.former.find(folded(clause.slice(0, one.start)))) cuts.add(one.end + particle.length)
  }
  const places = [0, ...[...cuts].sort((a, b) => a - b), clause.length]
  return places
    .slice(1)
    .map((end, index) => clause.slice(places[index], end).trim())
    .filter((piece) => piece !== '')
}

const MARKS = {
  former: phrasesOf(FORMER),
  current: phrasesOf(CURRENT),
  coded: phrasesOf(CODED),
  ending: phrasesOf(ENDING),
  ended: phrasesOf(ENDED),
  reduced: phrasesOf(REDUCED),
  conditions: phrasesOf(CONDITIONS),
} as const satisfies Record<string, Phrases>

/** What follows the former price in Japanese and Korean. */
const PARTICLE = /^(?:が|から|を|より|에서|이)?[ 、]?/u

/** A mark that is written as one word with what is before it. */
function wordsBefore(clause: string, at: number): number {
  let start = at
  while (start > 0 && /[\p{L}\p{M}]/u.test(clause.charAt(start - 1)) && isSpaced(clause, start)) {
    start--
  }
  return start
}

function isSpaced(clause: string, at: number): boolean {
  return !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u.test(clause.charAt(at - 1))
}

function between(cuts: ReadonlySet<number>, from: number, to: number): boolean {
  return [...cuts].some((cut) => cut >= from && cut <= to)
}

/** Undefined for words that do not suit an offer: too many of them, or figures that are something else. */
function statementOf(piece: string): Statement | undefined {
  const text = folded(piece)
  const facts = factsIn(piece)
  const of = (kind: Fact['kind']) => facts.filter((fact) => fact.kind === kind)
  const [code] = of('code')
  if (code && MARKS.coded.find(text)) return around('code', piece, code)
  const ending = MARKS.ending.find(text) ?? MARKS.ended.find(text)
  if (ending && of('price').length === 0 && of('percentage').length === 0) {
    return piece.length <= MAX_LEAD + MAX_TAIL
      ? { kind: 'deadline', text: piece, lead: '', figure: piece, tail: '' }
      : undefined
  }
  const [price, second] = of('price')
  const [percentage] = of('percentage')
  if (second || facts.some(({ kind }) => !SAID.has(kind))) return undefined
  if (price) return isCondition(text) ? undefined : around(priceKind(text), piece, price)
  if (percentage) return isReduced(piece) ? around('percentage', piece, percentage) : undefined
  if (piece.length > MAX_NOTE) return undefined
  return { kind: 'note', text: piece, lead: '', figure: piece, tail: '' }
}

const SAID: ReadonlySet<Fact['kind']> = new Set(['price', 'percentage', 'number', 'date'])

function priceKind(text: FoldedText): StatementKind {
  return MARKS.former.find(text) ? 'former' : 'price'
}

/** Not every percentage is a discount: `100% cotton`. */
function isReduced(piece: string): boolean {
  return MARKS.reduced.find(folded(piece)) !== undefined || /[-−–] ?\p{Nd}/u.test(piece)
}

function isCondition(text: FoldedText): boolean {
  return MARKS.conditions.find(text) !== undefined
}

function around(
  kind: StatementKind,
  text: string,
  { start, end }: Pick<Fact, 'start' | 'end'>,
): Statement | undefined {
  const [lead, figure, tail] = [text.slice(0, start), text.slice(start, end), text.slice(end)]
  if (lead.trim().length > MAX_LEAD || tail.trim().length > MAX_TAIL) return undefined
  return { kind, text, lead: lead.trim(), figure: figure.trim(), tail: tail.trim() }
}

/** A clause of the headline that is nothing but a percentage or a price with few words: `30% off`. */
function headlineStatement(
  headline: string,
  isPriced: boolean,
): { statement: Statement; rest: string } | undefined {
  const clauses = clausesOf(headline)
  const facts = factsIn(headline).filter(({ kind }) => kind === 'percentage' || kind === 'price')
  if (facts.length !== 1 || headline.length > MAX_READ) return undefined
  const at = clauses.findIndex(({ text }) => factsIn(text).some(({ kind }) => SAID.has(kind)))
  const [clause, isFirst] = [clauses[at], at === 0]
  if (!clause || clauses.length !== 2) return undefined
  const statement = statementOf(clause.text.replace(END, ''))
  if (!statement || (statement.kind !== 'percentage' && statement.kind !== 'price'))
    return undefined
  // Beside another price there is room for a badge, and for no sentence.
  if (isPriced && statement.text.length > MAX_BADGE) return undefined
  const rest = clauses[isFirst ? 1 : 0]?.text ?? ''
  // What is left has to be able to begin a headline.
  if (isFirst && !/^[\p{Lu}\p{Lo}]/u.test(rest)) return undefined
  return { statement, rest }
}

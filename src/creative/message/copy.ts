// Splits the copy of a message into a headline and a description: all of it if there is room, else the most
// informative clauses, in order. Facts are never split, and what is omitted is reported.

import { fitWords, tidy } from '../layout-engine/fit-words.ts'
import { factsIn } from './facts.ts'
import { OFFERS } from './lexicon/offers.ts'
import { BREAKS } from './lexicon/small-words.ts'
import { folded, phrasesOf } from './phrases.ts'
import type { CopyClause, CopySentence } from './said-copy.ts'

export interface LaidCopy {
  headline: string
  description: string
  /** Clauses with facts, or requested clauses, that did not fit. */
  omitted: string[]
}

export interface CopyRoom {
  /** 0 if the headline is already given. */
  headline: number
  description: number
}

export function layCopy(sentences: readonly CopySentence[], room: CopyRoom): LaidCopy {
  const ranked = rankedClauses(sentences)
  const dropped = new Set<CopyClause>()
  let length = ranked.reduce((sum, { text }) => sum + text.length + 2, 0)
  // A large excess is removed at once; then one clause at a time, until the rest fits completely.
  const most = (room.headline + room.description) * 1.3 + 20
  for (;;) {
    while (length > most && ranked.length > 1) length -= drop(ranked, dropped)
    const laid = lay(without(sentences, dropped), room)
    if (laid.isWhole || ranked.length < 2) {
      const facts = [...dropped]
        .filter(({ text, kind }) => kind !== 'copy' || factsIn(text).length > 0)
        .map(({ text }) => text)
      return { ...laid.texts, omitted: laid.cut === '' ? facts : [...facts, laid.cut] }
    }
    length -= drop(ranked, dropped)
  }
}

/** The most informative one first. */
function rankedClauses(sentences: readonly CopySentence[]): CopyClause[] {
  return sentences
    .flatMap(({ clauses }) => clauses)
    .map((clause, index) => ({ clause, worth: worthOf(clause, index) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ clause }) => clause)
}

/** Removes the last one; returns by how much the text became shorter. */
function drop(ranked: CopyClause[], dropped: Set<CopyClause>): number {
  const last = ranked.pop()
  if (!last) return 0
  dropped.add(last)
  return last.text.length + 2
}

const OFFERING = phrasesOf(OFFERS)
const WORTH = {
  price: 3,
  percentage: 3,
  phone: 3,
  code: 3,
  link: 1,
  handle: 1,
  date: 2.5,
  number: 0,
} as const

/** By information content, with a bonus for early clauses; plain numbers do not add up to an offer. */
function worthOf({ text, kind }: CopyClause, index: number): number {
  const facts = factsIn(text)
  const reported = facts.reduce((sum, fact) => sum + WORTH[fact.kind], 0)
  const numbers = facts.filter((fact) => fact.kind === 'number').length
  const names = text.match(/(?<=[\p{Ll},] )\p{Lu}/gu)?.length ?? 0
  const requested = kind === 'copy' ? 0 : 3
  const first = Math.max(0, 1.5 - index * 0.5)
  const offered = OFFERING.find(folded(text)) ? 1.5 : 0
  const worth =
    offered + Math.min(reported, 6) + Math.min(numbers, 2) * 0.8 + Math.min(names, 2) * 0.8
  return worth + requested + first - index * 0.05 - text.length / 200
}

function without(
  sentences: readonly CopySentence[],
  dropped: ReadonlySet<CopyClause>,
): CopySentence[] {
  return sentences
    .map((one) => ({ ...one, clauses: one.clauses.filter((clause) => !dropped.has(clause)) }))
    .filter(({ clauses }) => clauses.length > 0)
}

interface Lay {
  texts: { headline: string; description: string }
  isWhole: boolean
  cut: string
}

function lay(sentences: readonly CopySentence[], room: CopyRoom): Lay {
  const [first, ...others] = sentences
  if (!first) return { texts: { headline: '', description: '' }, isWhole: true, cut: '' }
  if (room.headline < 1) return layDescription('', sentences.map(sentenceText), room)
  const whole = sentenceText(first)
  if (headlineText(whole).length <= room.headline) {
    return layDescription(headlineText(whole), others.map(sentenceText), room)
  }
  const { head, tail } = splitSentence(first, room.headline)
  return layDescription(head, [...(tail === '' ? [] : [tail]), ...others.map(sentenceText)], room)
}

function layDescription(headline: string, rest: readonly string[], room: CopyRoom): Lay {
  const text = rest
    .map((one, index) => (index < rest.length - 1 ? ended(one) : one))
    .join(' ')
    .replace(/(?<=[。！？]) /g, '')
  const isWhole = text.length <= room.description
  const description = isWhole ? text : fitWords(text, room.description)
  return { texts: { headline, description }, isWhole, cut: isWhole ? '' : text }
}

export function sentenceText({ clauses, end }: CopySentence): string {
  const text = clauses
    .map(({ text: clause, mark }, index) =>
      index < clauses.length - 1 ? clause + joint(mark) : clause,
    )
    .join('')
  return tidy(sentenceCase(text) + end)
}

/** The separator between two clauses; a comma in place of the end of a sentence. */
function joint(mark: string): string {
  return mark === '' || /^[.!?…]/.test(mark) ? ', ' : mark
}

export function sentenceCase(text: string): string {
  const [first = ''] = text
  // A name that begins in lower case is written that way: iPhone.
  return /^\p{Ll}\p{Lu}/u.test(text) ? text : first.toUpperCase() + text.slice(first.length)
}

function ended(text: string): string {
  return /[.!?…。！？؟।॥]["”»」』’)]?$/u.test(text) || !/[\p{L}\p{N}\p{Sc}%]$/u.test(text)
    ? text
    : `${text}.`
}

/** A one-sentence headline has no full stop. */
function headlineText(text: string): string {
  return text.replace(/(?<![.])[.。।]$/u, '')
}

/** After a clause, or within the first if it is too long on its own. */
function splitSentence(sentence: CopySentence, room: number): { head: string; tail: string } {
  const { clauses, end } = sentence
  for (let count = clauses.length - 1; count > 0; count--) {
    const head = sentenceText({ clauses: clauses.slice(0, count), end: '' })
    if (head.length > room || head.length < 6) continue
    return { head, tail: sentenceText({ clauses: clauses.slice(count), end }) }
  }
  const whole = sentenceText(sentence)
  const at = breakIn(whole, room)
  const head = trimmed(whole.slice(0, at))
  return {
    head,
    tail: sentenceCase(
      whole
        .slice(at)
        .trim()
        .replace(/^[,;:–—-]\s?/, ''),
    ),
  }
}

function trimmed(text: string): string {
  return text
    .trim()
    .replace(/[,;:–—-]$/, '')
    .trim()
}

/** Facts that make sense without the word after them. */
const ALONE: ReadonlySet<string> = new Set(['link', 'phone', 'code'])
const BREAKING = phrasesOf(BREAKS)

/** Before a word that begins a new thought, and not within a fact; else between words. */
function breakIn(text: string, room: number): number {
  const facts = factsIn(text)
  // A number belongs with the word before it and the word after it.
  const isFree = (at: number) =>
    facts.every(
      ({ start, end, kind }) => at < start - 1 || at > end || (at === end && ALONE.has(kind)),
    )
  const places = wordEnds(text, room)
  const least = Math.min(12, room / 3)
  const usable = places.filter((at) => at >= least)
  const begins = (at: number) => BREAKING.atStart(folded(text.slice(at).trimStart()))
  const isSmallBefore = (at: number) => {
    const last = folded(text.slice(Math.max(0, at - 30), at)).words.at(-1)
    return last !== undefined && BREAKING.atStart(folded(last.word)) !== undefined
  }
  const isLong = (at: number) => text.length - at >= 12
  const good = usable.filter((at) => isFree(at) && isLong(at) && !isSmallBefore(at))
  return (
    good.findLast((at) => begins(at)) ??
    good.at(-1) ??
    usable.findLast(isFree) ??
    usable.at(-1) ??
    places.at(-1) ??
    room
  )
}

/** The last word end that fits; scripts without spaces are segmented by their dictionaries. */
function wordEnds(text: string, room: number): number[] {
  const ends: number[] = []
  const part = text.slice(0, room + 40)
  if (/ /.test(part.slice(0, room))) {
    for (let at = part.indexOf(' '); at >= 0 && at <= room; at = part.indexOf(' ', at + 1))
      ends.push(at)
    return ends
  }
  for (const { index, segment } of new Intl.Segmenter('ja', { granularity: 'word' }).segment(
    part,
  )) {
    if (index + segment.length <= room) ends.push(index + segment.length)
  }
  return ends
}

// Two checks of what an advertisement shows (spec 4.2), after it is drawn: no figure of the message is lost silently,
// and no word is printed that nobody supplied.

import { once } from '../layout-engine/shaping/once.ts'
import { type Fact, factsIn } from './facts.ts'
import { OWN_PHRASES } from './lexicon/own-words.ts'
import { PRINTED_ROLES } from './reading/roles.ts'
import type { MessageSpan } from './reading/spans.ts'
import {
  MAX_SIDE_BY_SIDE,
  type PlacedWord,
  placedWords,
  printedMask,
  printedWords,
} from './word-match.ts'

/** Normalised for comparing figures: without differences between equal ones. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[‘’`´]/g, "'")
}

/** Printed texts, indexed to search for words and figures. */
export interface PrintedFacts {
  /** The figures of a text that none of the printed texts has, in their order. */
  missingOf(text: string): Fact[]
  /** Whether a figure is present, regardless of the text next to it. */
  has(figure: string): boolean
  /** Whether the words of a text, a name, appear there next to each other. */
  hasWords(text: string): boolean
}

export function printedFacts(printed: readonly string[]): PrintedFacts {
  const all = plain(printed.join('\n\n'))
  const known = new Map<string, boolean>()
  const has = (figure: string) => {
    const wanted = plain(figure)
    const found = known.get(wanted) ?? holdsFact(all, wanted)
    known.set(wanted, found)
    return found
  }
  const side = once(() => printedWords(printed))
  return {
    has,
    hasWords: (text) => {
      const words = placedWords(text)
      if (words.length <= MAX_SIDE_BY_SIDE) return side().hasRun(words.map(({ word }) => word))
      return printedMask(text, words, side()).every(Boolean)
    },
    missingOf: (text) => {
      const facts = factsIn(text)
      if (facts.length === 0) return []
      const words = placedWords(text)
      const mask = printedMask(text, words, side())
      let next = 0
      return facts.filter((fact) => {
        while ((words[next]?.end ?? text.length) <= fact.start && next < words.length) next++
        if (!has(fact.text)) return true
        // A bare number is meaningful only with the words next to it.
        const isBare = fact.kind === 'number' || fact.kind === 'date'
        return isBare && mask[next] === false
      })
    },
  }
}

/** The figures of a text that none of the printed texts has, in their order. */
export function unprintedFacts(text: string, printed: readonly string[]): Fact[] {
  return printedFacts(printed).missingOf(text)
}

/** Not as a part of another figure or name. */
function holdsFact(text: string, fact: string): boolean {
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at)
    const after = text.slice(at + fact.length, at + fact.length + 2)
    const isFirst = !/^[\p{N}a-z]/u.test(fact) || !/[\p{N}a-z]$|\p{N}[.,:]$/u.test(before)
    const isLast = !/[\p{N}a-z]$/u.test(fact) || !/^(?:\p{N}|[.,:/-]\p{N})/u.test(after)
    const isWhole = !/[a-z]$/.test(fact) || !/^[\p{L}\p{N}]/u.test(after)
    if (isFirst && isLast && isWhole) return true
  }
  return false
}

export interface ReportedMessage {
  text: string
  spans: readonly MessageSpan[]
  /** What the advertisement shows. */
  printed: readonly string[]
  /** What the answer says of it. */
  notes: readonly string[]
}

/** Figures that should be printed but are neither printed nor listed in a note. */
export function unreportedFacts({ text, spans, printed, notes }: ReportedMessage): Fact[] {
  const lost = unprintedFacts(blankedTags(text), printed)
  if (lost.length === 0) return []
  const reported = plain(notes.join('\n\n'))
  return lost.filter((fact) => isToPrint(fact, spans) && !holdsFact(reported, plain(fact.text)))
}

/** Tags are not text: the 1 of `<h1>` is not a figure. */
function blankedTags(text: string): string {
  return text.replace(/<\/?[a-z][^<>]{0,200}>/giu, (tag) => ' '.repeat(tag.length))
}

function isToPrint({ kind, start, end }: Fact, spans: readonly MessageSpan[]): boolean {
  // A handle is of no use but to be printed: “include @acme but no phone number” is not all about what to leave out.
  return spans.some(
    (span) =>
      span.start < end &&
      span.end > start &&
      (PRINTED_ROLES.has(span.role) || (kind === 'handle' && span.role !== 'chat')),
  )
}

/** @internal */
export interface InventedText {
  text: string
  /** Those of its words that no source supplied. */
  words: readonly string[]
}

/** What a text may be made of. */
export interface KnownWords {
  inventedIn(text: string): string[]
}

/**
 * Texts with words that are neither in a source nor on the lists of the product.
 * @internal
 */
export function inventedTexts(
  texts: readonly string[],
  sources: readonly string[],
): InventedText[] {
  if (texts.length === 0) return []
  const known = knownWords(sources)
  return [...new Set(texts)].flatMap((text) => {
    const words = known.inventedIn(text)
    return words.length > 0 ? [{ text, words }] : []
  })
}

export function knownWords(sources: readonly string[]): KnownWords {
  const words = sources.flatMap(placedWords)
  const given = new Set(words.map(({ word }) => word))
  const parts = partsOfWords(given)
  const pairs = new Set<string>()
  for (const [index, { word, end }] of words.entries()) {
    const next = words[index + 1]
    if (next?.start === end) pairs.add(word + next.word)
  }
  const isGiven = ({ word, start, end }: PlacedWord, text: string) => {
    if (given.has(word)) return true
    // A word that is cut off, and the initial of a name.
    const isCut = text.charAt(end) === '…' || (start === 0 && end === text.length && end <= 2)
    if (isCut || INFLECTED.test(word))
      return parts.has(word) || parts.has(word.replace(ARTICLE, ''))
    return false
  }
  return {
    inventedIn: (text) =>
      text.split(' · ').flatMap((part) => {
        const rest = withoutOwn(part)
        const said = placedWords(rest)
        return said.flatMap((one, index) => {
          const next = said[index + 1]
          const isPair =
            next?.start === one.end && isLetter(one) && next !== undefined && isLetter(next)
          const isJoined = !isPair || pairs.has(one.word + next.word)
          return isGiven(one, rest) && isJoined ? [] : [one.word]
        })
      }),
  }
}

/** Small words are joined to others in writing. */
const INFLECTED = /^[\p{sc=Hang}\p{sc=Arab}\p{sc=Hebr}]/u
const MOST_SMALL = 3
/** The Arabic article, whose spelling changes after some of them. */
const ARTICLE = /^ال/

/** Beginnings of words; for those that are joined to others in writing, also the ends. */
function partsOfWords(words: ReadonlySet<string>): Set<string> {
  const parts = new Set<string>()
  for (const word of words) {
    for (let end = 1; end < Math.min(word.length, MOST_LETTERS); end++)
      parts.add(word.slice(0, end))
    if (!INFLECTED.test(word)) continue
    for (let from = 1; from <= MOST_SMALL; from++) parts.add(word.slice(from))
  }
  return parts
}

/** No word is longer, and longer text must not take quadratic time. */
const MOST_LETTERS = 100

/** For a script whose letters are compared one by one. */
function isLetter({ word }: PlacedWord): boolean {
  return /^(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc\u3005]|[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}]\p{M}*)$/u.test(
    word,
  )
}

/** The text after a phrase of the product's own. */
function withoutOwn(text: string): string {
  const own = OWN_PHRASES.find(
    (phrase) => text.startsWith(phrase) && !/^\p{L}/u.test(text.slice(phrase.length)),
  )
  return own === undefined ? text : text.slice(own.length)
}

// What is wrong with what a draft says of itself: notes and outcomes held against the words that it shows.

import type { Draft } from '../../../src/creative/build-steps/draft.ts'
import { type DrawnWords, drawnWordsOf } from '../../../src/creative/build-steps/drawn-words.ts'
import { factsIn } from '../../../src/creative/message/facts.ts'
import { inventedTexts, unreportedFacts } from '../../../src/creative/message/guard-drawn.ts'
import { placedWords } from '../../../src/creative/message/word-match.ts'

/** Empty for a draft that reports the truth about its message. */
export function contradictionsIn(draft: Draft, message: string): string[] {
  const printed = textsOf(drawnWordsOf(draft))
  return [
    ...brokenPartition(draft, message),
    ...falseNotes(draft, printed),
    ...falseOutcomes(draft, printed),
    ...lostFigures(draft, message),
  ]
}

/** Words that are neither in the sources nor the product's own; what is handed on is not looked at. */
export function inventedIn(draft: Draft, sources: readonly string[]): string[] {
  const made = drawnWordsOf(draft).filter(({ isCarried }) => !isCarried)
  const invented = inventedTexts(textsOf(made), sources)
  return invented.map(({ text, words }) => `“${text}” has ${words.join(' ')}`)
}

/** Figures of the texts of a request, its offerings and its copy that are neither drawn nor named. */
export function figuresLostOf(draft: Draft, texts: readonly string[]): string[] {
  const plain = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
  const items = draft.assets.map(({ content }) => JSON.stringify(content).slice(0, 100_000))
  const all = plain([...textsOf(drawnWordsOf(draft)), ...draft.notes, ...items].join('\n'))
  const lost = texts.flatMap(factsIn).filter(({ text }) => !all.includes(plain(text)))
  return lost.map(({ text }) => `“${text}” of the request is lost in silence`)
}

function textsOf(words: readonly DrawnWords[]): string[] {
  return words.flatMap(({ texts }) => texts.map(({ text }) => text))
}

function brokenPartition({ reading }: Draft, message: string): string[] {
  let at = 0
  const broken = reading.flatMap(({ start, end, text }) => {
    const isRight = start === at && end > start && message.slice(start, end) === text
    at = end
    return isRight ? [] : [`“${text}” is not at ${start} to ${end}`]
  })
  return at === message.length ? broken : [...broken, `the parts end at ${at}`]
}

function falseNotes({ notes }: Draft, printed: readonly string[]): string[] {
  return notes.flatMap((note) => {
    const [lead] = /omitted: |not named: |was replaced/.exec(note) ?? []
    if (lead === undefined) return falsePlaces(note, printed)
    const at = note.indexOf(lead)
    // What was replaced is named before, and what replaced it behind.
    const named = lead === 'was replaced' ? note.slice(0, at) : note.slice(at)
    return [...named.matchAll(/“([^”]*)”/g)].flatMap(([, text = '']) =>
      !text.endsWith('…') && isReturned(text, printed) ? [`a note calls “${text}” omitted`] : [],
    )
  })
}

/** `… is printed as text`, `“…” in the 300x250 image`: what is called drawn and is not. */
function falsePlaces(note: string, printed: readonly string[]): string[] {
  if (!/is printed as text$|has no room for more$/.test(note)) return []
  return [...note.matchAll(/“([^”]*)”/g)].flatMap(([, text = '']) =>
    isReturned(text, printed) || printed.some((one) => one.includes(text))
      ? []
      : [`a note calls “${text}” drawn`],
  )
}

/** Whether a text has all of these words side by side; a number alone may be another one. */
function isReturned(text: string, printed: readonly string[]): boolean {
  const wanted = placedWords(text).map(({ word }) => word)
  if (wanted.length === 0 || (wanted.length === 1 && /^\p{N}+$/u.test(wanted[0] as string))) {
    return false
  }
  // A figure without its sign is another one.
  if (/[\p{Sc}%٪％]/u.test(text)) {
    const plain = (one: string) => one.toLowerCase().replace(/\s+/g, ' ')
    return printed.some((one) => plain(one).includes(plain(text)))
  }
  const run = ` ${wanted.join(' ')} `
  return printed.some((one) =>
    ` ${placedWords(one)
      .map(({ word }) => word)
      .join(' ')} `.includes(run),
  )
}

function falseOutcomes({ reading }: Draft, printed: readonly string[]): string[] {
  const returned = new Set(printed.flatMap(placedWords).map(({ word }) => word))
  return reading.flatMap(({ text, outcome }) => {
    const figures = placedWords(text).filter(({ word }) => /^\p{Nd}+$/u.test(word))
    const isMissing = figures.some(({ word }) => !returned.has(word))
    if (outcome === 'drawn' && isMissing) return [`“${text}” is called drawn`]
    return outcome === 'omitted' && isReturned(text, printed) ? [`“${text}” is called omitted`] : []
  })
}

function lostFigures(draft: Draft, message: string): string[] {
  const printed = textsOf(drawnWordsOf(draft))
  const reported = { text: message, spans: draft.reading, printed, notes: draft.notes }
  return unreportedFacts(reported).map(({ text }) => `“${text}” is lost in silence`)
}

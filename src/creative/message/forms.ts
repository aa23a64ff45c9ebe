// Messages that are lists and forms: points with a mark before each, `Price: 199 €` line by line, and headings
// that only announce what follows. Marks, labels and such headings are no copy; what they stand for is.

import { factsIn } from './facts.ts'
import { HEADINGS, POINTS, UNTIL } from './lexicon/labels.ts'
import { folded, phrasesOf } from './phrases.ts'
import { isBriefing } from './talk.ts'

const BULLET = /^ ?[-–—•*·▪‣●○◦✓✔➤→] ?(?=[^\p{Nd}\s])/u
const NUMBERED = /^ ?[(（]?\p{Nd}{1,2}(?:[.)）] |[、．])/u

/** Without the marks before the points of a list, where at least two lines have one. */
export function withoutBullets(text: string): string {
  const lines = text.split('\n')
  const isListed = (mark: RegExp) => lines.filter((line) => mark.test(line)).length > 1
  const marks = [BULLET, NUMBERED].filter(isListed)
  if (marks.length === 0) return text
  return lines.map((line) => marks.reduce((rest, mark) => rest.replace(mark, ''), line)).join('\n')
}

const MAX_LABEL = 28
const MAX_LABEL_WORDS = 4

/** Whether at least two lines begin with a label and a colon. */
export function isForm(text: string): boolean {
  let labelled = 0
  for (const line of text.split('\n')) {
    const start = line.slice(0, MAX_LABEL + 4)
    const colon = start.search(/ ?[:：=]/)
    if (colon > 0 && isLabel(start.slice(0, colon)) && line.length > colon + 2) labelled++
  }
  return labelled > 1
}

/** A few words without figures, such as can stand before a colon. */
export function isLabel(phrase: string): boolean {
  const text = phrase.trim()
  if (text.length > MAX_LABEL || /[\p{N}.,;!?"“„«「%]/u.test(text)) return false
  const { words } = folded(text)
  return words.length > 0 && words.length <= MAX_LABEL_WORDS
}

const ANNOUNCING = phrasesOf(HEADINGS)
const MAX_HEADING_WORDS = 9

/** Whether a line that ends with a colon only announces the lines that follow. */
export function isHeading(line: string): boolean {
  const text = folded(line)
  return text.words.length <= MAX_HEADING_WORDS && ANNOUNCING.find(text) !== undefined
}

const POINTED = phrasesOf(POINTS)

/** Whether what stands before a colon only says that the point of it follows. */
export function isPoint(label: string): boolean {
  const text = folded(label)
  return text.words.length <= MAX_HEADING_WORDS && POINTED.find(text) !== undefined
}

const UNTIL_WHEN = phrasesOf(UNTIL)

/** Whether it is how long an offer lasts, and not when a draft is due. */
export function isPeriod(words: string): boolean {
  const hasDate = factsIn(words).some(({ kind }) => kind === 'date' || kind === 'number')
  return hasDate && UNTIL_WHEN.find(folded(words)) !== undefined && !isBriefing(words)
}

// What texts claim without a source (spec 4.2): the check of words that a model wrote. Figures, codes and addresses
// must appear in the message, the offering or the brand, and what was to be avoided must not appear.

import { type Avoided, withoutAvoided } from './avoid.ts'
import { factsIn, plainDigits } from './facts.ts'

/** Each as it was written; empty if the sources say all of it. */
export function unsaidIn(texts: readonly string[], sources: readonly string[]): string[] {
  const said = sources.flatMap(factsIn)
  const digits = new Set(said.flatMap(({ text }) => [plainDigits(text), ...groupsOf(text)]))
  const received = sources.join(' ').toLowerCase()
  return texts.flatMap(factsIn).flatMap(({ kind, text }) => {
    const isName = kind === 'link' || kind === 'code'
    const isSaid = isName ? received.includes(text.toLowerCase()) : digits.has(plainDigits(text))
    return isSaid ? [] : [text]
  })
}

/** A part of a date or a price also counts as said: `8` of `8–9`, `19` of `19.95`. */
function groupsOf(text: string): string[] {
  return text
    .split(/\P{Nd}{1,30}/u)
    .map(plainDigits)
    .filter((group) => group !== '')
}

/** Whether a text says what must be avoided. */
export function isAvoidedIn(text: string, avoided: Avoided): boolean {
  return withoutAvoided(text, avoided) !== text
}

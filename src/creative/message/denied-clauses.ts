// Clauses that negate what they mention (spec 4.2): a button must not ask people to buy if the message says
// `Buy nothing` or `Don't buy new shoes`.

import { AGAINST, NOT_TO, NOTHING_WORDS } from './lexicon/avoiding.ts'
import { folded, phrasesOf, type Span } from './phrases.ts'

const BEFORE = phrasesOf(NOT_TO)
const ENDING = phrasesOf(AGAINST)
const AFTER = phrasesOf(NOTHING_WORDS)
const CLAUSE = /[^.,;:!?。、，！？\n]+/gu
/** The maximum distance of a negation from its verb. */
const NEAR = 24
const FEW = 3

/** Whether a clause mentions it without negating it. `named` are the places where it does. */
export function isRequestedIn(text: string, named: (clause: string) => readonly Span[]): boolean {
  for (const [clause] of text.matchAll(CLAUSE)) {
    const places = named(clause)
    if (places.length > 0 && !places.some((place) => isDenied(clause, place))) return true
  }
  return false
}

function isDenied(clause: string, { start, end }: Span): boolean {
  const before = clause.slice(Math.max(0, start - NEAR), start).trimEnd()
  const last = BEFORE.all(folded(before)).at(-1)
  if (last?.end === before.length && isWhole(clause, start - NEAR, last.start)) return true
  const [ended] = ENDING.all(folded(before))
  if (ended && isWhole(clause, start - NEAR, ended.start)) return true
  const { words } = folded(clause.slice(end, end + 2 * NEAR))
  const near = words.slice(0, FEW).map(({ exact }) => exact)
  return AFTER.find(folded(near.join(' '))) !== undefined
}

/** Not the end of a word that begins before the examined text. */
function isWhole(clause: string, from: number, start: number): boolean {
  return from <= 0 || start > 0 || !/[\p{L}\p{N}]/u.test(clause.charAt(from - 1))
}

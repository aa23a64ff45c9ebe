// The parts of a clause that are not understood: `zigzags` in `bigger logo and zigzags`.

import type { FoundConcept } from '../message/concepts/concepts-in.ts'
import { STOP_WORDS } from '../message/lexicon/small-words.ts'
import { folded, foldWord, phrasesOf, type Span } from '../message/phrases.ts'
import { QUALITIES, THINGS, TONES } from './concept-meanings.ts'

/** What joins a part to the one before it, in languages that separate words with spaces. */
const JOINING: ReadonlySet<string> = new Set(
  'and und et y e en og och oraz i a ja ve si es kai και и та і plus with mit avec con com med z ile cu και με с із và dan'.split(
    ' ',
  ),
)
const SMALL = phrasesOf(STOP_WORDS)
/** Shorter ones are unlikely to be something a designer could draw. */
const LEAST_LETTERS = 5
/** The maximum in one clause, because the work grows with their number. */
const MOST_PARTS = 20

/** Concepts at their place in the text. */
export function unreadParts(text: string, concepts: readonly FoundConcept[]): string[] {
  const { words } = folded(text)
  const isUnderstood = (one: Span) =>
    concepts.some(({ start, end }) => start < one.end && one.start < end)
  const starts = words
    .filter((one) => JOINING.has(foldWord(one.exact)))
    .slice(0, MOST_PARTS)
    .filter((one) => !isUnderstood(one))
  return starts.flatMap((joint, index) => {
    const end = starts[index + 1]?.start ?? text.length
    const own = words.filter((one) => one.start >= joint.end && one.end <= end)
    const said = concepts.filter((one) => one.start >= joint.end && one.end <= end)
    if (said.some(({ concept }) => isMeant(concept))) return []
    const unknown = own.filter(
      (one) =>
        one.end - one.start >= LEAST_LETTERS &&
        !isUnderstood(one) &&
        !SMALL.find(folded(one.exact)),
    )
    return unknown.length > 0 ? [text.slice(joint.end, end).trim()] : []
  })
}

function isMeant(concept: string): boolean {
  return THINGS.has(concept) || QUALITIES.has(concept) || TONES.has(concept)
}

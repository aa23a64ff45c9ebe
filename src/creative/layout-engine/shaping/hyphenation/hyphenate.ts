// Where a word may be hyphenated, by the patterns of its language (Franklin Liang's algorithm): every pattern within
// the word rates the places between its letters, with an odd number for a break and an even one against it. The
// highest number wins.

import { type Patterns, patternsOf } from './patterns.ts'

/** Length in letters of the shortest word that is hyphenated, and of the longest that is examined. */
const SHORTEST = 6
const LONGEST = 100

/** Places within the word that all of these languages agree on, in UTF-16 units. */
export function commonPartingsOf(word: string, languages: readonly string[]): number[] {
  const [first, ...others] = languages
  if (first === undefined) return []
  let places = partingsOf(word, first)
  for (const language of others) {
    if (places.length === 0) break
    const also = new Set(partingsOf(word, language))
    places = places.filter((place) => also.has(place))
  }
  return places
}

/**
 * None for a language without patterns.
 * @internal
 */
export function partingsOf(word: string, language: string): number[] {
  const patterns = patternsOf(language)
  if (patterns === undefined || word.length < SHORTEST || word.length > LONGEST) return []
  const lower = word.toLocaleLowerCase(language)
  // A letter with a different length in its other case would shift every position after it.
  if (lower.length !== word.length) return []
  const strengths = strengthsIn(lower, patterns)
  const places: number[] = []
  for (let at = patterns.left; at <= word.length - patterns.right; at++) {
    if ((strengths[at] as number) % 2 === 0) continue
    if (isPronounced(lower.slice(0, at)) && isPronounced(lower.slice(at))) places.push(at)
  }
  return places
}

function strengthsIn(word: string, { byLetters, longest }: Patterns): Uint8Array {
  const text = `.${word}.`
  const strengths = new Uint8Array(text.length + 1)
  for (let from = 0; from < text.length; from++) {
    const end = Math.min(text.length, from + longest)
    for (let to = from + 1; to <= end; to++) {
      const pattern = byLetters.get(text.slice(from, to))
      if (pattern !== undefined) strengthen(strengths, pattern, from)
    }
  }
  // Without the point before the word.
  return strengths.subarray(1)
}

function strengthen(strengths: Uint8Array, pattern: string, from: number): void {
  let at = from
  for (const sign of pattern) {
    const strength = sign.charCodeAt(0) - 48
    if (strength < 0 || strength > 9) at += sign.length
    else if (strength > (strengths[at] as number)) strengths[at] = strength
  }
}

/** A part of a word without a vowel is not a syllable. */
function isPronounced(part: string): boolean {
  return VOWEL.test(part.normalize('NFD'))
}

const VOWEL = /[aeiouyæøœıаеиоуыэюяієъαεηιουω]/u

// Splits compounds, as German and Dutch have them: "Elektroautokäufer" becomes electric, car, buyers.

import type { ForeignWords } from './foreign-words.ts'
import { BRIEF_LANGUAGES, type Language } from './languages/languages.ts'

const MIN_COMPOUND = 7
const MIN_PART = 3

/** The meanings of the parts, in order; undefined if a part is unknown. */
export function partsOfCompound(
  word: string,
  words: ForeignWords,
  language: Language,
): string[] | undefined {
  if (!BRIEF_LANGUAGES[language].hasCompounds || word.length < MIN_COMPOUND) return undefined
  return split(word, words, 3)
}

function split(word: string, words: ForeignWords, most: number): string[] | undefined {
  const whole = meaningOf(word, words)
  if (whole !== undefined) return [whole]
  if (most === 1) return undefined
  // The longest first part is the longest known unit.
  for (let at = word.length - MIN_PART; at >= MIN_PART; at--) {
    const first = meaningOf(word.slice(0, at), words)
    if (first === undefined) continue
    const rest = split(word.slice(at), words, most - 1)
    if (rest !== undefined) return [first, ...rest]
  }
  return undefined
}

/** With or without linking letters between the parts. */
function meaningOf(part: string, words: ForeignWords): string | undefined {
  const known = words.part(part) ?? words.find([part])
  if (typeof known === 'string') return known === '' ? undefined : known
  if (known !== undefined)
    return known.kind === 'small' || part.length < 4 ? undefined : known.english
  const bare = part.replace(/(?:s|n|en|es)$/, '')
  return bare.length >= MIN_PART && bare !== part ? words.part(bare) || undefined : undefined
}

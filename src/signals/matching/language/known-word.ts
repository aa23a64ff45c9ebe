// Whether a word needs no repair: it is in the vocabulary, or is derived from such a word with a common suffix or
// prefix, since word lists mostly omit derived forms.

import type { Vocabulary } from '../understood.ts'
import { undouble } from '../words.ts'
import { slangWords } from './lexicon.ts'

export function isKnownWord(word: string, vocabulary: Vocabulary): boolean {
  if (vocabulary.has(word)) return true
  if (word.endsWith('e') && ['r', 'rs', 'd', 's'].some((end) => vocabulary.has(word + end)))
    return true
  const stems = endingsOff(word)
  if (stems.some((stem) => vocabulary.has(stem))) return true
  const isOurs = (other: string) => vocabulary.inCatalogue(other) || slangWords().has(other)
  if (stems.some((stem) => ENDINGS.some((ending) => isOurs(stem + ending)))) return true
  const prefix = PREFIXES.find((one) => word.startsWith(one))
  if (prefix === undefined) return false
  const rest = word.slice(prefix.length)
  return rest.length >= 4 && (vocabulary.has(rest) || endingsOff(rest).some(vocabulary.has))
}

const PREFIXES =
  'anti co eco inter micro mid multi non over pre pro re self semi super ultra un'.split(' ')
const ENDINGS = ['ers', 'ing', 'er', 'ed', 'ist', 'ists', 'able']

function endingsOff(word: string): string[] {
  const stems: string[] = []
  if (word.length > 4 && word.endsWith('ies')) stems.push(`${word.slice(0, -3)}y`)
  else if (word.length > 5 && /(?:[sz]|sh|ch|x)es$/.test(word)) stems.push(word.slice(0, -2))
  if (word.length > 3 && /[^s]s$/.test(word)) stems.push(word.slice(0, -1))
  if (word.length > 6 && word.endsWith('ly')) stems.push(word.slice(0, -2))
  const long = /(?:less|ness|ships?)$/.exec(word)
  if (long && word.length - long[0].length > 3) stems.push(word.slice(0, -long[0].length))
  for (const ending of ENDINGS) {
    const stem = word.slice(0, -ending.length)
    if (!word.endsWith(ending) || stem.length < 4) continue
    stems.push(`${stem}e`)
    if (undouble(stem) !== stem) stems.push(undouble(stem))
    // "shoping" is missing a letter, whereas "camping" is not.
    else if (!/^[^aeiou]*[aeiou][^aeiouwxy]$/.test(stem)) stems.push(stem)
  }
  return stems
}

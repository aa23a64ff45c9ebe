// The items of a list in a sentence, whatever separates them; pairs that form a unit are kept together.

import { readLexiconFile } from './lexicon.ts'

const PARTING =
  /\s*(?:[,;\n]\s*(?:and also|and|or|plus|as well as)?|\s(?:and also|and|or|nor|plus|as well as|along with|together with|&|\+)\s)\s*/gi

let pairs: RegExp | undefined

export function splitList(text: string): string[] {
  return withPairsKept(text, (kept) => kept.split(PARTING)).filter((item) => item.trim() !== '')
}

/** Lets a text be split while "mums and dads" and "25 and older" each count as one word. */
export function withPairsKept(text: string, split: (kept: string) => string[]): string[] {
  pairs ??= new RegExp(
    `\\b(?:${readLexiconFile<string[]>('pairs')
      .map((pair) => pair.replace(' and ', '(?: and | & |&| n | ’n’ )'))
      .join(
        '|',
      )}|\\d+ (?:and|or|to) (?:\\d+|older|over|above|up|under|younger|below)|between \\d+ and \\d+)\\b`,
    'gi',
  )
  const kept = text.replace(pairs, (pair) => pair.replaceAll(' ', JOINER).replaceAll(',', ' '))
  return split(kept).map((part) => part.replaceAll(JOINER, ' '))
}

/** Represents a space that no pattern matches as one: a private-use character, so no real text contains it. */
const JOINER = '\u{E000}'

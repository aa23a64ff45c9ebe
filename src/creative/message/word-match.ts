// Which words of a text are printed in others (spec 4.2): compared word by word, ignoring case, Unicode form and the
// punctuation between them. In unspaced scripts each letter counts as a word. Linear.

export interface PlacedWord {
  /** As it is compared. */
  word: string
  start: number
  end: number
}

/** The words of printed texts. */
export interface PrintedWords {
  has(word: string): boolean
  /** Whether these words appear side by side; for at most MAX_SIDE_BY_SIDE words. */
  hasRun(words: readonly string[]): boolean
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc\u3005]|[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]\p{M}*|\p{Nd}+|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc\u3005\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}\p{No}\p{Nl}\u00ad\u200c\u200d])+/gu
const IS_UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc\u3005]/u
const IS_DICTIONARY = /^[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u
export const MAX_SIDE_BY_SIDE = 5

export function placedWords(text: string): PlacedWord[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: found, index }) => {
    const word = foldedWord(found)
    return word === '' ? [] : [{ word, start: index, end: index + found.length }]
  })
}

function foldedWord(word: string): string {
  return word.normalize('NFKC').replace(INVISIBLE, '').toLowerCase()
}

/** In reading order: the end of one and the beginning of the next are side by side. */
export function printedWords(texts: readonly string[]): PrintedWords {
  const words = placedWords(texts.join('\n')).map(({ word }) => word)
  const runs = new Set<string>()
  for (let from = 0; from < words.length; from++) {
    for (let length = 1; length <= Math.min(MAX_SIDE_BY_SIDE, words.length - from); length++) {
      runs.add(words.slice(from, from + length).join(' '))
    }
  }
  return {
    has: (word) => runs.has(word),
    hasRun: (run) => run.length <= MAX_SIDE_BY_SIDE && runs.has(run.join(' ')),
  }
}

/** The number of words side by side that is not a coincidence. */
function reportedLength(word: string): number {
  if (IS_DICTIONARY.test(word)) return 5
  return IS_UNSPACED.test(word) ? 3 : 2
}

/**
 * For each word of the text, whether it is printed: together with the words next to it, or alone if it is alone
 * between two marks.
 */
export function printedMask(
  text: string,
  words: readonly PlacedWord[],
  printed: PrintedWords,
): boolean[] {
  const mask = words.map(() => false)
  const mark = (from: number, to: number) => {
    if (printed.hasRun(words.slice(from, to).map(({ word }) => word))) mask.fill(true, from, to)
  }
  let clause = 0
  for (let at = 0; at < words.length; at++) {
    const { word, end } = words[at] as PlacedWord
    mark(at, Math.min(at + reportedLength(word), words.length))
    const next = words[at + 1]
    if (next && !/[^\s]|\n/u.test(text.slice(end, next.start))) continue
    // A clause may be too short for a word to have a neighbour.
    if (at + 1 - clause <= MAX_SIDE_BY_SIDE) mark(clause, at + 1)
    clause = at + 1
  }
  return mask
}

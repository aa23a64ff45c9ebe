// The words of the catalogue by number, and which of them are forms of the same stem.

import { stemOf } from './words.ts'

export interface Terms {
  /** Makes one for a word that is new. */
  numberOf(word: string): number
  /** All forms of a word that the catalogue has. */
  formsOf(word: string): readonly number[]
  wordOf(term: number): string
  readonly size: number
}

export function createTerms(): Terms {
  const words: string[] = []
  const numbers = new Map<string, number>()
  const byStem = new Map<string, number[]>()
  return {
    numberOf: (word) => {
      const known = numbers.get(word)
      if (known !== undefined) return known
      const term = words.push(word) - 1
      numbers.set(word, term)
      const stem = stemOf(word)
      const forms = byStem.get(stem)
      if (forms) forms.push(term)
      else byStem.set(stem, [term])
      return term
    },
    formsOf: (word) => byStem.get(stemOf(word)) ?? [],
    wordOf: (term) => words[term]!,
    get size() {
      return words.length
    },
  }
}

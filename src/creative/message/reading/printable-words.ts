// How likely each word of a message is copy, by the sequence model.

import { featuresOf } from './features.ts'
import { type ReaderModels, readerModels } from './models.ts'
import { PRINTED_ROLES, ROLES } from './roles.ts'
import { secondFeaturesOf } from './second-features.ts'
import { readSequence } from './sequence-model.ts'
import { tokensOf } from './tokens.ts'

export interface JudgedWord {
  start: number
  end: number
  /** The probability that it may be printed, 0 to 1. */
  printable: number
}

const IS_PRINTED = ROLES.map((role) => PRINTED_ROLES.has(role))

/** Without punctuation, which follows the words beside it. */
export function judgedWords(text: string, models: ReaderModels = readerModels()): JudgedWord[] {
  const tokens = tokensOf(text)
  const first = readSequence(models.first, featuresOf(tokens))
  const { marginals } = readSequence(models.second, secondFeaturesOf(tokens, first.marginals))
  return tokens.flatMap(({ text: word, start, end }, index) => {
    if (!/[\p{L}\p{N}]/u.test(word)) return []
    let printable = 0
    for (let label = 0; label < ROLES.length; label++) {
      if (IS_PRINTED[label]) printable += marginals[index * ROLES.length + label]!
    }
    return [{ start, end, printable }]
  })
}

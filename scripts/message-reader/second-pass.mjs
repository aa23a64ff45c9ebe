// Examples for the second pass: what a first pass says of messages whose authors it was not trained on, as it will be
// with every message that it meets.
import {
  SECOND_BUCKETS,
  secondFeaturesOf,
} from '../../src/creative/message/reading/second-features.ts'
import { readSequence } from '../../src/creative/message/reading/sequence-model.ts'
import { trainSequence } from './train-sequence.mjs'

export const SECOND = { epochs: 4, dropout: 0.1, buckets: SECOND_BUCKETS }
const FOLDS = 6

export function secondExamples(authors) {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const others = authors.filter((_author, index) => index % FOLDS !== fold).flat()
    const model = trainSequence(others)
    return authors
      .filter((_author, index) => index % FOLDS === fold)
      .flat()
      .map(({ tokens, roles, features }) => {
        const { marginals } = readSequence(model, features)
        return { tokens, roles, features: secondFeaturesOf(tokens, marginals) }
      })
  }).flat()
}

// A vocabulary for the tests of the language layer: a small catalogue's words over some of English.

import { readFileSync } from 'node:fs'
import { createVocabulary } from '../../../../src/signals/matching/language/vocabulary.ts'
import type { Vocabulary } from '../../../../src/signals/matching/understood.ts'

const CATALOGUE =
  'luxury suv intenders owners household income vegetarian exercise new parents first time home buyers ' +
  'electric vehicle car shoppers travel travellers families toddlers affluent enthusiasts fitness garden ' +
  'gardening pet dog cat insurance mortgage investors gamers streaming organic food coffee wine beauty ' +
  'fashion running golf golfers business decision makers small students wedding retirees bargain grocery ' +
  'online credit card solar panels energy mobile baby football sports fans lapsed customers frequent'

const PIECES = new URL('../../../../src/signals/matching/table/word-pieces.txt', import.meta.url)

export function smallVocabulary(): Vocabulary {
  // The model's words, the commonest first, as the server has them.
  const english = readFileSync(PIECES, 'utf8')
    .split('\n')
    .filter((piece) => /^[a-z]{2,}$/.test(piece))
  const counted = CATALOGUE.split(' ').map((word): [string, number] => [word, 5])
  return createVocabulary(counted, english)
}

import { expect, test } from 'vitest'
import { contentWords, stemOf, wordsOf } from '../../../src/signals/matching/words.ts'

test.each([
  ['shopper', 'shoppers', 'shopping', 'shop'],
  ['family', 'families'],
  ['cruise', 'cruises', 'cruising'],
  ['buyer', 'buyers', 'buying', 'buy'],
  ['owner', 'owners'],
  ['watch', 'watches', 'watching', 'watched'],
])('%s and its other forms have one stem', (word, ...forms) => {
  for (const form of forms) expect(stemOf(form)).toBe(stemOf(word))
})

test('words are lower case without accents, and cut at punctuation', () => {
  expect(wordsOf('Café-goers, WON’T pay €5.99')).toEqual([
    'cafe',
    'goers',
    'wont',
    'pay',
    '5',
    '99',
  ])
})

test('words that only say that people are meant carry no meaning, unless there are no others', () => {
  expect(contentWords('people who are about to buy a boat')).toEqual(['buy', 'boat'])
  expect(contentWords('those who are')).toEqual(['those', 'who', 'are'])
})

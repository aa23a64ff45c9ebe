import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from '../../../../src/lib/edit-distance.ts'
import { slipCost } from '../../../../src/signals/matching/language/slip-cost.ts'
import { createVocabulary } from '../../../../src/signals/matching/language/vocabulary.ts'

test('it has the words of the catalogue, of the base and of the lexicon, whatever their accents', () => {
  const vocabulary = createVocabulary([['Café', 3]], ['people'])
  expect(['cafe', 'people', 'petrolhead', 'unheardof'].map(vocabulary.has)).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(['cafe', 'people', 'petrolhead'].map(vocabulary.inCatalogue)).toEqual([true, false, false])
})

test('of words that are equally near, the catalogue’s come first, and of these the commoner', () => {
  const vocabulary = createVocabulary(
    [
      ['vint', 1],
      ['vink', 90],
    ],
    ['vine', 'vinx'],
  )
  expect(vocabulary.near('vinq', 1).slice(0, 2)).toEqual(['vink', 'vint'])
})

test('of words that are equally common, the likelier slip comes first', () => {
  const vocabulary = createVocabulary([
    ['zorbet', 5],
    ['zorber', 5],
  ])
  // The t is beside the y on a keyboard, and the r is not.
  expect(vocabulary.near('zorbey', 1)[0]).toBe('zorbet')
})

test('it finds what looking at every word finds', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'e', 's'),
    minLength: 3,
    maxLength: 8,
  })
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 8 }), word, (words, requested) => {
      const near = createVocabulary(words.map((one) => [one, 1])).near(requested, 2)
      const expected = words.filter(
        (one) => one !== requested && editDistance(requested, one, 2) <= 2,
      )
      expect(near.length).toBeGreaterThanOrEqual(Math.min(expected.length, 8))
      for (const one of near) expect(editDistance(requested, one, 2)).toBeLessThanOrEqual(2)
    }),
  )
})

test('sixty thousand words are the most it keeps', () => {
  const words = function* (): Iterable<[string, number]> {
    for (let at = 0; at < 70_000; at++) yield [`w${at.toString(36).replace(/\d/g, 'q')}x${at}`, at]
  }
  const vocabulary = createVocabulary(words())
  const kept = [...words()].filter(([word]) => vocabulary.has(word))
  expect(kept.length).toBeLessThanOrEqual(60_000)
  expect(kept.at(-1)?.[1]).toBe(69_999)
})

test.each([
  ['intneders', 'intenders', 1],
  ['luxery', 'luxury', 1],
  ['excersise', 'exercise', 2],
  ['offers', 'offers', 0],
  ['abc', 'xyz', 3],
  ['a', 'abcdefg', 3],
  ['', 'ab', 2],
])('from %j to %j there are %i edits, or more than two', (a, b, edits) => {
  expect(editDistance(a, b, 2)).toBe(edits)
  expect(editDistance(b, a, 2)).toBe(edits)
})

test('a swap, a doubled letter and a neighbouring key cost less than another letter', () => {
  const other = slipCost('luxmry', 'luxury')
  for (const slip of ['luxruy', 'luxxury', 'luxiry', 'luxuty']) {
    expect(slipCost(slip, 'luxury')).toBeLessThan(other)
  }
})

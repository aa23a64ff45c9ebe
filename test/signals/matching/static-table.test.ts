import { expect, test } from 'vitest'
import { cosine, quantise } from '../../../src/signals/matching/quantise.ts'
import { staticTable } from '../../../src/signals/matching/static-table.ts'

const near = (a: string, b: string) =>
  cosine(quantise(staticTable().vectorOf(a)), quantise(staticTable().vectorOf(b)))

test.each([
  ['car buyers', 'automobile shoppers', 'wedding cakes'],
  ['new parents', 'families with a baby', 'truck drivers'],
  ['dog owners', 'people with puppies', 'stock market investors'],
  ['ski holidays', 'winter vacations in the mountains', 'kitchen renovation'],
])('%j is nearer to %j than to %j', (text, near1, far) => {
  expect(near(text, near1)).toBeGreaterThan(near(text, far) + 0.1)
})

test('a text of which nothing is known has a vector of zeros', () => {
  expect(
    staticTable()
      .vectorOf('')
      .every((x) => x === 0),
  ).toBe(true)
})

test('the words of the table are whole words, and no pieces or markers', () => {
  const words = [...staticTable().wordPieces.words()]
  expect(words.length).toBeGreaterThan(15_000)
  expect(words).toContain('electric')
  expect(words.some((word) => word.startsWith('##') || word.startsWith('['))).toBe(false)
})

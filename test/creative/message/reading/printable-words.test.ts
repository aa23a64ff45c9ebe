import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readerModels } from '../../../../src/creative/message/reading/models.ts'
import { judgedWords } from '../../../../src/creative/message/reading/printable-words.ts'
import { tokensOf } from '../../../../src/creative/message/reading/tokens.ts'

test('spec 4.2: tokens cover all of a message but its blanks, in order, each once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const tokens = tokensOf(text)
      expect(tokens.map((token) => token.text).join('')).toBe(text.replace(/\s+/gu, ''))
      let end = 0
      for (const token of tokens) {
        expect(token.start).toBeGreaterThanOrEqual(end)
        expect(text.slice(token.start, token.end)).toBe(token.text)
        end = token.end
      }
    }),
  )
})

test('addresses, numbers and words with an apostrophe are one token, and letters without blanks one each', () => {
  const texts = tokensOf(
    'See https://a.example/x?y=1. Mail me@b.example, don’t pay €2,499! 中秋',
  ).map(({ text }) => text)
  expect(texts).toEqual(
    'See|https://a.example/x?y=1|.|Mail|me@b.example|,|don’t|pay|€|2,499|!|中|秋'.split('|'),
  )
})

test('spec 4.2: whatever is written, each of its words has a probability of being copy', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      for (const { start, end, printable } of judgedWords(text)) {
        expect(end).toBeGreaterThan(start)
        expect(printable).toBeGreaterThanOrEqual(0)
        expect(printable).toBeLessThanOrEqual(1 + 1e-9)
      }
    }),
  )
})

test('a request and what it asks to print are told apart', () => {
  const text = 'Make a banner for our summer sale, 40% off all boots until Friday'
  const words = judgedWords(text)
  const at = (word: string) => words.find(({ start }) => start === text.indexOf(word))?.printable
  expect(at('Make')).toBeLessThan(0.1)
  expect(at('summer')).toBeGreaterThan(0.8)
  expect(at('Friday')).toBeGreaterThan(0.8)
})

test('the model is small: less than 4 MB of weights, loaded once', () => {
  const { first, second } = readerModels()
  expect(first.weights.byteLength + second.weights.byteLength).toBeLessThan(4_000_000)
  expect(readerModels().first).toBe(first)
})

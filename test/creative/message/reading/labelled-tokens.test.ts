import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conceptTable } from '../../../../src/creative/message/concepts/concept-table.ts'
import { labelledTokens } from '../../../../src/creative/message/reading/labelled-tokens.ts'
import { readerModel } from '../../../../src/creative/message/reading/models.ts'
import { spansOf } from '../../../../src/creative/message/reading/spans.ts'
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

test('spec 4.2: whatever is written, each of its tokens has a probability of being copy', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      for (const { start, end, printable } of labelledTokens(text)) {
        expect(end).toBeGreaterThan(start)
        expect(printable).toBeGreaterThanOrEqual(0)
        expect(printable).toBeLessThanOrEqual(1 + 1e-9)
      }
    }),
  )
})

test('a request and the text it wants printed are distinguished', () => {
  const text = 'Make a banner for our summer sale, 40% off all boots until Friday'
  const words = labelledTokens(text)
  const at = (word: string) => words.find(({ start }) => start === text.indexOf(word))?.printable
  expect(at('Make')).toBeLessThan(0.1)
  expect(at('summer')).toBeGreaterThan(0.8)
  expect(at('Friday')).toBeGreaterThan(0.8)
})

test('spec 4.2: the spans of a message cover each of its characters once, in order', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const spans = spansOf(text)
      expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
      for (const [index, { role, isScaffold }] of spans.entries()) {
        const next = spans[index + 1]
        expect({ role, isScaffold }).not.toEqual(
          next && { role: next.role, isScaffold: next.isScaffold },
        )
      }
    }),
  )
})

test('the model is small: less than 4 MB of weights with the words of the concepts, loaded once', () => {
  const { sequence, contexts } = readerModel()
  const { hashes, meanings } = conceptTable()
  const bytes = [sequence.weights, ...contexts.map(({ table }) => table), hashes, meanings].map(
    (one) => one.byteLength,
  )
  expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(4_000_000)
  expect(readerModel().sequence).toBe(sequence)
})

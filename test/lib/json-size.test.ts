import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLongerAsJson } from '../../src/lib/json-size.ts'

test('is right about what is far from the limit, whatever the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { length } = JSON.stringify(value)
      // Numbers and escapes are guessed, so it is right within their factor.
      expect(isLongerAsJson(value, length * 4 + 16)).toBe(false)
      expect(isLongerAsJson(value, Math.floor(length / 12) - 24)).toBe(true)
    }),
  )
})

test('stops counting when it knows', () => {
  const shared = 'x'.repeat(1_000)
  const value = Array.from({ length: 2_000 }, () => Array(2_000).fill(shared))
  expect(isLongerAsJson(value, 16_000_000)).toBe(true)
  expect(isLongerAsJson([shared], 1_000)).toBe(true)
  expect(isLongerAsJson([shared], 1_010)).toBe(false)
})

test('bears a value as deep as a stack is not', () => {
  let value: unknown = 1
  for (let depth = 0; depth < 100_000; depth++) value = [value]
  expect(isLongerAsJson(value, 1_000)).toBe(true)
})

import { expect, test } from 'vitest'
import { isNestedTooDeep, MAX_NESTING } from '../../src/lib/nesting.ts'

const lists = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
const objects = (levels: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

test('what is nested as deep as is allowed passes, and one level more does not', () => {
  for (const nested of [lists, objects]) {
    expect(isNestedTooDeep(nested(MAX_NESTING))).toBe(false)
    expect(isNestedTooDeep(nested(MAX_NESTING + 1))).toBe(true)
  }
})

test('a depth that no stack holds is detected without walking down to it', () => {
  expect(isNestedTooDeep({ fine: 1, deep: [lists(400_000)] })).toBe(true)
})

test.each([undefined, null, 1, 'text', true, [], {}])('%j is not nested', (value) => {
  expect(isNestedTooDeep(value)).toBe(false)
})

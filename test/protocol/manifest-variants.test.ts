import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completenessOf } from '../../src/protocol/manifest-variants.ts'

test('completeness is the share of filled fields, each weighing the same', () => {
  expect(completenessOf({ a: 1, b: 'x' }, ['a', 'b', 'c', 'd'])).toBe(50)
  expect(completenessOf({}, ['a'])).toBe(0)
  expect(completenessOf({ a: false }, ['a'])).toBe(100)
  expect(completenessOf({}, [])).toBe(100)
})

test('an empty value is not a filled field', () => {
  for (const empty of [null, '', '  ', [], {}]) expect(completenessOf({ a: empty }, ['a'])).toBe(0)
})

test('a star is filled by any entry of the list', () => {
  const document = { brands: [{}, { logos: [1] }], house: { name: 'x' } }
  expect(completenessOf(document, ['brands.*.logos', 'house.name'])).toBe(100)
  expect(completenessOf(document, ['brands.*.colors', 'house.*.name'])).toBe(0)
})

test('inherited members are no fields', () => {
  expect(completenessOf({}, ['constructor', 'toString'])).toBe(0)
})

test('any document scores between 0 and 100', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.string(), { minLength: 1 }), (document, paths) => {
      const score = completenessOf(document, paths)
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(100)
    }),
  )
})

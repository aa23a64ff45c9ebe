import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namedUuid } from '../../src/lib/named-uuid.ts'

test('a named UUID has the form of version 8 and follows from its name alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(namedUuid(a)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
      expect(namedUuid(a) === namedUuid(b)).toBe(a === b)
    }),
  )
})

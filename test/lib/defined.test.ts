import fc from 'fast-check'
import { expect, expectTypeOf, test } from 'vitest'
import { defined } from '../../src/lib/defined.ts'

test('a member without a value is left out, and every other value stays', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.option(fc.anything(), { nil: undefined })),
      (members) => {
        const kept = Object.entries(members).filter(([, value]) => value !== undefined)
        expect(Object.entries(defined(members))).toEqual(kept)
      },
    ),
  )
})

test('null, zero, false and the empty text are values', () => {
  expect(defined({ a: null, b: 0, c: false, d: '', e: undefined })).toEqual({
    a: null,
    b: 0,
    c: false,
    d: '',
  })
})

test('what may be undefined becomes what may be missing', () => {
  const note = 'x' as string | undefined
  expectTypeOf(defined({ id: 1 as number, note })).toExtend<{ id: number; note?: string }>()
})

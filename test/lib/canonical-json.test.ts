import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/lib/canonical-json.ts'

test('RFC 8785 §3.2.3: members are in the order of their UTF-16 code units', () => {
  const value = {
    '\u20ac': 1,
    '\r': 2,
    '\ufb33': 3,
    '1': 4,
    '\ud83d\ude00': 5,
    '\u0080': 6,
    '\u00f6': 7,
  }
  expect(canonicalJson(value)).toBe(
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  )
})

test('RFC 8785 §3.2.2: numbers and strings are written as ECMAScript writes them', () => {
  expect(
    canonicalJson([Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27, -0, '\u000f\n"\\/']),
  ).toBe('[333333333.3333333,1e+30,4.5,0.002,1e-27,0,"\\u000f\\n\\"\\\\/"]')
})

test('equal values have one text, whatever the order of their members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(reversed(JSON.parse(JSON.stringify(value))))).toBe(text)
    }),
  )
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  )
}

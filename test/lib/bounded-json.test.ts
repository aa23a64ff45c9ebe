import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BoundedJsonLimits, parseBoundedJson } from '../../src/lib/bounded-json.ts'

const WIDE: BoundedJsonLimits = { maxDepth: 1_000, maxValues: 100_000, maxMembers: 100_000 }
const parse = (text: string, limits: Partial<BoundedJsonLimits> = {}) =>
  parseBoundedJson(Buffer.from(text), { ...WIDE, ...limits })

test('within its limits it reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) })
    }),
  )
})

test('whatever the bytes are, it never throws and refuses what JSON.parse refuses', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.nat(40), (text, cut) => {
      const broken = text.slice(0, Math.max(0, text.length - cut))
      let right: unknown
      let isJson = true
      try {
        right = JSON.parse(broken)
      } catch {
        isJson = false
      }
      expect(parse(broken)).toEqual(
        isJson ? { ok: true, value: right } : { ok: false, reason: 'not_json' },
      )
    }),
  )
})

test.each([
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not_utf8'],
  ['a byte order mark', Buffer.from('\ufeff{}'), 'not_json'],
  ['nothing', Buffer.alloc(0), 'not_json'],
  ['a string without an end', Buffer.from('"abc\\'), 'not_json'],
  ['more closed than opened', Buffer.from(']]]]'), 'not_json'],
])('%s is refused', (_what, bytes, reason) => {
  expect(parseBoundedJson(bytes, WIDE)).toEqual({ ok: false, reason })
})

describe('a limit', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

  test('of levels counts arrays and objects alike', () => {
    expect(parse(deep(8), { maxDepth: 8 }).ok).toBe(true)
    expect(parse(deep(9), { maxDepth: 8 })).toEqual({ ok: false, reason: 'too_deep' })
    expect(parse('{"a":[{"b":[]}]}', { maxDepth: 3 })).toEqual({ ok: false, reason: 'too_deep' })
  })

  test('of levels holds for a million of them, without calling a parser', () => {
    expect(parse('['.repeat(1_000_000))).toEqual({ ok: false, reason: 'too_deep' })
  })

  test('of values counts each once, at any depth', () => {
    const text = JSON.stringify(Array.from({ length: 9 }, (_, n) => [n]))
    expect(parse(text, { maxValues: 18 + 1 }).ok).toBe(true)
    expect(parse(text, { maxValues: 17 })).toEqual({ ok: false, reason: 'too_many_values' })
  })

  test('of members is for each object by itself', () => {
    const object = (members: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: members }, (_, n) => [`k${n}`, n])))
    expect(parse(object(5), { maxMembers: 5 }).ok).toBe(true)
    expect(parse(object(6), { maxMembers: 5 })).toEqual({ ok: false, reason: 'too_wide' })
    expect(parse(`[${object(5)},${object(5)}]`, { maxMembers: 5 }).ok).toBe(true)
    expect(parse(JSON.stringify(Array(50).fill(0)), { maxMembers: 5 }).ok).toBe(true)
  })

  test('ignores what is inside strings, escaped quotes included', () => {
    const text = JSON.stringify({ a: '[[[[,,,,{{{{"\\', b: '\\"[[[,,,' })
    expect(parse(text, { maxDepth: 1, maxValues: 4, maxMembers: 2 }).ok).toBe(true)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJsonMeter } from '../../src/lib/json-meter.ts'
import { describeKeys, duplicateKeys, parseStrictJson } from '../../src/lib/strict-json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const duplicates = (...keys: string[]) => ({ ok: false, reason: 'duplicate_keys', keys })

describe('what JSON.parse reads', () => {
  test('any JSON value comes back as JSON.parse makes it, with any white space', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, '\t', '\r\n '), (json, space) => {
        const text = JSON.stringify(JSON.parse(json), undefined, space)
        expect(parseStrictJson(bytes(text))).toEqual({ ok: true, value: JSON.parse(text) })
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  test('random text is read or refused exactly as JSON.parse does, and nothing is thrown', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', '1', ' ', 'null')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        const read = parseStrictJson(text)
        if (read.ok) expect(read.value).toEqual(JSON.parse(text))
        else if (read.reason === 'not_json') expect(() => JSON.parse(text)).toThrow()
        else expect(read.reason).toBe('duplicate_keys')
      }),
      { numRuns: 2_000 },
    )
  })

  test('the same key in sibling, nested and later objects is no duplicate', () => {
    const text = '{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":"a"},"c":["a","a"],"d":{"b":1}}'
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
  })

  test('a string that looks like an object, or ends in backslashes, is a string', () => {
    for (const value of ['{"a":1,"a":2}', '\\', '\\\\', '"', '\\"', 'a":1,"a']) {
      const text = JSON.stringify({ [value]: value, x: value, y: [value] })
      expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
    }
  })

  test('a __proto__ key is a plain member and changes no prototype', () => {
    const read = parseStrictJson('{"__proto__":{"admin":true},"constructor":1}')
    expect(read.ok && Object.keys(read.value as object)).toEqual(['__proto__', 'constructor'])
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
    expect(parseStrictJson('{"__proto__":1,"__proto__":2}')).toEqual(duplicates('__proto__'))
  })
})

describe('spec 5: an object with the same key twice is refused', () => {
  test.each([
    ['at the top', '{"a":1,"a":1}', 'a'],
    ['deep inside', '{"a":{"b":{"c":1,"d":2,"c":3}}}', 'c'],
    ['inside an array', '[1,[{"x":[],"x":{}}]]', 'x'],
    ['after a nested object with that key', '{"a":{"b":1},"b":1,"b":2}', 'b'],
    ['written once with an escape', '{"a":1,"\\u0061":2}', 'a'],
    ['with an escaped quote in it', '{"\\"":1,"\\u0022":2}', '"'],
    ['with white space before the colon', '{"a" :1,"a"\n\t:2}', 'a'],
    ['empty', '{"":1,"":2}', ''],
  ])('%s', (_where, text, key) => {
    expect(parseStrictJson(text)).toEqual(duplicates(key))
    expect(parseStrictJson(bytes(text))).toEqual(duplicates(key))
  })

  test('every repeated key is named once', () => {
    const text = '{"a":1,"a":2,"a":3,"b":{"c":1,"c":2},"d":0}'
    expect(parseStrictJson(text)).toEqual(duplicates('a', 'c'))
  })

  test('a key added again anywhere in any object is found', () => {
    const keys = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(keys, fc.nat(), fc.nat(3), (names, pick, depth) => {
        const again = names[pick % names.length] as string
        const members = [...names, again].map((name) => `${JSON.stringify(name)}:0`)
        const text = `${'[{"in":'.repeat(depth)}{${members.join(',')}}${'}]'.repeat(depth)}`
        expect(parseStrictJson(text)).toEqual(duplicates(again))
      }),
    )
  })
})

describe('what is not JSON to everyone is refused', () => {
  test.each([
    ['nothing', ''],
    ['a byte order mark', '\ufeff{}'],
    ['two values', '{}{}'],
    ['a trailing comma', '{"a":1,}'],
    ['a control character in a string', '"\u0000"'],
    ['NaN', 'NaN'],
  ])('%s', (_what, text) => {
    expect(parseStrictJson(bytes(text))).toEqual({ ok: false, reason: 'not_json' })
  })

  test.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('%s', (_what, raw) => {
    expect(parseStrictJson(Uint8Array.from(raw))).toEqual({ ok: false, reason: 'not_utf8' })
  })

  test('200 levels are read, 201 are too deep, a million cost neither the stack nor long', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(parseStrictJson(nested(200)).ok).toBe(true)
    expect(parseStrictJson(nested(201))).toEqual({ ok: false, reason: 'too_deep' })
    expect(parseStrictJson(nested(500_000))).toEqual({ ok: false, reason: 'too_deep' })
  })
})

describe('spec 5: key names in a log', () => {
  test('at most four, then how many more', () => {
    expect(describeKeys(['a', 'b', 'c', 'd'])).toBe('a, b, c, d')
    expect(describeKeys(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('a, b, c, d, <...2 more>')
  })

  test('cut to 32 bytes at the end of a character', () => {
    expect(describeKeys(['x'.repeat(40)])).toBe('x'.repeat(32))
    expect(describeKeys([`${'x'.repeat(31)}é`])).toBe('x'.repeat(31))
    expect(describeKeys(['😀'.repeat(9)])).toBe('😀'.repeat(8))
  })

  test.each([
    '\u0000',
    '\n',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\u200b',
    '\u202e',
    '\u2028',
    '\u2066',
    '\ufeff',
    '\ud800',
  ])('cut at the unprintable %j, with the number of bytes left out', (mark) => {
    const left = Buffer.byteLength(`${mark}injected`)
    expect(describeKeys([`status${mark}injected`])).toBe(`status<sanitized:${left}>`)
  })
})

describe('with the count of a JSON meter', () => {
  const NO_LIMITS = { maxDepth: 1_000_000, maxValues: 1_000_000 }
  function found(text: string): string[] {
    const meter = createJsonMeter(NO_LIMITS)
    meter.feed(Buffer.from(text))
    return duplicateKeys(text, JSON.parse(text), meter.values())
  }

  test('any JSON value has no key twice, with any white space', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, '\t', '\r\n '), (json, space) => {
        expect(found(JSON.stringify(JSON.parse(json), undefined, space))).toEqual([])
      }),
    )
  })

  test('a key twice is found at any depth, in any spelling, and as a name that prototypes have', () => {
    for (const [text, key] of [
      ['{"a":1,"a":1}', 'a'],
      ['[[{"b":{"c":[],"c":{}}}]]', 'c'],
      ['{"a":1,"\\u0061":2}', 'a'],
      ['{"__proto__":1,"__proto__":2}', '__proto__'],
      ['{"1":1,"1":{"x":[1,2,3]}}', '1'],
    ] as const) {
      expect(found(text)).toEqual([key])
    }
  })
})

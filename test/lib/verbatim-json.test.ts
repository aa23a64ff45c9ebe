import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ForbiddenMember,
  type JsonPath,
  keepingParser,
  parseVerbatim,
  stringifyKeeping,
  stringifyWith,
  verbatimOf,
} from '../../src/lib/verbatim-json.ts'

/** Follows names into a parsed value. */
function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce((inner, name) => (inner as Record<string, unknown>)[name], value)
}

const awkward = fc.stringMatching(/^[[\]{}:,"\\ a-c0-9\u00e9]{0,20}$/)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    awkward,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(awkward, tie('value'), { maxKeys: 4 }),
  ),
})).value
const object = fc.dictionary(awkward, json, { maxKeys: 4 })
const paths: readonly JsonPath[] = [['context'], ['list', '*', 'context'], ['a', 'b', 'context']]
const parse = keepingParser(paths)

describe('the text of what is kept', () => {
  test('is what was sent, whatever stands around it and however it is spaced', () => {
    fc.assert(
      fc.property(object, object, fc.array(object), fc.constantFrom(0, 1, '\t'), (...given) => {
        const [around, kept, list, indent] = given
        const texts = new Map<string, string>()
        const spelt = (member: object) => {
          const text = JSON.stringify(member, null, indent)
          texts.set(`${texts.size}`, text)
          return text
        }
        const first = spelt(kept)
        const elements = list.map((one) => `{"context" :${spelt(one)}\n,"x":1}`)
        const others = JSON.stringify(around).slice(1, -1)
        const text = `\n{${others ? `${others}, ` : ''}"list":[${elements.join(' , ')} ], "context": ${first} }`
        const value = parse(text)
        expect(value).toEqual(JSON.parse(text))
        expect(verbatimOf(at(value, 'context'))).toBe(first)
        for (const index of list.keys()) {
          const element = at(value, 'list', index, 'context')
          expect(verbatimOf(element)).toBe(texts.get(`${index + 1}`))
        }
      }),
    )
  })

  test.each([
    ['numbers that no double holds', '{"n":12345678901234567890,"e":1e400,"f":1.0,"z":-0}'],
    ['names that would change a prototype', '{"__proto__":{"a":1},"constructor":{"prototype":2}}'],
    ['a name twice', '{"a":1,"a":2}'],
    ['escapes', '{"\\u0061":"\\u00e9\\/\\ud800"}'],
    ['space', '{ "a" :\n[ ] }'],
    ['a list', '[1.0,[2.50]]'],
  ])('holds %s', (_what, text) => {
    const value = parse(`{"context":${text},"x":"}"}`)
    expect(verbatimOf(at(value, 'context'))).toBe(text)
    expect(stringifyKeeping({ status: 'ok', context: at(value, 'context') }, 'context')).toBe(
      `{"status":"ok","context":${text}}`,
    )
  })

  test('stands wherever the value is put, and only there', () => {
    const text = '{"n":1.0,"__proto__":{}}'
    const put = (context: object | undefined) => ({ a: [{ context }], n: { context }, text })
    const quoted = JSON.stringify(text)
    expect(stringifyWith(parseVerbatim(text) as object, put)).toBe(
      `{"a":[{"context":${text}}],"n":{"context":${text}},"text":${quoted}}`,
    )
    const unkept = { n: 1 }
    expect(stringifyWith(unkept, put)).toBe(JSON.stringify(put(unkept)))
    expect(stringifyWith(undefined, put)).toBe(JSON.stringify(put(undefined)))
  })

  test('is that of the last member of a name, as the parsed value is', () => {
    const twice = parse('{"context":{"n":1.0},"context":{"n":2.0}}')
    expect(verbatimOf(at(twice, 'context'))).toBe('{"n":2.0}')
    const replaced = parse('{"a":{"b":{"context":{"n":1.0}}},"a":{"b":{"context":{"n":3.0}}}}')
    expect(verbatimOf(at(replaced, 'a', 'b', 'context'))).toBe('{"n":3.0}')
    const shorter = parse('{"list":[0,{"context":{"n":1.0}}],"list":[{"context":{"n":4.0}}]}')
    expect(verbatimOf(at(shorter, 'list', 0, 'context'))).toBe('{"n":4.0}')
  })

  test('is found under a name that is spelt with escapes, and behind a byte order mark', () => {
    const value = parse('\ufeff{"c\\u006fntext":{"n":1.0}}')
    expect(verbatimOf(at(value, 'context'))).toBe('{"n":1.0}')
  })

  test('is of nothing else', () => {
    const value = parse('{"context":7,"list":{"context":{}},"other":{"context":{}}}')
    expect(verbatimOf(at(value, 'context'))).toBeUndefined()
    expect(verbatimOf(at(value, 'list', 'context'))).toBeUndefined()
    expect(verbatimOf(at(value, 'other', 'context'))).toBeUndefined()
    expect(verbatimOf(value)).toBeUndefined()
  })
})

test.each([
  '{"__proto__":{}}',
  '{"a":[{"\\u005f_proto__":1}]}',
  '{"a":{"constructor":{"prototype":{}}},"context":{"__proto__":1}}',
])('%s is refused: outside of what is kept, a name must not change a prototype', (text) => {
  expect(() => parse(text)).toThrow(ForbiddenMember)
})

test('a constructor that is a plain member is one', () => {
  expect(parse('{"constructor":1}')).toEqual({ constructor: 1 })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type MacroContext,
  macrosIn,
  substituteMacros,
} from '../../../src/creative/macros/substitute-macros.ts'
import { isKnownMacro, UNIVERSAL_MACROS } from '../../../src/creative/macros/universal-macros.ts'

const PLACES: MacroContext[] = ['url', 'attribute', 'text']

test('spec 2.5: there are 75 universal macros, each once', () => {
  expect(UNIVERSAL_MACROS).toHaveLength(75)
  expect(new Set(UNIVERSAL_MACROS).size).toBe(75)
})

describe('spec 2.5: a macro is substituted', () => {
  test.each<[MacroContext, string, string]>([
    [
      'url',
      'a b&c=/?#[]@!$\'()*+,;:"<>%',
      'a%20b%26c%3D%2F%3F%23%5B%5D%40%21%24%27%28%29%2A%2B%2C%3B%3A%22%3C%3E%25',
    ],
    ['url', 'AZaz09-._~', 'AZaz09-._~'],
    ['url', 'Zu\u0308rich', 'Z%C3%BCrich'],
    ['url', '\ud800', '%EF%BF%BD'],
    ['attribute', '"><script>', '&quot;&gt;&lt;script&gt;'],
    ['text', "<b>Tom & 'Jo'</b>", '&lt;b&gt;Tom &amp; &#39;Jo&#39;&lt;/b&gt;'],
  ])('for a place of kind %s: %j becomes %j', (where, value, expected) => {
    expect(substituteMacros('<{CITY}>', { CITY: value }, { where })).toBe(`<${expected}>`)
  })

  test.each(PLACES)('once: a macro inside a value stays as it is, encoded as a %s', (where) => {
    const values = { CITY: '{COUNTRY}', COUNTRY: 'DE' }
    const result = substituteMacros('{CITY}', values, { where })
    expect(result).toBe(where === 'url' ? '%7BCOUNTRY%7D' : '{COUNTRY}')
  })

  test('wherever it stands, and an empty value leaves nothing', () => {
    const text = '{GDPR}{GDPR}x{CITY}'
    expect(substituteMacros(text, { GDPR: '1', CITY: '' }, { where: 'url' })).toBe('11x')
  })
})

test.each([
  '{CITY}',
  '[CACHEBUSTING]',
  '{city}',
  '{ CITY }',
  '{__proto__}',
  '{CONSTRUCTOR}',
  '${CITY',
])('spec 2.5: %j without a value stays', (text) => {
  for (const where of PLACES) {
    expect(substituteMacros(text, { COUNTRY: 'DE' }, { where })).toBe(text)
  }
})

test('spec 2.5: macros of the protocol and of the format are known, others are not', () => {
  const isKnown = (name: string) => isKnownMacro(name, { supported_macros: ['SCREEN_ID'] })
  expect(['CITY', 'SCREEN_ID', 'MY_OWN', 'toString'].filter(isKnown)).toEqual(['CITY', 'SCREEN_ID'])
})

test('the macros that were replaced are recorded, and those that found no room are not', () => {
  const room = (left: number) => ({ left, replaced: new Set<string>() })
  const [enough, little] = [room(100), room(3)]
  const values = { CITY: 'Bern', MY_OWN: '1', COUNTRY: 'CH' }
  expect(substituteMacros('{CITY} {MY_OWN} {OS}', values, { where: 'text', room: enough })).toBe(
    'Bern 1 {OS}',
  )
  expect([...enough.replaced]).toEqual(['CITY', 'MY_OWN'])
  expect(substituteMacros('{CITY}', values, { where: 'text', room: little })).toBeUndefined()
  expect([...little.replaced]).toEqual([])
})

test('the macros of a text are found, each once', () => {
  expect(macrosIn('{A} {B_2}{A} {b} [C] {}')).toEqual(['A', 'B_2'])
})

const name = fc.constantFrom('CITY', 'COUNTRY', 'CLICK_URL')
const piece = fc.oneof(
  fc.string(),
  name.map((one) => `{${one}}`),
)
const values = fc.dictionary(name, fc.string({ unit: 'binary' }))

test('whatever the text and the values, one pass replaces exactly the macros that have a value', () => {
  fc.assert(
    fc.property(fc.array(piece), values, fc.constantFrom(...PLACES), (pieces, given, where) => {
      const text = pieces.join('')
      const expected = text
        .split(/(\{(?:CITY|COUNTRY|CLICK_URL)\})/)
        .map((part, index) =>
          index % 2 === 1 && Object.hasOwn(given, part.slice(1, -1))
            ? substituteMacros(part, given, { where })
            : part,
        )
        .join('')
      expect(substituteMacros(text, given, { where })).toBe(expected)
    }),
  )
})

test('a value in a URL is unreserved characters and escapes, and decodes to its NFC form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const encoded = substituteMacros('{CITY}', { CITY: value }, { where: 'url' }) as string
      expect(encoded).toMatch(/^([A-Za-z0-9._~-]|%[0-9A-F]{2})*$/)
      expect(decodeURIComponent(encoded)).toBe(value.normalize('NFC'))
    }),
  )
})

test('a value in markup holds none of the characters that end a text or an attribute', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('attribute', 'text'),
      (value, where) => {
        const options = { where: where as MacroContext }
        expect(substituteMacros('{CITY}', { CITY: value }, options)).not.toMatch(/[<>"']/)
      },
    ),
  )
})

import fc from 'fast-check'
import { parse, serialize } from 'parse5'
import { describe, expect, test } from 'vitest'
import { substituteInHtml } from '../../../src/creative/macros/substitute-in-html.ts'

const values = { CITY: `<i>"O'Hare" & co`, CLICK_URL: 'https://a.example/?b=c d' }
const URL_VALUE = 'https%3A%2F%2Fa.example%2F%3Fb%3Dc%20d'
const TEXT_VALUE = '&lt;i&gt;&quot;O&#39;Hare&quot; &amp; co'

test('the macros that were replaced in markup are recorded, and those in comments are not', () => {
  const room = { left: 1_000, replaced: new Set<string>() }
  substituteInHtml('<!-- {CITY} --><a href="{CLICK_URL}">', values, room)
  expect([...room.replaced]).toEqual(['CLICK_URL'])
  const little = { left: 60, replaced: new Set<string>() }
  expect(substituteInHtml('<a href="{CLICK_URL}">{CITY}</a>', values, little)).toBeUndefined()
  expect([...little.replaced]).toEqual([])
})

describe('spec 2.5: in the markup of a creative a macro is encoded for where it stands', () => {
  test.each([
    ['<p>{CITY}</p>', `<p>${TEXT_VALUE}</p>`],
    ['<title>{CITY}</title>', `<title>${TEXT_VALUE}</title>`],
    ['<p title="{CITY}">', `<p title="${TEXT_VALUE}">`],
    ["<p title='{CITY}'>", `<p title='${TEXT_VALUE}'>`],
    ['<a href="{CLICK_URL}">', `<a href="${URL_VALUE}">`],
    ["<A HREF = 'x?u={CLICK_URL}'>", `<A HREF = 'x?u=${URL_VALUE}'>`],
    ['<p data-to="https://a/{CLICK_URL}">', `<p data-to="https://a/${URL_VALUE}">`],
    ['<p title={CLICK_URL}>', `<p title=${URL_VALUE}>`],
    ['<p onclick="go(\'{CLICK_URL}\')">', `<p onclick="go('${URL_VALUE}')">`],
    [
      '<script>var u = "{CLICK_URL}"</script>{CITY}',
      `<script>var u = "${URL_VALUE}"</script>${TEXT_VALUE}`,
    ],
    ['<style>a{b:url({CLICK_URL})}</style>', `<style>a{b:url(${URL_VALUE})}</style>`],
    ['<!-- {CITY} --><p>{CITY}', `<!-- {CITY} --><p>${TEXT_VALUE}`],
    ['{COUNTRY} [CITY] {city}', '{COUNTRY} [CITY] {city}'],
    ['1 < 2 {CITY}', `1 < 2 ${TEXT_VALUE}`],
  ])('%s', (html, expected) => {
    expect(substituteInHtml(html, values)).toBe(expected)
  })
})

test('everything but the macros stays byte for byte, whatever the markup', () => {
  const scrap = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '=',
    '/',
    ' ',
    'a',
    '<!--',
    '-->',
    '<script>',
    '</script>',
    '<p ',
    '&',
    '{',
    '}',
    '<title>',
    'x="',
    '\n',
    '<style',
    '{COUNTRY}',
  )
  fc.assert(
    fc.property(fc.array(scrap, { maxLength: 60 }), (scraps) => {
      const html = scraps.join('')
      expect(substituteInHtml(html, values)).toBe(html)
    }),
    { numRuns: 500 },
  )
})

test('a value never becomes a tag or an attribute', () => {
  const place = fc.constantFrom(
    '<p>{CITY}</p>',
    '<p title="{CITY}">x</p>',
    "<p title='{CITY}'>x</p>",
    '<p title={CITY}>x</p>',
    '<a href="{CITY}">x</a>',
    '<textarea>{CITY}</textarea>',
    '<script>a="{CITY}"</script>',
  )
  const shape = (html: string) =>
    serialize(parse(html)).replace(/="[^"]*"|>[^<]*</g, (found) => found.charAt(0))
  fc.assert(
    fc.property(place, fc.string({ unit: 'binary' }), (html, value) => {
      const plain = substituteInHtml(html, { CITY: 'x' }) as string
      expect(shape(substituteInHtml(html, { CITY: value }) as string)).toBe(shape(plain))
    }),
    { numRuns: 500 },
  )
})

test.each(['<!--', '<p a="', '<title>', '<p ', '< ', '<script><!--', '=', '<p ='])(
  'a huge document of %j is read',
  (scrap) => {
    const html = `${scrap.repeat(Math.ceil(500_000 / scrap.length))}{CITY}`
    expect(['string', 'undefined']).toContain(typeof substituteInHtml(html, values))
  },
)

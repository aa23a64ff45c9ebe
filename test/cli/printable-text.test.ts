import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fittedLines } from '../../src/cli/fitted-table.ts'
import { cutTo, printableText, widthOf } from '../../src/cli/printable-text.ts'
import { escapeControls } from '../../src/lib/escape-controls.ts'

test('escape sequences and controls of third parties are left out, other scripts stay', () => {
  const cases: [string, string][] = [
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007name', 'name'],
    ['\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001b]0;never ended', ''],
    ['\u001bcreset', 'reset'],
    ['\u009b31mred', '31mred'],
    ['two\r\nlines\tand\u2028three', 'two lines and three'],
    ['abc\u202egnp.exe', 'abcgnp.exe'],
    ['\u0000\u0008\u007fx', 'x'],
    ['क्‍ष مرحبا 広告 👩‍🚀', 'क्‍ष مرحبا 広告 👩‍🚀'],
  ]
  for (const [given, returned] of cases) expect(printableText(given)).toBe(returned)
})

test('nothing that a terminal obeys is left of any text', () => {
  const parts = fc.constantFrom(
    '\u001b',
    '[',
    ']',
    ';',
    '0',
    'm',
    '\u0007',
    '\\',
    '\u009b',
    '\n',
    'a',
  )
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: parts })), (text) => {
      expect(printableText(text)).not.toMatch(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u)
    }),
  )
})

test('JSON keeps its meaning when it is displayed', () => {
  fc.assert(
    fc.property(fc.json(), fc.string({ unit: 'binary' }), (json, text) => {
      const whole = JSON.stringify({ text, json })
      const returned = escapeControls(whole)
      expect(JSON.parse(returned)).toEqual(JSON.parse(whole))
      expect(returned).not.toMatch(/[\u0080-\u009f\u007f\u202e]/)
    }),
  )
})

test('a cut text takes no more columns than it may', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 1, max: 40 }),
      (text, columns) => {
        expect(widthOf(cutTo(printableText(text), columns))).toBeLessThanOrEqual(columns)
      },
    ),
  )
  expect([cutTo('広告広告', 5), cutTo('abc', 3), cutTo('abcd', 3)]).toEqual(['広告…', 'abc', 'ab…'])
})

test('a table fits its terminal, is aligned by what is seen, and is whole without one', () => {
  const table = {
    header: ['id', 'name', 'n'],
    rows: [
      ['a', 'x'.repeat(100), '1'],
      ['b', '広告', '1000'],
    ],
    right: new Set([2]),
  }
  const fitted = fittedLines(table, 40)
  for (const line of fitted) expect(widthOf(printableText(line))).toBeLessThanOrEqual(40)
  expect(fitted[1]).toMatch(/^a {3}x+…\s+1$/)
  expect(fitted[2]).toMatch(/^b {3}広告 +1000$/)
  expect(fittedLines(table, undefined)[1]).toContain('x'.repeat(100))
})

test('a table of many wide columns stops cutting before nothing can be read', () => {
  const wide = Array.from({ length: 10 }, (_, at) => `${at}${'y'.repeat(30)}`)
  const [, line = ''] = fittedLines({ header: wide, rows: [wide] }, 20)
  expect(line.split('  ')).toEqual(wide.map((cell) => `${cell.slice(0, 7)}…`))
})

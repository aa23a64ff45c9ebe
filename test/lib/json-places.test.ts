import { expect, test } from 'vitest'
import { jsonFault, linesOfPointers } from '../../src/lib/json-places.ts'

const TEXT = `{
  "a": [
    {"b": 1},
    {"b": "x\\"]y", "c/d": null}
  ],
  "e": {}
}`

test('a pointer has the line of its value, and a missing value that of what should hold it', () => {
  const lines = linesOfPointers(TEXT, [
    '',
    '/a',
    '/a/1/b',
    '/a/1/c~1d',
    '/a/1/missing',
    '/e/f/g',
    '/z',
  ])
  expect(Object.fromEntries(lines)).toEqual({
    '': 1,
    '/a': 2,
    '/a/1/b': 4,
    '/a/1/c~1d': 4,
    '/a/1/missing': 4,
    '/e/f/g': 6,
    '/z': 1,
  })
})

test.each([
  ['{"a": 1,\n}', 2, 1],
  ['{"a" 1}', 1, 6],
  ['[1 2]', 1, 4],
  ['{"a": tru}', 1, 7],
  ['[1]\n]', 2, 1],
  ['"never ends', 1, 1],
  ['', 1, 1],
  ['{"a": [1, 2}', 1, 12],
  ['{"a": "\\x"}', 1, 7],
])('%j stops being JSON at line %i, column %i', (text, line, column) => {
  expect(jsonFault(text)).toEqual({ line, column })
})

test('JSON has no fault', () => {
  expect(jsonFault(TEXT)).toBeUndefined()
})

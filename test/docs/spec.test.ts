// The specification inside the project: what comments and titles cite can be opened, and what it
// requires is tested.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { citedSections, sectionsOf, withFiles } from '../../scripts/spec-sections.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${ROOT}/docs/spec.md`, 'utf8')
const sections = sectionsOf(page)

/** The page's own words for what no part of the server does so far. */
const NOT_SERVED = '**Adwire:** not served yet'

test('docs/spec.md is what `npm run docs` writes', () => {
  expect(withFiles(page, ROOT)).toBe(page)
})

test('every section that a comment or a title of a test cites is there', () => {
  const known = new Set(sections.map(({ number }) => number))
  const cited = [...citedSections(ROOT, 'src').keys(), ...citedSections(ROOT, 'test').keys()]
  expect(cited.filter((number) => !known.has(number))).toEqual([])
})

test('every section with behaviour has a test, unless it says that it is not served yet', () => {
  const tested = citedSections(ROOT, 'test')
  const behaving = sections.filter(({ number, text }) => text !== '' && number !== '1')
  const untested = behaving
    .filter(({ text }) => !text.includes(NOT_SERVED))
    .filter(({ number }) => !tested.has(number))
  expect(untested.map(({ number }) => number)).toEqual([])
  const served = behaving.filter(({ text }) => text.includes(NOT_SERVED))
  expect(served.length).toBeLessThan(behaving.length / 4)
})

test('sections are in the order of their numbers, each once', () => {
  const numbers = sections.map(({ number }) => number)
  const sorted = [...numbers].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  expect(numbers).toEqual(sorted)
  expect(new Set(numbers).size).toBe(numbers.length)
})

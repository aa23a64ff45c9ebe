import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as limits from '../../src/creative/limits.ts'
import { limitsPage } from '../../src/creative/limits-page.ts'

const PAGE = new URL('../../docs/creative-limits.md', import.meta.url)

test('docs/creative-limits.md is what `npm run docs` writes', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(limitsPage())
})

test('every limit of the creative agent has a row, with its value', () => {
  const rows = new Map(limits.CREATIVE_LIMITS.map(({ name, value }) => [name, value]))
  const own = Object.entries(limits).filter(([name]) => name.startsWith('MAX_'))
  expect(own.length).toBeGreaterThan(25)
  for (const [name, value] of own) expect(rows.get(name), name).toBe(value)
})

import { expect, test } from 'vitest'
import * as limits from '../../src/creative/limits.ts'

test('every limit of the creative agent has a row, with its value', () => {
  const rows = new Map(limits.CREATIVE_LIMITS.map(({ name, value }) => [name, value]))
  const own = Object.entries(limits).filter(([name]) => name.startsWith('MAX_'))
  expect(own.length).toBeGreaterThan(25)
  for (const [name, value] of own) expect(rows.get(name), name).toBe(value)
})

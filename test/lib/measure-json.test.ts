import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLongerAsJson } from '../../src/lib/json-size.ts'
import { measureJson } from '../../src/lib/measure-json.ts'
import { isNestedTooDeep } from '../../src/lib/nesting.ts'

test('a value is too long or too deep exactly when the walks for one of both say so', async () => {
  const limits = fc.record({
    maxDepth: fc.integer({ min: 0, max: 5 }),
    maxChars: fc.integer({ min: 0, max: 200 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue({ maxDepth: 6 }),
      limits,
      async (value, { maxDepth, maxChars }) => {
        const measured = await measureJson(value, { maxDepth, maxChars })
        const isDeep = isNestedTooDeep(value, maxDepth)
        const isLong = isLongerAsJson(value, maxChars)
        expect(measured !== undefined).toBe(isDeep || isLong)
        if (measured === 'too_deep') expect(isDeep).toBe(true)
        if (measured === 'too_long') expect(isLong).toBe(true)
      },
    ),
  )
})

test('a large value is walked in slices: others are served in between', async () => {
  const rows = Array.from({ length: 200_000 }, () => ({ a: 1 }))
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const limits = { maxDepth: 10, maxChars: Number.POSITIVE_INFINITY }
  expect(await measureJson(rows, limits)).toBeUndefined()
  isOver = true
  expect(turns).toBeGreaterThan(0)
})

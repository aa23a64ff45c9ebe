import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs } from '../../src/lib/backoff.ts'

test('pauses double from the first to the longest and stay there', () => {
  const options = { firstMs: 300, maxMs: 2_000 }
  expect([1, 2, 3, 4, 5, 60].map((failures) => backoffMs(failures, options))).toEqual([
    300, 600, 1_200, 2_000, 2_000, 2_000,
  ])
})

test('a pause is never shorter than the one before, nor outside its bounds', () => {
  fc.assert(
    fc.property(
      fc.nat(1e6),
      fc.integer({ min: 1, max: 1e6 }),
      fc.nat(1e9),
      (failures, first, more) => {
        const options = { firstMs: first, maxMs: first + more }
        const pause = backoffMs(failures, options)
        expect(pause).toBeGreaterThanOrEqual(first)
        expect(pause).toBeLessThanOrEqual(options.maxMs)
        expect(backoffMs(failures + 1, options)).toBeGreaterThanOrEqual(pause)
      },
    ),
  )
})

import { expect, test } from 'vitest'
import { createCost, updateCost } from '../../src/media-buys/buy-cost.ts'
import type { BuyOutline } from '../../src/media-buys/store.ts'
import type { CallContext } from '../../src/protocol/task.ts'

const call = { principal: { principal_id: 'prn_a' } } as unknown as CallContext
const packages = (count: number, creatives: number) =>
  Array.from({ length: count }, () => ({
    creative_ids: Array.from({ length: creatives }, (_, n) => `c-${n}`),
  }))
/** A buy with the given number of packages and assignments. */
const stored = (package_count: number, assignments: number) =>
  updateCost(
    { countAssignments: async (_ids: unknown, most: number) => Math.min(assignments, most) },
    async () => ({ package_count }) as BuyOutline,
  )

test('H1: the cost of a new buy grows with packages × creatives, and the largest buy is accepted', async () => {
  const { estimate, limit } = createCost()
  const units = async (count: number, creatives: number) =>
    estimate({ packages: packages(count, creatives) }, call)
  const [small, wide, largest] = [await units(1, 1), await units(100, 1), await units(100, 100)]
  expect(small).toBeLessThan(1_000)
  expect(wide).toBeGreaterThan(10 * small)
  expect(largest).toBeGreaterThan(10 * wide)
  expect(largest).toBeLessThanOrEqual(limit)
})

test('H1: the cost of an update counts what the buy has already, up to the largest buy', async () => {
  const units = async (known: ReturnType<typeof stored>, count: number, creatives: number) =>
    known.estimate({ media_buy_id: 'mb_1', packages: packages(count, creatives) }, call)
  const small = await units(stored(1, 1), 1, 1)
  expect(small).toBeLessThan(1_000)
  expect(await units(stored(100, 10_000), 1, 1)).toBeGreaterThan(1_000)
  const largest = await units(stored(100, 1_000_000), 100, 100)
  expect(largest).toBeLessThanOrEqual(stored(0, 0).limit)
})

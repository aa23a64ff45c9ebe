import { expect, test } from 'vitest'
import { listCost, syncCost } from '../../src/creative/library-cost.ts'
import type { SyncCreativesRequest } from '../../src/protocol/schemas/sync-creatives.ts'
import type { CallContext } from '../../src/protocol/task.ts'

const call = { principal: { principal_id: 'prn_a' } } as unknown as CallContext
const library = (creatives: number, assignments = 0) => ({
  size: async () => ({ creatives, bytes: creatives * 1_024 }),
  bytesOf: async () => 0,
  countAssignments: async (_owner: string, most: number) => Math.min(assignments, most),
  countInBuys: async (_owner: string, _ids: unknown, most: number) => Math.min(assignments, most),
})
const ids = (count: number) => Array.from({ length: count }, (_, n) => `id-${n}`)
const sync = (count: number, over: Partial<SyncCreativesRequest> = {}): SyncCreativesRequest => ({
  creatives: ids(count).map((creative_id) => ({ creative_id })),
  ...over,
})

test('H1: the cost of a sync grows with creatives, their size and assignments in either form', async () => {
  const { estimate, limit } = syncCost(library(1_000))
  const one = await estimate(sync(1), call)
  expect(one).toBeLessThan(1_000)
  expect(await estimate(sync(100), call)).toBeGreaterThan(10 * one)

  const name = 'x'.repeat(1_024 * 1_024)
  expect(await estimate({ creatives: [{ creative_id: 'a', name }] }, call)).toBeGreaterThan(1_000)

  const byCreative = Object.fromEntries(ids(100).map((id) => [id, ids(100)]))
  const largest = await estimate(sync(100, { assignments: byCreative }), call)
  expect(largest).toBeGreaterThan(30_000)
  expect(largest).toBeLessThanOrEqual(limit)
  const listed = ids(1_000).map((package_id) => ({ creative_id: 'id-0', package_id }))
  expect(await estimate(sync(1, { assignments: listed }), call)).toBeGreaterThan(4_000)

  const tooMany = Object.fromEntries(ids(100).map((id) => [id, ids(1_000)]))
  expect(await estimate(sync(100, { assignments: tooMany }), call)).toBeGreaterThan(limit)
})

test('H1: a sync that archives what it does not name costs as much as the library is large', async () => {
  const units = (size: number, delete_missing: boolean) =>
    syncCost(library(size)).estimate(sync(1, { delete_missing }), call)
  expect(await units(50_000, false)).toBe(await units(10, false))
  expect(await units(50_000, true)).toBeGreaterThan(50_000)
})

test('H1: the cost of a list grows with the library, tags, the page and its assignments', async () => {
  const units = async (
    size: number,
    assignments: number,
    request: Parameters<ReturnType<typeof listCost>['estimate']>[0] = {},
  ) => listCost(library(size, assignments), { defaultPage: 50 }).estimate(request, call)
  const small = await units(50, 10)
  expect(small).toBeLessThan(1_000)
  expect(await units(10_000, 10)).toBeGreaterThan(small)
  expect(await units(50, 1_000_000)).toBeGreaterThan(5_000)
  expect(await units(50, 1_000_000, { include_assignments: false })).toBeLessThan(small)
  const page = await units(10_000, 10, { pagination: { max_results: 100 } })
  expect(page).toBeGreaterThan(await units(10_000, 10))
  expect(await units(10_000, 10, { filters: { tags: ids(20) } })).toBeGreaterThan(10 * page)
})

test('H1: the cost of a list grows with what is in the media buys of its filter, up to its limit', async () => {
  const inBuys = async (assignments: number) =>
    listCost(library(50, assignments), { defaultPage: 50 }).estimate(
      { filters: { media_buy_ids: ['mb_1'] }, include_assignments: false },
      call,
    )
  expect(await inBuys(10_000)).toBeGreaterThan(40_000)
  const { limit } = listCost(library(50), { defaultPage: 50 })
  expect(await inBuys(10_000)).toBeLessThan(limit)
  expect(await inBuys(1_000_000)).toBeGreaterThan(limit)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CallerRank } from '../../../src/signals/matching/rank-of-caller.ts'
import { goesBefore } from '../../../src/signals/matching/rank-of-caller.ts'
import { createSlices } from '../../../src/signals/matching/slices.ts'
import { sortInSlices } from '../../../src/signals/matching/sort-in-slices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const rank = (own: number, hasKey = true, crowd = own): CallerRank => ({ hasKey, own, crowd })

test('a search goes on while its slice is short, and gives others a turn when it is not', async () => {
  const resumed: string[] = []
  const slice = createSlices().begin(rank(5), () => resumed.push('a'))
  await slice.pause()
  expect(resumed).toEqual(['a'])
  vi.advanceTimersByTime(3)
  const paused = slice.pause()
  await pass(0)
  await paused
  expect(resumed).toEqual(['a', 'a'])
})

test('it stands aside while one that goes before it is under way, and goes on when that has ended', async () => {
  const slices = createSlices()
  const [flood, other] = [slices.begin(rank(50)), slices.begin(rank(0))]
  await pass(3)
  const order: string[] = []
  const aside = flood.pause().then(() => order.push('flood'))
  const onward = other.pause().then(() => order.push('other'))
  await pass(10)
  expect(order).toEqual(['other'])
  other.end()
  await Promise.all([aside, onward])
  expect(order).toEqual(['other', 'flood'])
  expect(vi.getTimerCount()).toBe(0)
})

test('equals hold up neither, and one that hangs holds up nobody for good', async () => {
  const slices = createSlices()
  const [one, equal, low] = [rank(1), rank(1), rank(9)].map((each) => slices.begin(each))
  await pass(3)
  const even = Promise.all([one?.pause(), equal?.pause()])
  await pass(0)
  await even
  const late = low?.pause()
  await pass(1_000)
  await late
})

test('among callers without a key each counts by its own use, beside a principal by all of theirs', () => {
  const crowd = 100
  const [loud, quiet] = [rank(90, false, crowd), rank(0, false, crowd)]
  expect(goesBefore(quiet, loud)).toBe(true)
  expect(goesBefore(quiet, rank(50))).toBe(false)
  expect(goesBefore(rank(50), quiet)).toBe(true)
  expect(goesBefore(rank(200), quiet)).toBe(false)
  expect(goesBefore(rank(1), rank(1))).toBe(false)
})

test('what is sorted in slices is sorted, with a pause now and then', async () => {
  const items = Array.from({ length: 10_000 }, (_, n) => (n * 7_919) % 10_007)
  let pauses = 0
  const sorted = await sortInSlices(items, {
    compare: (a, b) => a - b,
    pause: async () => void pauses++,
  })
  expect(sorted).toEqual([...items].sort((a, b) => a - b))
  expect(pauses).toBeGreaterThan(10)
  expect(await sortInSlices([], { compare: () => 0, pause: async () => {} })).toEqual([])
})

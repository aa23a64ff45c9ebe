import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CallerRank } from '../../../src/signals/matching/rank-of-caller.ts'
import { goesBefore } from '../../../src/signals/matching/rank-of-caller.ts'
import { createSlices } from '../../../src/signals/matching/slices.ts'
import { sortInSlices } from '../../../src/signals/matching/sort-in-slices.ts'
import { watchTimeouts } from '../../support/watch-timeouts.ts'

let timeouts = () => 0
beforeEach(() => {
  vi.useFakeTimers()
  timeouts = watchTimeouts('signals/matching/slices.ts')
})
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const rank = (own: number, hasKey = true, crowd = own): CallerRank => ({ hasKey, own, crowd })

test('a search continues while its slice is short, and gives others a turn when it is not', async () => {
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

test('it pauses while one that goes before it is running, and continues when that has ended', async () => {
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
  expect(timeouts()).toBe(0)
})

test('equals hold up neither, and one that hangs holds up no one for good', async () => {
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
  // A principal goes first, until it has used four times what all of them have.
  expect(goesBefore(rank(399), quiet)).toBe(true)
  expect(goesBefore(quiet, rank(399))).toBe(false)
  expect(goesBefore(rank(400), quiet)).toBe(false)
  expect(goesBefore(quiet, rank(400))).toBe(true)
  // And some searches it has free, however quiet they are.
  expect(goesBefore(rank(39), rank(0, false, 0))).toBe(true)
  expect(goesBefore(rank(40), rank(0, false, 0))).toBe(false)
  expect(goesBefore(rank(1), rank(1))).toBe(false)
})

test('there is always one that no one goes before', () => {
  const any = fc.record({ hasKey: fc.boolean(), own: fc.nat(500) })
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 6 }), fc.nat(100), (callers, crowd) => {
      const ranks = callers.map(({ hasKey, own }) => ({ hasKey, own, crowd: hasKey ? own : crowd }))
      const free = ranks.filter((one) => !ranks.some((other) => goesBefore(other, one)))
      expect(free.length).toBeGreaterThan(0)
    }),
  )
})

test('what a search uses counts at once: one that requests much gives way to one that has begun since', async () => {
  const slices = createSlices()
  const [long, short] = [slices.begin(rank(0)), slices.begin(rank(1))]
  await pass(3)
  const order: string[] = []
  const waiting = short.pause().then(() => order.push('short'))
  await pass(0)
  expect(order).toEqual([])
  // Texts that were put into vectors for it elsewhere.
  long.charge(100)
  const onward = long.pause().then(() => order.push('long'))
  await pass(0)
  await waiting
  short.end()
  await onward
  expect(order).toEqual(['short', 'long'])
  expect(long.usedMs()).toBeGreaterThanOrEqual(103)
})

test('while a search waits for what is done elsewhere it uses nothing', async () => {
  const slice = createSlices().begin(rank(0))
  const waited = slice.wait(new Promise((resolve) => setTimeout(resolve, 500)))
  await pass(500)
  await waited
  expect(slice.usedMs()).toBe(0)
  expect(slice.rank()).toEqual({ hasKey: true, own: 0, crowd: 0 })
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

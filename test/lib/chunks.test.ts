import { expect, test } from 'vitest'
import { eachChunk, groupsOf, mapPaced } from '../../src/lib/chunks.ts'

test('a list is worked on in chunks of at most this size, in its order', async () => {
  const seen: number[][] = []
  await eachChunk([1, 2, 3, 4, 5], 2, async (chunk) => void seen.push([...chunk]))
  expect(seen).toEqual([[1, 2], [3, 4], [5]])
  await eachChunk([], 2, async () => expect.unreachable())
})

test('H1: others run between chunks, and between entries, that take long', async () => {
  const order: string[] = []
  const busy = (ms: number) => {
    const until = performance.now() + ms
    while (performance.now() < until);
  }
  setImmediate(() => order.push('another caller'))
  await eachChunk([1, 2], 1, async (chunk) => {
    busy(20)
    order.push(`chunk ${chunk[0]}`)
  })
  expect(order).toEqual(['chunk 1', 'another caller', 'chunk 2'])
  order.length = 0
  setImmediate(() => order.push('another caller'))
  const mapped = await mapPaced([1, 2], (entry) => {
    busy(20)
    order.push(`entry ${entry}`)
    return entry * 2
  })
  expect(mapped).toEqual([2, 4])
  expect(order).toEqual(['entry 1', 'another caller', 'entry 2'])
})

test('neighbours are grouped up to a weight, and what is heavier stands alone', () => {
  const groups = (most: number, ...weights: number[]) => groupsOf(weights, (weight) => weight, most)
  expect(groups(5, 2, 3, 1, 9, 0, 5)).toEqual([[2, 3], [1], [9], [0, 5]])
  expect(groups(5)).toEqual([])
})

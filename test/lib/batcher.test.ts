import { expect, test } from 'vitest'
import { createBatcher } from '../../src/lib/batcher.ts'

test('what is requested in one tick is one batch, and each request gets its own result', async () => {
  const batches: number[][] = []
  const double = createBatcher<number, number>({
    maxItems: 10,
    run: async (items) => {
      batches.push([...items])
      return items.map((item) => item * 2)
    },
  })
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(await double(4)).toBe(8)
  expect(batches).toEqual([[1, 2, 3], [4]])
})

test('while a batch is under way the next one fills, up to its limit', async () => {
  const batches: number[] = []
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const echo = createBatcher<number, number>({
    maxItems: 3,
    run: async (items) => {
      batches.push(items.length)
      await gate
      return items
    },
  })
  const first = echo(0)
  await Promise.resolve()
  const others = [1, 2, 3, 4, 5].map(echo)
  release()
  expect(await Promise.all([first, ...others])).toEqual([0, 1, 2, 3, 4, 5])
  expect(batches).toEqual([1, 3, 2])
})

test('a batch that fails does so for the requests in it, and the next one continues', async () => {
  const run = createBatcher<string, string>({
    maxItems: 2,
    run: async (items) => {
      if (items.includes('bad')) throw new Error('no')
      return items
    },
  })
  const outcomes = await Promise.allSettled(['bad', 'a', 'b'].map(run))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('one that gathers a turn waits for what other callbacks of the turn ask', async () => {
  const batches: number[] = []
  const echo = createBatcher<number, number>({
    maxItems: 10,
    gathersTurn: true,
    run: async (items) => {
      batches.push(items.length)
      return items
    },
  })
  // Each in a callback of its own, as requests come.
  const requested = [1, 2, 3].map(
    (item) => new Promise((resolve) => process.nextTick(() => resolve(echo(item)))),
  )
  expect(await Promise.all(requested)).toEqual([1, 2, 3])
  expect(batches).toEqual([3])
})

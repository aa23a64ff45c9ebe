import { expect, test } from 'vitest'
import { createPacer } from '../../src/lib/pacer.ts'

test('H1: timers and sockets are served between two slices', async () => {
  const pacer = createPacer({ sliceMs: 0 })
  const order: string[] = []
  setImmediate(() => order.push('another caller'))
  expect(pacer.isDue()).toBe(true)
  await pacer.pause()
  order.push('the loop')
  expect(order).toEqual(['another caller', 'the loop'])
})

test('H1: of many paced loops one is resumed per round of the event loop, in turn', async () => {
  const rounds: string[][] = [[]]
  const endRound = () => {
    rounds.push([])
    if (rounds.length < 5) setImmediate(endRound)
  }
  const loop = async (name: string) => {
    await createPacer({ sliceMs: 0 }).pause()
    rounds.at(-1)?.push(name)
  }
  const loops = ['a', 'b', 'c'].map(loop)
  setImmediate(endRound)
  await Promise.all(loops)
  expect(rounds.filter((names) => names.length > 0)).toEqual([['a'], ['b'], ['c']])
})

test('H1: loops inside transactions get two rounds of three, in turn, and starve no one', async () => {
  const order: string[] = []
  const loop = async (name: string, isInTransaction: boolean) => {
    const pacer = createPacer({ sliceMs: 0, isInTransaction })
    for (let n = 0; n < 4; n++) {
      await pacer.pause()
      order.push(name)
    }
  }
  await Promise.all([loop('other', false), loop('a', true), loop('b', true)])
  const transactions = order.filter((name) => name !== 'other')
  expect(transactions).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'])
  expect(order.slice(0, 9).filter((name) => name === 'other')).toHaveLength(3)
})

test('H1: short loops in one turn of the event loop count together', async () => {
  await new Promise((resolve) => setImmediate(resolve))
  const first = createPacer({ sliceMs: 30 })
  expect(first.isDue()).toBe(false)
  const until = performance.now() + 40
  while (performance.now() < until);
  expect(createPacer({ sliceMs: 30 }).isDue()).toBe(true)
  await first.pause()
  expect(createPacer({ sliceMs: 30 }).isDue()).toBe(false)
})

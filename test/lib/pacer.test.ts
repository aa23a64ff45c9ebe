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

test('H1: a loop inside a transaction is resumed before loops that waited already', async () => {
  const order: string[] = []
  const loop = async (name: string, isInTransaction: boolean) => {
    await createPacer({ sliceMs: 0, isInTransaction }).pause()
    order.push(name)
  }
  await Promise.all([loop('a', false), loop('b', false), loop('transaction', true)])
  expect(order).toEqual(['transaction', 'a', 'b'])
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

import { expect, test } from 'vitest'
import { createSlots } from '../../src/lib/slots.ts'

test('who finds no slot waits for one, in turn', async () => {
  const slots = createSlots(2)
  const order: string[] = []
  const take = (name: string) => slots.take().then((isTaken) => order.push(`${name} ${isTaken}`))
  const all = ['a', 'b', 'c', 'd'].map(take)
  await Promise.all(all.slice(0, 2))
  expect(order).toEqual(['a true', 'b true'])
  slots.free()
  await all[2]
  expect(order).toEqual(['a true', 'b true', 'c true'])
  slots.free()
  await all[3]
  expect(order.at(-1)).toBe('d true')
})

test('a slot that no one waits for is there for the next', async () => {
  const slots = createSlots(1)
  expect(await slots.take()).toBe(true)
  slots.free()
  expect(await slots.take()).toBe(true)
})

test('when closed, no one waits any longer', async () => {
  const slots = createSlots(1)
  await slots.take()
  const waits = slots.take()
  slots.close()
  expect(await waits).toBe(false)
  expect(await slots.take()).toBe(false)
})

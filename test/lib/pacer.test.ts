import { expect, test } from 'vitest'
import { createPacer } from '../../src/lib/pacer.ts'

test('H1: timers and sockets are served between two slices', async () => {
  const pacer = createPacer(0)
  const order: string[] = []
  setImmediate(() => order.push('another caller'))
  expect(pacer.isDue()).toBe(true)
  await pacer.pause()
  order.push('the loop')
  expect(order).toEqual(['another caller', 'the loop'])
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSweep } from '../../src/lib/sweep.ts'
import type { Transact } from '../../src/lib/transaction.ts'
import { eventually } from '../support/eventually.ts'

const transact: Transact = (work) => work({ now: async () => 5, wake: async () => {} })

function sweeping({ isTrusted = () => true, rounds = 3 }) {
  let left = rounds
  const swept: number[] = []
  const poller = createSweep({
    name: 'test',
    intervalMs: 1_000_000,
    transact,
    guard: { isTrusted },
    onFault: (error) => {
      throw error
    },
    sweep: async (now) => {
      swept.push(now)
      left -= 1
      return left > 0
    },
  })
  return { poller, swept }
}

test('it sweeps by the time of the database while there is more', async () => {
  const { poller, swept } = sweeping({})
  poller.start()
  await eventually(() => expect(swept).toEqual([5, 5, 5]))
  await poller.stop()
})

test('it sweeps nothing while the clock is not trusted', async () => {
  const { poller, swept } = sweeping({ isTrusted: () => false })
  poller.start()
  await nextTurn()
  await poller.stop()
  expect(swept).toEqual([])
})

test('others get their turn between two batches', async () => {
  const { poller, swept } = sweeping({ rounds: 1_000 })
  poller.start()
  let turns = 0
  while (swept.length < 1_000) {
    await nextTurn()
    turns += 1
  }
  expect(turns).toBeGreaterThanOrEqual(900)
  await poller.stop()
})

import { expect, test } from 'vitest'
import { createStartQueue } from '../../../src/transports/http/start-queue.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const by =
  (name: string, hasKey = false) =>
  () => ({ name, hasKey })

/** A queue whose slice is used up as soon as it begins. */
function busyQueue() {
  const queue = createStartQueue(0)
  const started: string[] = []
  // The first of a turn always starts.
  queue.add(by('first'), () => {})
  const add = (owner: string, hasKey = false) =>
    queue.add(by(owner, hasKey), () => started.push(owner))
  const drained = async () => {
    while (queue.waiting() > 0) await nextTurn()
    return started
  }
  return { queue, started, add, drained }
}

test('what fits into the slice of a turn starts at once', () => {
  const queue = createStartQueue(1_000)
  let started = 0
  for (let n = 0; n < 10; n++) queue.add(by('a'), () => started++)
  expect([started, queue.waiting()]).toEqual([10, 0])
})

test('a burst is spread over turns of the event loop, one start in each', async () => {
  const { queue, started, add } = busyQueue()
  for (let n = 0; n < 5; n++) add('a')
  expect([started.length, queue.waiting()]).toEqual([0, 5])
  await nextTurn()
  expect(started.length).toBeLessThan(5)
  while (queue.waiting() > 0) await nextTurn()
  expect(started).toHaveLength(5)
})

test('owners take turns: a crowd delays another by one start', async () => {
  const { add, drained } = busyQueue()
  for (let n = 0; n < 4; n++) add('crowd')
  add('other')
  expect(await drained()).toEqual(['crowd', 'other', 'crowd', 'crowd', 'crowd'])
})

test('many addresses without a key delay a caller with one by one start', async () => {
  const { add, drained } = busyQueue()
  for (let n = 0; n < 20; n++) add(`stranger ${n}`)
  add('prn_a', true)
  expect((await drained()).slice(0, 2)).toContain('prn_a')
})

test('keyed callers do not keep unknown callers out either', async () => {
  const { add, drained } = busyQueue()
  for (let n = 0; n < 20; n++) add(`prn_${n}`, true)
  add('stranger')
  expect((await drained()).slice(0, 2)).toContain('stranger')
})

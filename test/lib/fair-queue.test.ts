import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFairQueue, type FairQueue } from '../../src/lib/fair-queue.ts'
import { watchTimeouts } from '../support/watch-timeouts.ts'

const NEVER = new AbortController().signal

let timeouts = () => 0
beforeEach(() => {
  vi.useFakeTimers()
  timeouts = watchTimeouts('lib/fair-queue.ts')
})
afterEach(() => void vi.useRealTimers())

/** Takes turns in the background, and reports in which order they began. */
function house(turns: FairQueue) {
  const began: string[] = []
  const ends = new Map<string, () => void>()
  return {
    began,
    take: (owner: string, name: string, signal = NEVER, waitMs = 1_000) =>
      turns.take(owner, { waitMs, signal }).then((turn) => {
        began.push(turn === 'late' ? `${name} late` : name)
        if (turn !== 'late') ends.set(name, turn)
      }),
    end: async (name: string) => {
      ends.get(name)?.()
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

test('each owner has a fixed number at once, whatever the others have', async () => {
  const { take, began, end } = house(createFairQueue({ most: 10, perOwner: 2 }))
  for (const name of ['a1', 'a2', 'a3', 'a4']) void take('a', name)
  void take('b', 'b1')
  await vi.advanceTimersByTimeAsync(0)
  expect(began).toEqual(['a1', 'a2', 'b1'])
  await end('a1')
  expect(began).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('where there are not enough for all, owners take turns and each one’s own wait in line', async () => {
  const { take, began, end } = house(createFairQueue({ most: 1, perOwner: 1 }))
  void take('a', 'a0')
  for (const name of ['a1', 'a2', 'a3']) void take('a', name)
  for (const name of ['b1', 'b2']) void take('b', name)
  await vi.advanceTimersByTimeAsync(0)
  for (const name of ['a0', 'a1', 'b1', 'a2', 'b2']) await end(name)
  expect(began).toEqual(['a0', 'a1', 'b1', 'a2', 'b2', 'a3'])
})

test('who has waited long enough, or has gone, gets none and holds up no one', async () => {
  const { take, began, end } = house(createFairQueue({ most: 1, perOwner: 1 }))
  const gone = new AbortController()
  void take('a', 'a0')
  void take('a', 'a1', gone.signal)
  void take('a', 'a2', NEVER, 500)
  void take('a', 'a3')
  gone.abort()
  await vi.advanceTimersByTimeAsync(500)
  expect(began).toEqual(['a0', 'a1 late', 'a2 late'])
  await end('a0')
  expect(began.at(-1)).toBe('a3')
  expect(timeouts()).toBe(0)
})

test('a turn that is ended twice counts once', async () => {
  const turns = createFairQueue({ most: 1, perOwner: 1 })
  const first = await turns.take('a', { waitMs: 0, signal: NEVER })
  if (first === 'late') throw new Error('there was room')
  first()
  first()
  await turns.take('a', { waitMs: 0, signal: NEVER })
  const third = turns.take('a', { waitMs: 10, signal: NEVER })
  await vi.advanceTimersByTimeAsync(10)
  expect(await third).toBe('late')
})

test('however they come and go, no limit is passed and no one waits while there is room', async () => {
  const step = fc.record({
    owner: fc.constantFrom('a', 'b', 'c'),
    does: fc.constantFrom('take', 'end'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const turns = createFairQueue({ most: 4, perOwner: 2 })
      const running: { owner: string; end: () => void }[] = []
      const waiting: string[] = []
      for (const { owner, does } of steps) {
        if (does === 'end') running.splice(0, 1)[0]?.end()
        else {
          waiting.push(owner)
          void turns.take(owner, { waitMs: 1e6, signal: NEVER }).then((end) => {
            if (end === 'late') return
            waiting.splice(waiting.indexOf(owner), 1)
            running.push({ owner, end })
          })
        }
        await vi.advanceTimersByTimeAsync(0)
        const of = (name: string) => running.filter((one) => one.owner === name).length
        expect(running.length).toBeLessThanOrEqual(4)
        for (const name of ['a', 'b', 'c']) {
          expect(of(name)).toBeLessThanOrEqual(2)
          const isRoom = running.length < 4 && of(name) < 2
          if (isRoom) expect(waiting).not.toContain(name)
        }
      }
    }),
    { numRuns: 60 },
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFairQueue, type QueueLimits } from '../../../src/lib/workshop/fair-queue.ts'

const LIMITS: QueueLimits = {
  maxWaiting: 1_000,
  maxWaitingPerOwner: 1_000,
  maxBytes: 1e9,
  maxBytesPerOwner: 1e9,
}
const anybody = () => true
const job = (owner: string, n = 0, bytes = 0) => ({ owner, n, bytes })

test('owners are served in turn, and each in its own order', () => {
  const queue = createFairQueue<ReturnType<typeof job>>(LIMITS)
  for (const one of [job('a', 1), job('a', 2), job('a', 3), job('b', 1), job('c', 1)])
    queue.add(one)
  const taken = Array.from({ length: 5 }, () => queue.take(anybody))
  expect(taken.map((one) => `${one?.owner}${one?.n}`)).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
  expect(queue.take(anybody)).toBeUndefined()
})

test('an owner who may not run is passed over and keeps its turn', () => {
  const queue = createFairQueue<ReturnType<typeof job>>(LIMITS)
  for (const one of [job('a'), job('b'), job('b', 1)]) queue.add(one)
  expect(queue.take((owner) => owner !== 'a')?.owner).toBe('b')
  expect(queue.take(anybody)?.owner).toBe('a')
})

describe('it is full', () => {
  test('for an owner with as many jobs as one may have, and not for another', () => {
    const queue = createFairQueue({ ...LIMITS, maxWaitingPerOwner: 2 })
    expect([job('a'), job('a'), job('a'), job('b')].map(queue.add)).toEqual([
      'added',
      'added',
      'owner_full',
      'added',
    ])
  })

  test('for everybody when all together have too many', () => {
    const queue = createFairQueue({ ...LIMITS, maxWaiting: 2 })
    expect([job('a'), job('b'), job('c')].map(queue.add)).toEqual(['added', 'added', 'queue_full'])
  })

  test('by the bytes that wait too, but one job of any size may wait alone', () => {
    const queue = createFairQueue({ ...LIMITS, maxBytesPerOwner: 10, maxBytes: 25 })
    expect(queue.add(job('a', 0, 20))).toBe('added')
    expect(queue.add(job('a', 0, 1))).toBe('owner_full')
    expect(queue.add(job('b', 0, 5))).toBe('added')
    expect(queue.add(job('c', 0, 5))).toBe('queue_full')
    queue.take(anybody)
    expect(queue.add(job('c', 0, 5))).toBe('added')
  })
})

test('whatever is added, removed and taken, nothing is lost, given twice, or counted wrongly', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ add: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(20) }),
      fc.constant('take' as const),
      fc.record({ remove: fc.nat(50) }),
    ),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(steps, (all) => {
      const queue = createFairQueue<ReturnType<typeof job>>({
        maxWaiting: 12,
        maxWaitingPerOwner: 6,
        maxBytes: 100,
        maxBytesPerOwner: 60,
      })
      const waiting: ReturnType<typeof job>[] = []
      for (const [n, step] of all.entries()) {
        if (step === 'take') {
          const taken = queue.take(anybody)
          expect(taken === undefined).toBe(waiting.length === 0)
          if (!taken) continue
          // The oldest of its owner.
          expect(waiting.find(({ owner }) => owner === taken.owner)).toBe(taken)
          waiting.splice(waiting.indexOf(taken), 1)
        } else if ('remove' in step) {
          const one = waiting[step.remove]
          expect(one ? queue.remove(one) : false).toBe(one !== undefined)
          if (one) waiting.splice(step.remove, 1)
          if (one) expect(queue.remove(one)).toBe(false)
        } else {
          const one = job(step.add, n, step.bytes)
          if (queue.add(one) === 'added') waiting.push(one)
        }
        expect(queue.size).toBe(waiting.length)
        expect(queue.size).toBeLessThanOrEqual(12)
      }
      expect(new Set(queue.clear())).toEqual(new Set(waiting))
      expect(queue.size).toBe(0)
    }),
  )
})

test('between two turns of an owner, everybody else who waits has had one', () => {
  const owners = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(owners, (names) => {
      const queue = createFairQueue<ReturnType<typeof job>>(LIMITS)
      for (const name of names) queue.add(job(name))
      const left = new Map<string, number>()
      for (const name of names) left.set(name, (left.get(name) ?? 0) + 1)
      let since = new Set<string>()
      for (let taken = queue.take(anybody); taken; taken = queue.take(anybody)) {
        const { owner } = taken
        if (since.has(owner)) {
          const others = [...left].filter(([name, count]) => name !== owner && count > 0)
          expect(others.every(([name]) => since.has(name))).toBe(true)
          since = new Set()
        }
        since.add(owner)
        left.set(owner, (left.get(owner) ?? 0) - 1)
      }
    }),
  )
})

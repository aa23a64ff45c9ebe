import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFairBounds, type QueueLimits } from '../../../src/lib/worker-pool/fair-bounds.ts'

const LIMITS: QueueLimits = {
  maxWaiting: 1_000,
  maxWaitingPerOwner: 1_000,
  maxBytes: 1e9,
  maxBytesPerOwner: 1e9,
}
const job = (owner: string, bytes = 0) => ({ owner, bytes })

describe('it is full', () => {
  test('for an owner with as many jobs as one may have, and not for another', () => {
    const bounds = createFairBounds({ ...LIMITS, maxWaitingPerOwner: 2 })
    expect([job('a'), job('a'), job('a'), job('b')].map(bounds.add)).toEqual([
      'added',
      'added',
      'owner_full',
      'added',
    ])
  })

  test('for everyone when all together have too many', () => {
    const bounds = createFairBounds({ ...LIMITS, maxWaiting: 2 })
    expect([job('a'), job('b'), job('c')].map(bounds.add)).toEqual(['added', 'added', 'queue_full'])
  })

  test('by the bytes that wait too, but one job of any size may wait alone', () => {
    const bounds = createFairBounds({ ...LIMITS, maxBytesPerOwner: 10, maxBytes: 25 })
    expect(bounds.add(job('a', 20))).toBe('added')
    expect(bounds.add(job('a', 1))).toBe('owner_full')
    expect(bounds.add(job('b', 5))).toBe('added')
    expect(bounds.add(job('c', 5))).toBe('queue_full')
    bounds.remove(job('a', 20))
    expect(bounds.add(job('c', 5))).toBe('added')
  })
})

test('an owner may have no more waiting than there is room left, so there is room for the next one', () => {
  const bounds = createFairBounds({ ...LIMITS, maxWaiting: 16 })
  const most = (owner: string) => {
    let added = 0
    while (bounds.add(job(owner)) === 'added') added += 1
    return added
  }
  expect(['a', 'b', 'c', 'd'].map(most)).toEqual([8, 4, 2, 1])
})

test('whatever is added and removed, the limits hold and nothing stays counted', () => {
  const steps = fc.array(
    fc.record({
      owner: fc.constantFrom('a', 'b', 'c'),
      bytes: fc.nat(20),
      removes: fc.boolean(),
    }),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(steps, (all) => {
      const limits = { maxWaiting: 12, maxWaitingPerOwner: 6, maxBytes: 100, maxBytesPerOwner: 60 }
      const bounds = createFairBounds(limits)
      const waiting: ReturnType<typeof job>[] = []
      for (const { owner, bytes, removes } of all) {
        const one = job(owner, bytes)
        if (bounds.add(one) === 'added') waiting.push(one)
        const leaving = removes ? waiting.shift() : undefined
        if (leaving) bounds.remove(leaving)
        expect(waiting.length).toBeLessThanOrEqual(limits.maxWaiting)
        for (const name of ['a', 'b', 'c']) {
          const own = waiting.filter((held) => held.owner === name)
          expect(own.length).toBeLessThanOrEqual(limits.maxWaitingPerOwner)
        }
      }
      for (const one of waiting) bounds.remove(one)
      // As one that is empty.
      expect(bounds.add(job('d', 1_000))).toBe('added')
      bounds.remove(job('d', 1_000))
      expect(bounds.add(job('e', 100))).toBe('added')
    }),
  )
})

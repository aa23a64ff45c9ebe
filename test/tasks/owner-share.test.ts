import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOwnerShare } from '../../src/tasks/owner-share.ts'

const most = (share: ReturnType<typeof createOwnerShare>, owner: string) => {
  let taken = 0
  while (share.take(owner)) taken += 1
  return taken
}

test('one owner has half of the slots, the next half of what is left, and there is one for the last', () => {
  const share = createOwnerShare(16, [])
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map((owner) => most(share, owner))).toEqual([
    8, 4, 2, 1, 1, 0,
  ])
})

test('what runs already counts', () => {
  const share = createOwnerShare(4, ['a', 'a'])
  expect(share.full()).toEqual(['a'])
  expect(share.take('a')).toBe(false)
  expect(share.take('b')).toBe(true)
  expect(share.full().sort()).toEqual(['a', 'b'])
})

test('whichever owners take slots, no more are taken than exist, and an owner with none gets one while some are free', () => {
  const takes = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 60 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 32 }), takes, (slots, owners) => {
      const share = createOwnerShare(slots, [])
      const held = new Map<string, number>()
      let left = slots
      for (const owner of owners) {
        const had = held.get(owner) ?? 0
        const isTaken = share.take(owner)
        expect(isTaken).toBe(had < left)
        if (!isTaken) continue
        held.set(owner, had + 1)
        left -= 1
      }
      expect(left).toBeGreaterThanOrEqual(0)
      expect(Math.max(0, ...held.values())).toBeLessThanOrEqual(Math.ceil(slots / 2))
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keepBest } from '../../../src/signals/matching/best.ts'

test('keeps what sorting everything would put first, whatever the order it comes in', () => {
  const offers = fc.uniqueArray(fc.tuple(fc.nat(500), fc.integer({ min: 0, max: 9 })), {
    selector: ([item]) => item,
  })
  fc.assert(
    fc.property(offers, fc.nat(20), (all, size) => {
      const best = keepBest(size, (a, b) => a < b)
      for (const [item, score] of all) best.offer(item, score)
      const sorted = [...all].sort((a, b) => b[1] - a[1] || a[0] - b[0])
      expect(best.take().map(({ item }) => item)).toEqual(
        sorted.slice(0, size).map(([item]) => item),
      )
    }),
  )
})

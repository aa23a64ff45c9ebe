import { expect, test } from 'vitest'
import { createUsageQuota } from '../../src/lib/usage-quota.ts'

test('an owner takes no more than its share, and has it again when it gave it back', () => {
  const shares = createUsageQuota({ max: 100, maxOfOne: 40 })
  expect(shares.take('a', 30)).toBe('taken')
  expect(shares.take('a', 11)).toBe('own_full')
  expect(shares.take('a', 10)).toBe('taken')
  shares.give('a', 40)
  expect(shares.take('a', 40)).toBe('taken')
})

test('all together take no more than there is', () => {
  const shares = createUsageQuota({ max: 100, maxOfOne: 40 })
  for (const owner of ['a', 'b']) expect(shares.take(owner, 40)).toBe('taken')
  expect(shares.take('c', 21)).toBe('all_full')
  expect(shares.take('c', 20)).toBe('taken')
  shares.give('a', 40)
  expect(shares.take('d', 40)).toBe('taken')
})

test('one is taken where nothing else is said', () => {
  const shares = createUsageQuota({ max: 3, maxOfOne: 2 })
  expect([1, 2, 3].map(() => shares.take('a'))).toEqual(['taken', 'taken', 'own_full'])
  shares.give('a')
  expect(shares.take('a')).toBe('taken')
})

import { expect, test } from 'vitest'
import { createHeadroom, isFar } from '../../../../src/storage/stores/organizations/quota-usage.ts'

test('who was seen far from a limit may add a small share of the room without another look', () => {
  const headroom = createHeadroom()
  expect(headroom.take('a', 1)).toBe(false)
  headroom.note('a', 1_280)
  expect(Array.from({ length: 11 }, () => headroom.take('a', 1)).filter(Boolean)).toHaveLength(10)
  expect(headroom.take('b', 1)).toBe(false)
  headroom.note('a', 1_280)
  expect([headroom.take('a', 11), headroom.take('a', 10), headroom.take('a', 1)]).toEqual([
    false,
    true,
    false,
  ])
})

test('near a limit, and where it is small, every one is looked at', () => {
  const headroom = createHeadroom()
  headroom.note('a', 127)
  expect(headroom.take('a', 1)).toBe(false)
  expect([isFar(0, 1, 199), isFar(0, 1, 200), isFar(9_800, 1, 10_000)]).toEqual([false, true, true])
  expect([isFar(9_801, 1, 10_000), isFar(0, 51, 10_000)]).toEqual([false, false])
})

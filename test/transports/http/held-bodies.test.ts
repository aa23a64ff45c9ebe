import { expect, test } from 'vitest'
import { createHeldBodies } from '../../../src/transports/http/held-bodies.ts'

test('a caller holds no more than its share, and has it again when it is answered', () => {
  const held = createHeldBodies({ maxBytes: 100, maxBytesOfOne: 40 })
  expect(held.hold('a', 30)).toBe('held')
  expect(held.hold('a', 11)).toBe('caller_full')
  expect(held.hold('a', 10)).toBe('held')
  held.release('a', 40)
  expect(held.hold('a', 40)).toBe('held')
})

test('all callers together hold no more than there is', () => {
  const held = createHeldBodies({ maxBytes: 100, maxBytesOfOne: 40 })
  for (const caller of ['a', 'b']) expect(held.hold(caller, 40)).toBe('held')
  expect(held.hold('c', 21)).toBe('all_full')
  expect(held.hold('c', 20)).toBe('held')
  held.release('a', 40)
  expect(held.hold('d', 40)).toBe('held')
})

import { expect, test } from 'vitest'
import { createRateLimit } from '../../src/lib/token-bucket.ts'
import { fakeClock } from '../support/fake-clock.ts'

const many = (take: () => { ok: boolean }, count: number) =>
  Array.from({ length: count }, take).filter(({ ok }) => ok).length

test('a caller has a minute of tokens at once and then as many as refill', () => {
  const clock = fakeClock()
  const limit = createRateLimit({ clock, perMinute: 60 })
  expect(many(() => limit.take('a'), 100)).toBe(60)
  clock.advance(3_000)
  expect(many(() => limit.take('a'), 100)).toBe(3)
})

test('a refusal says after how many seconds there is a token, and there is one then', () => {
  const clock = fakeClock()
  const limit = createRateLimit({ clock, perMinute: 4 })
  many(() => limit.take('a'), 4)
  const refused = limit.take('a')
  if (refused.ok) throw new Error('the bucket is empty')
  expect(refused.retryAfterSeconds).toBe(15)
  clock.advance(refused.retryAfterSeconds * 1_000)
  expect(limit.take('a')).toEqual({ ok: true })
  expect(limit.take('a').ok).toBe(false)
})

test('callers do not share their tokens', () => {
  const limit = createRateLimit({ clock: fakeClock(), perMinute: 1 })
  expect(limit.take('a').ok).toBe(true)
  expect(limit.take('b').ok).toBe(true)
  expect(limit.take('a').ok).toBe(false)
})

test('a bucket holds no more than a minute of tokens however long no one asks', () => {
  const clock = fakeClock()
  const limit = createRateLimit({ clock, perMinute: 5 })
  limit.take('a')
  clock.advance(3_600_000)
  expect(many(() => limit.take('a'), 100)).toBe(5)
})

test('of more callers than are remembered the longest unseen is forgotten', () => {
  const limit = createRateLimit({ clock: fakeClock(), perMinute: 1, maxCallers: 2 })
  limit.take('old')
  limit.take('busy')
  limit.take('busy')
  limit.take('new')
  expect(limit.take('busy').ok).toBe(false)
  expect(limit.take('old').ok).toBe(true)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AttemptOutcome,
  type AttemptTimes,
  checkAttempt,
  HORIZON_MS,
} from '../../../src/webhooks/sender/retry-policy.ts'

const NOW = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

const answered = (code: number, retryAfter?: string): AttemptOutcome => ({
  status: code >= 200 && code < 300 ? 'success' : 'failed',
  http_status_code: code,
  retryAfter,
})
const times = (changes: Partial<AttemptTimes> = {}): AttemptTimes => ({
  scheduledAttempt: 1,
  now: NOW,
  expires_at: NOW + HORIZON_MS,
  random: 0.5,
  ...changes,
})
const pauseOf = (outcome: AttemptOutcome, changes: Partial<AttemptTimes> = {}) => {
  const { next } = checkAttempt(outcome, times(changes))
  return next.state === 'pending' ? next.inMs : next.state
}

describe('spec 6.4: what follows an answer', () => {
  test.each([
    ...[200, 201, 202, 204, 206, 299].map((code) => [code, 'delivered', 'up'] as const),
    ...[300, 301, 302, 303, 304, 307, 308].map((code) => [code, 'exhausted', 'nothing'] as const),
    ...[400, 403, 404, 405, 406, 409, 413, 415, 422, 451].map(
      (code) => [code, 'exhausted', 'nothing'] as const,
    ),
    ...[401, 408, 425].map((code) => [code, 'pending', 'nothing'] as const),
    [429, 'pending', 'down'] as const,
    ...[500, 501, 502, 503, 504, 507, 599, 999].map((code) => [code, 'pending', 'down'] as const),
  ])('%i: the delivery is %s and says %s of the endpoint', (code, state, says) => {
    const checked = checkAttempt(answered(code), times())
    expect(checked).toMatchObject({ next: { state }, says, isGone: false })
  })

  test('410 ends the delivery and says that the receiver is gone', () => {
    const checked = checkAttempt(answered(410), times())
    expect(checked).toMatchObject({ next: { state: 'exhausted' }, says: 'nothing', isGone: true })
  })

  test.each(['timeout', 'connection_error'] as const)('a %s is tried again', (status) => {
    const checked = checkAttempt({ status, http_status_code: undefined }, times())
    expect(checked).toMatchObject({ next: { state: 'pending' }, says: 'down', isGone: false })
  })

  test('what was not sent by a fault of ours is tried again and says nothing', () => {
    const checked = checkAttempt({ status: 'failed', http_status_code: undefined }, times())
    expect(checked).toMatchObject({ next: { state: 'pending' }, says: 'nothing' })
  })
})

describe('spec 6.4: when the next attempt is made', () => {
  test('after 1 s, 5 s, 30 s, 5 min, 30 min, 2 h, 5 h and 10 h, and then no more', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((scheduledAttempt) =>
      pauseOf(answered(503), { scheduledAttempt }),
    )
    const seconds = [1, 5, 30, 300, 1_800, 7_200, 18_000, 36_000]
    expect(pauses).toEqual([...seconds.map((pause) => pause * 1_000), 'exhausted'])
  })

  test('spread by a quarter in either direction', () => {
    expect(pauseOf(answered(503), { scheduledAttempt: 2, random: 0 })).toBe(3_750)
    expect(pauseOf(answered(503), { scheduledAttempt: 2, random: 1 })).toBe(6_250)
  })

  test('never at or after the horizon', () => {
    expect(pauseOf(answered(503), { expires_at: NOW + 1_000 })).toBe('exhausted')
    expect(pauseOf(answered(503), { expires_at: NOW + 1_001 })).toBe(1_000)
  })

  test.each([
    ['seconds', '120', 120_000],
    ['zero', '0', 1_000],
    ['less than the schedule', '1', 1_000],
    ['seconds with spaces', ' 7 ', 7_000],
    ['a year', '31536000', HOUR],
    ['an absurd number', '9'.repeat(400), HOUR],
    ['a date', 'Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['a date of RFC 850', 'Thursday, 01-Jan-26 00:02:00 GMT', 120_000],
    ['a date of asctime', 'Thu Jan  1 00:02:00 2026', 120_000],
    ['a date in the past', 'Thu, 01 Jan 2015 00:00:00 GMT', 1_000],
    ['a date in a year', 'Fri, 01 Jan 2027 00:00:00 GMT', HOUR],
    ['a date that is none', 'Thu, 99 Jan 2026 99:99:99 GMT', 1_000],
    ['garbage', 'soon', 1_000],
    ['a negative number', '-5', 1_000],
    ['a fraction', '1.5e9', 1_000],
    ['two values', '60, 120', 1_000],
    ['nothing', '', 1_000],
  ])('a Retry-After of %s is honoured within bounds', (_what, retryAfter, pause) => {
    for (const code of [401, 408, 425, 429, 500, 503]) {
      expect(pauseOf(answered(code, retryAfter))).toBe(pause)
    }
  })

  test('a Retry-After never shortens the schedule, not even past an hour', () => {
    expect(pauseOf(answered(429, '60'), { scheduledAttempt: 6 })).toBe(2 * HOUR)
  })

  test('a Retry-After does not revive what is not tried again', () => {
    expect(pauseOf(answered(400, '5'))).toBe('exhausted')
    expect(pauseOf(answered(302, '5'))).toBe('exhausted')
  })

  const anyOutcome: fc.Arbitrary<AttemptOutcome> = fc.oneof(
    fc
      .record({
        code: fc.integer({ min: 200, max: 999 }),
        retryAfter: fc.option(fc.oneof(fc.string(), fc.nat().map(String)), { nil: undefined }),
      })
      .map(({ code, retryAfter }) => answered(code, retryAfter)),
    fc.constantFrom('timeout' as const, 'connection_error' as const).map((status) => ({
      status,
      http_status_code: undefined,
    })),
  )
  const anyTimes = fc.record({
    scheduledAttempt: fc.integer({ min: 1, max: 20 }),
    now: fc.integer({ min: NOW, max: NOW + 2 * HORIZON_MS }),
    expires_at: fc.constant(NOW + HORIZON_MS),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  })

  test('whatever happened, the next attempt is before the horizon and a whole time away', () => {
    fc.assert(
      fc.property(anyOutcome, anyTimes, (outcome, at) => {
        const { next, says, isGone } = checkAttempt(outcome, at)
        if (next.state === 'pending') {
          expect(Number.isInteger(next.inMs) && next.inMs >= 750).toBe(true)
          expect(next.inMs).toBeLessThanOrEqual(12.5 * HOUR)
          expect(at.now + next.inMs).toBeLessThan(at.expires_at)
        }
        expect(next.state === 'delivered').toBe(says === 'up')
        expect(next.state === 'delivered').toBe(outcome.status === 'success')
        expect(isGone).toBe(outcome.http_status_code === 410)
      }),
    )
  })

  test('however it fails and whatever it requests, a delivery ends within nine attempts', () => {
    fc.assert(
      fc.property(fc.array(anyOutcome, { minLength: 9, maxLength: 9 }), (outcomes) => {
        let now = NOW
        const states = outcomes.map((outcome, index) => {
          const at = times({ scheduledAttempt: index + 1, now })
          const { next } = checkAttempt(outcome, at)
          if (next.state === 'pending') now += next.inMs
          return next.state
        })
        expect(states.some((state) => state !== 'pending')).toBe(true)
        expect(now).toBeLessThan(NOW + HORIZON_MS)
      }),
    )
  })
})

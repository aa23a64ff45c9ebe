import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSteadyRate } from '../../src/lib/steady-rate.ts'

function rateAt(perMinute: number) {
  let time = 0
  const rate = createSteadyRate({ perMinute, now: () => time })
  const pass = (ms: number) => {
    time += ms
  }
  return { rate, pass }
}

test('gives a second’s worth at first, and then as much as time brings', () => {
  const { rate, pass } = rateAt(600)
  expect(rate.available()).toBe(10)
  rate.take(10)
  expect(rate.available()).toBe(0)
  expect(rate.untilNextMs()).toBe(100)
  pass(99)
  expect(rate.available()).toBe(0)
  pass(1)
  expect(rate.available()).toBe(1)
  expect(rate.untilNextMs()).toBe(0)
})

test('does not make up for a pause in a burst', () => {
  const { rate, pass } = rateAt(600)
  pass(60_000)
  expect(rate.available()).toBe(10)
})

test('of less than one a second gives one at a time', () => {
  const { rate, pass } = rateAt(6)
  expect(rate.available()).toBe(1)
  rate.take(1)
  expect(rate.untilNextMs()).toBe(10_000)
  pass(10_000)
  expect(rate.available()).toBe(1)
})

test('over any time gives no more than its rate and one second', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.array(fc.nat(3_000), { maxLength: 50 }),
      (perMinute, pauses) => {
        const { rate, pass } = rateAt(perMinute)
        let taken = 0
        let passed = 0
        for (const pause of pauses) {
          const now = rate.available()
          rate.take(now)
          taken += now
          pass(pause)
          passed += pause
        }
        expect(taken).toBeLessThanOrEqual((perMinute / 60_000) * (passed + 1_000) + 1)
      },
    ),
  )
})

import { describe, expect, test } from 'vitest'
import { createSteadyClock } from '../../src/lib/create-steady-clock.ts'

const HOUR_MS = 3_600_000
const DAYS_400_MS = 400 * 24 * HOUR_MS
const START = Date.parse('2026-03-01T00:00:00Z')

/** A machine whose time passes, and whose clock can be set. */
function machine() {
  let passed = 0
  let offset = 0
  const jumps: { byMs: number; isFollowed: boolean }[] = []
  const clock = createSteadyClock({
    wall: { now: () => START + passed + offset },
    monotonic: () => passed,
  })
  clock.onJump((jump) => jumps.push(jump))
  return {
    clock,
    jumps,
    /** As time passes someone asks, at least every second. */
    pass: (ms: number) => {
      for (let left = ms; left > 0; left -= 1_000) {
        passed += Math.min(left, 1_000)
        clock.now()
      }
    },
    setBy: (ms: number) => {
      offset += ms
    },
    real: () => START + passed,
  }
}

test('it goes with the machine', () => {
  const { clock, pass, real, jumps } = machine()
  pass(24 * HOUR_MS)
  expect(clock.now()).toBe(real())
  expect(jumps).toEqual([])
})

describe.each([
  ['an hour ahead', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['400 days ahead', DAYS_400_MS],
  ['400 days back', -DAYS_400_MS],
])('a clock that is set %s', (_what, by) => {
  test('and right again after minutes changes nothing, and is noticed', () => {
    const { clock, pass, setBy, real, jumps } = machine()
    pass(HOUR_MS)
    setBy(by)
    pass(9 * 60_000)
    setBy(-by)
    expect(clock.now()).toBe(real())
    pass(HOUR_MS)
    expect(clock.now()).toBe(real())
    expect(jumps).toEqual([{ byMs: by, isFollowed: false }])
  })

  test('and stays so is followed after ten minutes', () => {
    const { clock, pass, setBy, real, jumps } = machine()
    setBy(by)
    pass(10 * 60_000)
    expect(Math.abs(clock.now() - real())).toBeLessThan(1_000)
    pass(2_000)
    expect(clock.now()).toBe(real() + by)
    expect(jumps.map(({ isFollowed }) => isFollowed)).toEqual([false, true])
  })

  test('again and again is followed only when it has stayed for ten minutes', () => {
    const { clock, pass, setBy, real } = machine()
    for (let n = 0; n < 50; n++) {
      setBy(n % 2 === 0 ? by : -by)
      pass(9 * 60_000)
      expect(clock.now()).toBe(real())
    }
  })
})

test('small differences, as a time server makes them, are no jump', () => {
  const { clock, pass, setBy, real, jumps } = machine()
  for (const ms of [500, -900, 1_500]) {
    setBy(ms)
    pass(60_000)
  }
  expect(clock.now()).toBe(real() + 1_100)
  expect(jumps).toEqual([])
})

test('small differences never make it go back', () => {
  const { clock, pass, setBy } = machine()
  let before = clock.now()
  for (let n = 0; n < 100; n++) {
    setBy(n % 2 === 0 ? -1_900 : 1_900)
    pass(500)
    expect(clock.now()).toBeGreaterThanOrEqual(before)
    before = clock.now()
  }
})

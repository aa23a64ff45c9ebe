import { describe, expect, test } from 'vitest'
import { createClockGuard } from '../../src/lib/clock-guard.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2026-03-01T00:00:00Z')

function guarded(lastSeen?: number) {
  let passed = 0
  let offset = 0
  const changes: { byMs: number; isTrusted: boolean }[] = []
  const guard = createClockGuard({
    onChange: (change) => changes.push(change),
    lastSeen,
    monotonic: () => passed,
  })
  return {
    changes,
    ask: () => guard.isTrusted(START + passed + offset),
    pass: (ms: number) => {
      passed += ms
    },
    setBy: (ms: number) => {
      offset += ms
    },
  }
}

test('a clock that goes as time does is trusted, and so is one that drifts', () => {
  const { ask, pass, setBy, changes } = guarded()
  for (let n = 0; n < 100; n++) {
    expect(ask()).toBe(true)
    pass(10 * MINUTE_MS)
    setBy(30_000)
  }
  expect(changes).toEqual([])
})

describe.each([HOUR_MS, -HOUR_MS, 400 * DAY_MS, -400 * DAY_MS])(
  'a clock that jumps by %d ms',
  (by) => {
    test('is not trusted, and again as soon as it is back', () => {
      const { ask, pass, setBy, changes } = guarded()
      ask()
      pass(MINUTE_MS)
      setBy(by)
      for (let n = 0; n < 5; n++) {
        expect(ask()).toBe(false)
        pass(10 * MINUTE_MS)
      }
      setBy(-by)
      expect(ask()).toBe(true)
      expect(changes.map(({ isTrusted }) => isTrusted)).toEqual([false, true])
      expect(changes[0]?.byMs).toBe(by)
    })

    test('is trusted when the jump has lasted an hour', () => {
      const { ask, pass, setBy } = guarded()
      ask()
      setBy(by)
      expect(ask()).toBe(false)
      pass(HOUR_MS - 1)
      expect(ask()).toBe(false)
      pass(1)
      expect(ask()).toBe(true)
      pass(HOUR_MS)
      expect(ask()).toBe(true)
    })

    test('begins its hour again when it jumps again', () => {
      const { ask, pass, setBy } = guarded()
      ask()
      setBy(by)
      ask()
      pass(50 * MINUTE_MS)
      setBy(2 * HOUR_MS)
      expect(ask()).toBe(false)
      pass(50 * MINUTE_MS)
      expect(ask()).toBe(false)
      pass(10 * MINUTE_MS)
      expect(ask()).toBe(true)
    })
  },
)

describe('at the start', () => {
  test('a time shortly after the last one that was noted is trusted', () => {
    expect(guarded(START - 12 * HOUR_MS).ask()).toBe(true)
  })

  test.each([
    ['long after', START - 400 * DAY_MS],
    ['before', START + 2 * HOUR_MS],
  ])('a time %s the last one is trusted after an hour', (_what, lastSeen) => {
    const { ask, pass, changes } = guarded(lastSeen)
    expect(ask()).toBe(false)
    pass(59 * MINUTE_MS)
    expect(ask()).toBe(false)
    pass(MINUTE_MS)
    expect(ask()).toBe(true)
    expect(changes).toHaveLength(2)
  })

  test('a machine that starts with a wrong clock and then sets it right deletes nothing by the wrong one', () => {
    const { ask, pass, setBy } = guarded(START - MINUTE_MS)
    setBy(400 * DAY_MS)
    expect(ask()).toBe(false)
    pass(5 * MINUTE_MS)
    setBy(-400 * DAY_MS)
    expect(ask()).toBe(true)
  })
})

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { earlierClock, laterClock, steadyClock } from '../../src/lib/steady-clock.ts'

const HOUR_MS = 3_600_000

describe('the clocks of this process, when that of the machine is set', () => {
  function setBy(ms: number): number {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const before = steadyClock.now()
    vi.setSystemTime(Date.now() + ms)
    return before
  }
  /** A test may take a while, but not that long. */
  const expectNear = (time: number, at: number) =>
    expect(Math.abs(time - at)).toBeLessThan(5 * 60_000)

  test('back an hour: an expired signature stays expired, and nonces are kept an hour longer', () => {
    const before = setBy(-HOUR_MS)
    expectNear(steadyClock.now(), before)
    expectNear(laterClock.now(), before)
    expectNear(earlierClock.now(), before - HOUR_MS)
  })

  test('ahead an hour: signatures expire by that time, and no nonce is forgotten by it', () => {
    const before = setBy(HOUR_MS)
    expectNear(steadyClock.now(), before)
    expectNear(laterClock.now(), before + HOUR_MS)
    expectNear(earlierClock.now(), before)
  })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pause } from '../../src/lib/pause.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([3e9, 1e13, Number.POSITIVE_INFINITY])(
  'a pause of %d ms, longer than a timer can hold, does not end at once',
  async (ms) => {
    const over = new AbortController()
    let isOver = false
    const paused = pause(ms, over.signal).then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(isOver).toBe(false)
    over.abort()
    await paused
  },
)

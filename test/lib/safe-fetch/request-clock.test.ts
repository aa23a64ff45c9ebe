import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startRequestClock } from '../../../src/lib/safe-fetch/request-clock.ts'
import { watchTimeouts } from '../../support/watch-timeouts.ts'

let timeouts = () => 0
beforeEach(() => {
  vi.useFakeTimers()
  timeouts = watchTimeouts('lib/safe-fetch/request-clock.ts')
})
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a request is cut when its time is over, and the reason says so', async () => {
  const clock = startRequestClock(1_000, undefined)
  await pass(999)
  expect(clock.signal.aborted).toBe(false)
  await pass(1)
  expect(clock.signal.reason).toMatchObject({ code: 'timeout' })
  expect(clock.elapsedMs()).toBe(1_000)
})

test('its time stands still while it waits for us, and runs on afterwards', async () => {
  const clock = startRequestClock(1_000, undefined)
  await pass(400)
  let release = (_value: string) => {}
  const waited = clock.onWait(
    new Promise<string>((resolve) => {
      release = resolve
    }),
  )
  await pass(60_000)
  expect(clock.signal.aborted).toBe(false)
  release('my turn')
  expect(await waited).toBe('my turn')
  expect(clock.elapsedMs()).toBe(400)
  await pass(599)
  expect(clock.signal.aborted).toBe(false)
  await pass(1)
  expect(clock.signal.aborted).toBe(true)
})

test('a caller that aborts cuts it, also while it waits, and nothing is left behind', async () => {
  const caller = new AbortController()
  const clock = startRequestClock(1_000, caller.signal)
  const waiting = clock.onWait(new Promise((resolve) => setTimeout(resolve, 50)))
  caller.abort()
  expect(clock.signal.reason).toMatchObject({ code: 'aborted' })
  await pass(50)
  await waiting
  clock.stop()
  expect(timeouts()).toBe(0)
})

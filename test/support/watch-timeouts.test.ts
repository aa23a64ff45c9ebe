import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withTimeout } from '../../src/lib/with-timeout.ts'
import { watchTimeouts } from './watch-timeouts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('timeouts of a file count until they fire or are cleared, those of others do not', async () => {
  const pending = watchTimeouts('lib/with-timeout.ts')
  setTimeout(() => {}, 1_000)
  const late = withTimeout(500, new Promise(() => {}))
  let finish = () => {}
  const done = withTimeout(
    500,
    new Promise<void>((resolve) => {
      finish = resolve
    }),
  )
  expect(pending()).toBe(2)
  finish()
  await done
  expect(pending()).toBe(1)
  await vi.advanceTimersByTimeAsync(500)
  await late
  expect(pending()).toBe(0)
})

test('real timers are back afterwards', () => {
  vi.useRealTimers()
  const { setTimeout: set, clearTimeout: clear } = globalThis
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  watchTimeouts('lib/with-timeout.ts')
  vi.useRealTimers()
  expect(globalThis.setTimeout).toBe(set)
  expect(globalThis.clearTimeout).toBe(clear)
})

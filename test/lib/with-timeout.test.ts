import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withTimeout } from '../../src/lib/with-timeout.ts'
import { watchTimeouts } from '../support/watch-timeouts.ts'

let timeouts = () => 0
beforeEach(() => {
  vi.useFakeTimers()
  timeouts = watchTimeouts('lib/with-timeout.ts')
})
afterEach(() => {
  vi.useRealTimers()
})

test('work that ends in time gives its value and leaves no timer', async () => {
  expect(await withTimeout(1_000, Promise.resolve(7))).toBe(7)
  expect(timeouts()).toBe(0)
})

test('work that fails in time fails, and leaves no timer', async () => {
  await expect(withTimeout(1_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(timeouts()).toBe(0)
})

test('work that does not end is late after its time and not before', async () => {
  const received = vi.fn()
  void withTimeout(1_000, new Promise(() => {})).then(received)
  await vi.advanceTimersByTimeAsync(999)
  expect(received).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(received).toHaveBeenCalledWith('late')
})

test('a failure that no one waits for any more disturbs no one', async () => {
  let fail = (_: Error) => {}
  const work = new Promise((_, reject) => {
    fail = reject
  })
  const waited = withTimeout(10, work)
  await vi.advanceTimersByTimeAsync(10)
  expect(await waited).toBe('late')
  fail(new Error('too late'))
  await vi.advanceTimersByTimeAsync(0)
})

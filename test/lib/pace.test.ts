import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPace } from '../../src/lib/pace.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const takes = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms))

test('a look that cost nothing is repeated at once', async () => {
  const start = vi.fn()
  const pace = createPace(start)
  pace.ask()
  await pace.look(async () => {})
  pace.ask()
  expect(start).toHaveBeenCalledTimes(2)
})

test('after one that took long there is a pause, for all who ask together', async () => {
  const start = vi.fn()
  const pace = createPace(start)
  const look = pace.look(takes(10))
  await vi.advanceTimersByTimeAsync(10)
  await look
  for (let n = 0; n < 5; n++) pace.ask()
  await vi.advanceTimersByTimeAsync(19)
  expect(start).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(start).toHaveBeenCalledTimes(1)
})

test('who asks during a look gets another, also when it failed, and no pause is very long', async () => {
  const start = vi.fn()
  const pace = createPace(start)
  const look = pace.look(async () => {
    await takes(60_000)()
    throw new Error('away')
  })
  const failed = expect(look).rejects.toThrow('away')
  pace.ask()
  await vi.advanceTimersByTimeAsync(60_000)
  await failed
  expect(start).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(100)
  expect(start).toHaveBeenCalledTimes(1)
})

test('stopped in its pause, it starts nothing more', async () => {
  const start = vi.fn()
  const pace = createPace(start)
  const look = pace.look(takes(10))
  await vi.advanceTimersByTimeAsync(10)
  await look
  pace.ask()
  pace.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(start).not.toHaveBeenCalled()
})

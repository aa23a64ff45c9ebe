import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPoller, type PollerOptions } from '../../src/lib/poller.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(0)

function poller(round: PollerOptions['round'], faults: unknown[] = []) {
  return createPoller({
    name: 'test',
    round,
    intervalMs: 1_000,
    onFault: (error) => faults.push(error),
  })
}

test('a round is run at the start and then at every interval', async () => {
  const round = vi.fn(async () => false)
  const { start, stop } = poller(round)
  start()
  await settle()
  expect(round).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(999)
  expect(round).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2_001)
  expect(round).toHaveBeenCalledTimes(4)
  await stop()
})

test('a round that found more is followed by the next at once', async () => {
  let left = 3
  const round = vi.fn(async () => --left > 0)
  const { start, stop } = poller(round)
  start()
  await settle()
  expect(round).toHaveBeenCalledTimes(3)
  await stop()
})

test('a wake-up runs a round now, and after a round under way one more and never beside it', async () => {
  let release = () => {}
  let running = 0
  let most = 0
  const round = vi.fn(async () => {
    most = Math.max(most, ++running)
    await new Promise<void>((resolve) => {
      release = resolve
    })
    running--
    return false
  })
  const { start, wake, stop } = poller(round)
  start()
  await settle()
  wake()
  wake()
  await settle()
  expect(round).toHaveBeenCalledTimes(1)
  release()
  await settle()
  expect(round).toHaveBeenCalledTimes(2)
  release()
  await settle()
  expect(round).toHaveBeenCalledTimes(2)
  wake()
  await settle()
  expect(round).toHaveBeenCalledTimes(3)
  release()
  await stop()
  expect(most).toBe(1)
})

test('a round that throws is reported and the loop continues', async () => {
  const faults: unknown[] = []
  const round = vi.fn(async () => {
    throw new Error('away')
  })
  const { start, stop } = poller(round, faults)
  start()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(faults).toEqual([new Error('away'), new Error('away')])
  await stop()
})

test('a stop aborts the round under way, waits for it, and starts no other', async () => {
  let ended = false
  const round = vi.fn(async (signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    ended = true
    return true
  })
  const { start, wake, stop } = poller(round)
  start()
  await settle()
  await stop()
  expect(ended).toBe(true)
  wake()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(round).toHaveBeenCalledTimes(1)
})

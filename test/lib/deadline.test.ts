import { getEventListeners } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startDeadline, withDeadline } from '../../src/lib/deadline.ts'
import { watchTimeouts } from '../support/watch-timeouts.ts'

let timeouts = () => 0
beforeEach(() => {
  vi.useFakeTimers()
  timeouts = watchTimeouts('lib/deadline.ts')
})
afterEach(() => void vi.useRealTimers())

test('is aborted when the time is up, and says that it was the time', () => {
  const { signal } = startDeadline({ timeoutMs: 1_000 })
  vi.advanceTimersByTime(999)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(signal.aborted).toBe(true)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

test('is aborted with the first who stops waiting, for the same reason', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const { signal } = startDeadline({ timeoutMs: 1_000, signals: [one.signal, other.signal] })
  other.abort('enough')
  expect([signal.aborted, signal.reason]).toEqual([true, 'enough'])
  one.abort('late')
  vi.advanceTimersByTime(2_000)
  expect(signal.reason).toBe('enough')
})

test('is aborted from the beginning if a signal was aborted before', () => {
  const { signal } = startDeadline({ timeoutMs: 1_000, signals: [AbortSignal.abort('gone')] })
  expect([signal.aborted, signal.reason]).toEqual([true, 'gone'])
  expect(timeouts()).toBe(0)
})

test.each([
  ['the work has ended', (_own: AbortController, end: () => void) => end()],
  ['the time is up', () => vi.advanceTimersByTime(1_000)],
  ['somebody gave up', (own: AbortController) => own.abort()],
])('leaves no timer and no listener when %s', (_when, happens) => {
  const own = new AbortController()
  const shared = new AbortController()
  const { end } = startDeadline({ timeoutMs: 1_000, signals: [own.signal, shared.signal] })
  expect(getEventListeners(shared.signal, 'abort')).toHaveLength(1)
  happens(own, end)
  expect(timeouts()).toBe(0)
  expect(getEventListeners(shared.signal, 'abort')).toHaveLength(0)
})

test('a deadline that was ended never comes', () => {
  const { signal, end } = startDeadline({ timeoutMs: 1_000 })
  end()
  vi.advanceTimersByTime(5_000)
  expect(signal.aborted).toBe(false)
})

test('a time beyond what a timer can hold does not fire at once', () => {
  const { signal, end } = startDeadline({ timeoutMs: Number.POSITIVE_INFINITY })
  vi.advanceTimersByTime(60_000)
  expect(signal.aborted).toBe(false)
  end()
})

test('work with a deadline ends it, also by throwing', async () => {
  expect(await withDeadline({ timeoutMs: 1_000 }, async () => 7)).toBe(7)
  const failing = withDeadline({ timeoutMs: 1_000 }, async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(timeouts()).toBe(0)
})

test('nothing in src/ uses the signals of Node that are collected before they fire', () => {
  const src = fileURLToPath(new URL('../../src/', import.meta.url))
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const users = files.filter((path) =>
    /AbortSignal\s*\.\s*(any|timeout)\b/.test(readFileSync(src + path, 'utf8')),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(users).toEqual([])
})

import { expect, test } from 'vitest'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import { fakeClock } from '../support/fake-clock.ts'

const signer = 'https://seller.example/mcp'
const key = (keyid: string) => ({ signer, keyid })
const entry = (nonce: string, { keyid = 'k', expiresAt = 100 } = {}) => ({
  signer,
  keyid,
  nonce,
  expiresAt,
})

test('spec 8: a nonce is new once per key', async () => {
  const store = memoryReplayStore({ clock: fakeClock(0) })
  expect(await store.insert(entry('a'))).toBe('added')
  expect(await store.insert(entry('a'))).toBe('seen')
  expect(await store.insert(entry('a', { keyid: 'other' }))).toBe('added')
  expect(await store.has(key('k'), 'a')).toBe(true)
  expect(await store.has(key('k'), 'b')).toBe(false)
})

test('spec 8: a nonce is forgotten when its time has come, and not before', async () => {
  const clock = fakeClock(0)
  const store = memoryReplayStore({ clock, perKeyCap: 1 })
  await store.insert(entry('a'))
  clock.set(99_999)
  expect(await store.has(key('k'), 'a')).toBe(true)
  expect(await store.isFull(key('k'))).toBe(true)
  clock.set(100_000)
  expect(await store.has(key('k'), 'a')).toBe(false)
  expect(await store.isFull(key('k'))).toBe(false)
})

test('a full key is refused and the others are not', async () => {
  const store = memoryReplayStore({ clock: fakeClock(0), perKeyCap: 2 })
  await store.insert(entry('a'))
  await store.insert(entry('b'))
  expect(await store.insert(entry('c'))).toBe('full')
  expect(await store.insert(entry('a'))).toBe('seen')
  expect(await store.isFull(key('k'))).toBe(true)
  expect(await store.insert(entry('c', { keyid: 'other' }))).toBe('added')
})

test('a full store refuses every key until something is forgotten', async () => {
  const clock = fakeClock(0)
  const store = memoryReplayStore({ clock, totalCap: 2 })
  await store.insert(entry('a', { expiresAt: 50 }))
  await store.insert(entry('a', { keyid: 'other' }))
  expect(await store.isFull(key('third'))).toBe(true)
  expect(await store.insert(entry('a', { keyid: 'third' }))).toBe('full')
  clock.set(50_000)
  expect(await store.insert(entry('a', { keyid: 'third' }))).toBe('added')
})

test('spec 8: a nonce that comes when all others of its key are forgotten is kept', async () => {
  const clock = fakeClock(0)
  const store = memoryReplayStore({ clock })
  await store.insert(entry('a', { expiresAt: 50 }))
  clock.set(50_000)
  expect(await store.insert(entry('b'))).toBe('added')
  expect(await store.has(key('k'), 'b')).toBe(true)
  expect(await store.insert(entry('b'))).toBe('seen')
})

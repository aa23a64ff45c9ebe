import { expect, test } from 'vitest'
import { createApiKey, describeApiKey, hashApiKey } from '../../src/lib/api-key.ts'

test('a key is its prefix and 256 random bits, and never made twice', () => {
  const keys = Array.from({ length: 100 }, () => createApiKey('adw_').key)
  for (const key of keys) expect(key).toMatch(/^adw_[A-Za-z0-9_-]{43}$/)
  expect(new Set(keys).size).toBe(100)
})

test('what is stored of a key does not give it away', () => {
  const { key, keyHash, hint } = createApiKey('sk_')
  expect(keyHash).toBe(hashApiKey(key))
  expect(keyHash).not.toContain(key.slice(3))
  expect(hint).toBe(key.slice(0, 8))
})

test('the same key has the same hash, and any other another', () => {
  const { key } = createApiKey('sk_')
  expect(describeApiKey(key).keyHash).toBe(hashApiKey(key))
  expect(hashApiKey(`${key}x`)).not.toBe(hashApiKey(key))
})

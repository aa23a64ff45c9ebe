import { expect, test } from 'vitest'
import { cacheFor } from '../../src/lib/cache-for.ts'

test('H1: a value is read once within its time, by key, and a failure is not cached', async () => {
  let time = 0
  const reads: string[] = []
  let isDown = true
  const sizeOf = cacheFor({ ms: 100, size: 10, now: () => time }, async (key) => {
    if (isDown) throw new Error('down')
    reads.push(key)
    return reads.length
  })
  await expect(sizeOf('a')).rejects.toThrow('down')
  isDown = false
  expect([await sizeOf('a'), await sizeOf('a'), await sizeOf('b')]).toEqual([1, 1, 2])
  time = 99
  expect(await sizeOf('a')).toBe(1)
  time = 100
  expect(await sizeOf('a')).toBe(3)
  expect(reads).toEqual(['a', 'b', 'a'])
})

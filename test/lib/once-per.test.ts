import { expect, test } from 'vitest'
import { oncePer } from '../../src/lib/once-per.ts'

test('H1: what the cost of a request has read is not read again by its work', async () => {
  let reads = 0
  const pageOf = oncePer(async ({ page }: { page: number }, owner: string) => {
    reads += 1
    return `${owner} ${page}`
  })
  const request = { page: 1 }
  expect(await pageOf(request, 'a')).toBe('a 1')
  expect(await pageOf(request, 'a')).toBe('a 1')
  expect(reads).toBe(1)
  expect(await pageOf({ page: 1 }, 'a')).toBe('a 1')
  expect(reads).toBe(2)
})

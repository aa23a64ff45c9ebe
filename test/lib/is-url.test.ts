import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isUrl } from '../../src/lib/is-url.ts'

test('a host with letters of any script is one, however many URLs were checked before', () => {
  for (let n = 0; n < 100_000; n++) isUrl(`https://a.example/${n}`)
  expect(isUrl('https://münchen.example/ä b')).toBe(true)
  expect(isUrl('https://例え.jp/')).toBe(true)
  expect([isUrl('//a.example'), isUrl(''), isUrl('a b')]).toEqual([false, false, false])
  expect(isUrl('/path', 'https://a.example')).toBe(true)
})

test('nothing in src/ asks Node, which forgets such letters when it is in a hurry', () => {
  const src = fileURLToPath(new URL('../../src/', import.meta.url))
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  const asking = files
    .filter((path) => path.endsWith('.ts') && !path.endsWith('is-url.ts'))
    .filter((path) => readFileSync(src + path, 'utf8').includes('URL.canParse'))
  expect(asking).toEqual([])
})

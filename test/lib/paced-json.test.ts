import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quotePaced, stringifyPaced } from '../../src/lib/paced-json.ts'
import type { Pacer } from '../../src/lib/pacer.ts'

const ENOUGH = 10_000_000

/** Pauses after every piece, and counts. */
function eagerPacer(): Pacer & { pauses: number } {
  const pacer = {
    pauses: 0,
    isDue: () => true,
    pause: async () => {
      pacer.pauses += 1
    },
  }
  return pacer
}

test('any JSON value is written as JSON.stringify writes it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 8 }), async (value) => {
      expect(await stringifyPaced(value, ENOUGH, eagerPacer())).toBe(JSON.stringify(value))
    }),
  )
})

test('members that JSON cannot represent are omitted, and objects that serialize themselves are called', async () => {
  const value = {
    a: undefined,
    b: [undefined, { c: undefined }],
    d: new Date(0),
    e: () => 1,
    f: {},
  }
  expect(await stringifyPaced(value, ENOUGH)).toBe(JSON.stringify(value))
  const nested = { rows: Array.from({ length: 100 }, () => ({ x: undefined, at: new Date(0) })) }
  expect(await stringifyPaced(nested, ENOUGH)).toBe(JSON.stringify(nested))
})

test('H1: a large value is written in many slices', async () => {
  const pacer = eagerPacer()
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ n, windows: [{ a: 1 }, { a: 2 }] }))
  await stringifyPaced({ rows }, ENOUGH, pacer)
  expect(pacer.pauses).toBeGreaterThanOrEqual(rows.length)
})

test('H1: what would be too long is not written to its end', async () => {
  let read = 0
  const rows = Array.from({ length: 10_000 }, (_, n) => ({
    get n() {
      read += 1
      return `${'x'.repeat(100)} ${n}`
    },
  }))
  expect(await stringifyPaced({ rows }, 1_000)).toBeUndefined()
  expect(read).toBeLessThan(20)
})

test('a text of any length is quoted as JSON.stringify quotes it, surrogates included', async () => {
  const text = `${'x'.repeat(262_143)}😀"\\\n${'ü'.repeat(300_000)}`
  expect(await quotePaced(text, eagerPacer())).toBe(JSON.stringify(text))
  expect(await quotePaced('short "one"')).toBe('"short \\"one\\""')
})

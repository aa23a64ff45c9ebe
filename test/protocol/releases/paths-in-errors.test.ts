import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathOf } from '../../../src/protocol/releases/paths-in-errors.ts'

test.each([
  ['/target_format_id', 'target_format_id'],
  ['/packages/0/budget', 'packages[0].budget'],
  ['/creatives/12/assets/hero~1image/url', 'creatives[12].assets.hero/image.url'],
  ['/0/a', '0.a'],
  ['', ''],
  ['already.a[0].path', 'already.a[0].path'],
])('spec 7.2: the pointer %s is the path %s for callers of 3.x', (pointer, path) => {
  expect(pathOf(pointer)).toBe(path)
})

test('a path of plain names and numbers leads back to its pointer', () => {
  const name = fc.stringMatching(/^[a-z_]{1,8}$/)
  const parts = fc.tuple(name, fc.array(fc.oneof(name, fc.nat(999).map(String)), { maxLength: 6 }))
  fc.assert(
    fc.property(parts, ([first, others]) => {
      const pointer = `/${[first, ...others].join('/')}`
      const back = pathOf(pointer).replaceAll('[', '/').replaceAll(']', '').replaceAll('.', '/')
      expect(`/${back}`).toBe(pointer)
    }),
  )
})

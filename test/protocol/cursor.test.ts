// Cursors: bound to their list, read back as they were made, and refused in every other case.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursorOf, NO_CURSOR, pageAfter, readCursor } from '../../src/protocol/cursor.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'

const storableText = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))

test('a cursor is read as the place it was made of, by its own list alone', () => {
  fc.assert(
    fc.property(storableText, fc.maxSafeInteger(), (text, integer) => {
      const cursor = cursorOf('a asc', [text, integer])
      expect(readCursor('a asc', cursor, ['text', 'integer'])).toEqual([text, integer])
      expect(readCursor('a desc', cursor, ['text', 'integer'])).toBeUndefined()
    }),
  )
})

test.each([
  ['no base64', '%'],
  ['no JSON', Buffer.from('{').toString('base64url')],
  ['no list', Buffer.from('null').toString('base64url')],
  ['too few parts', cursorOf('a', ['x'])],
  ['too many parts', cursorOf('a', ['x', 1, 2])],
  ['a text where a number is due', cursorOf('a', ['x', '1'])],
  ['a number where a text is due', cursorOf('a', [1, 1])],
  ['a number that is no integer', cursorOf('a', ['x', 1.5])],
  ['a NUL', cursorOf('a', ['x\0', 1])],
  ['half a character', cursorOf('a', ['\ud800', 1])],
])('%s is no cursor', (_, cursor) => {
  expect(readCursor('a', cursor, ['text', 'integer'])).toBeUndefined()
})

test('spec 7: what is no cursor is refused at /pagination/cursor, and no cursor is the first page', () => {
  expect(pageAfter('a', undefined, ['text'])).toBeUndefined()
  expect(pageAfter('a', cursorOf('a', ['x']), ['text'])).toEqual(['x'])
  expect(() => pageAfter('a', 'x', ['text'])).toThrow(ProtocolError)
  expect(() => pageAfter('a', 'x', ['text'])).toThrow(`/pagination/cursor: ${NO_CURSOR}`)
})

import { expect, test } from 'vitest'
import { joinBytes, joinText, lengthOf, sharedText } from '../../src/lib/shared-text.ts'

test('pieces are one text, as characters and as bytes', () => {
  const pieces = ['{"id":1,"a":', sharedText('"grüße"'), '}']
  expect(joinText(pieces)).toBe('{"id":1,"a":"grüße"}')
  expect(joinBytes(pieces).toString()).toBe(joinText(pieces))
  expect(lengthOf(pieces)).toBe(joinBytes(pieces).length)
  expect(joinText([])).toBe('')
})

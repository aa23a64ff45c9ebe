import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64, decodeBase64Url, encodeBase64Url } from '../../src/lib/base64.ts'

const BYTES = Buffer.from([0xfb, 0xff, 0xfe, 0x01])

test.each([
  ['standard, padded', '+//+AQ=='],
  ['standard, unpadded', '+//+AQ'],
  ['url-safe, unpadded', '-__-AQ'],
])('%s base64 is decoded', (_form, text) => {
  expect(decodeBase64(text)).toEqual({ ok: true, bytes: BYTES })
})

test.each([
  ['mixed alphabets', '+__+AQ'],
  ['padding with the url-safe alphabet', '-__-AQ=='],
  ['too little padding', '+//+AQ='],
  ['too much padding', '+//+AQI=='],
  ['padding within', '+/=/+AQ='],
  ['padding alone', '=='],
  ['a space', '+//+ AQ=='],
  ['a line break', '+//+AQ==\n'],
  ['one character too many', '+//+A'],
  ['set trailing bits', '+//+AR=='],
  ['set trailing bits without padding', '-__-AR'],
  ['a character of neither alphabet', '+//+A.=='],
  ['a character outside ASCII', '+//+Aé=='],
])('%s is refused', (_fault, text) => {
  expect(decodeBase64(text).ok).toBe(false)
})

test('only the url-safe alphabet without padding is read where keys are written', () => {
  expect(decodeBase64Url('-__-AQ')).toEqual({ ok: true, bytes: BYTES })
  expect(decodeBase64Url('+//+AQ').ok).toBe(false)
  expect(decodeBase64Url('-__-AQ==').ok).toBe(false)
})

test('whatever is encoded is decoded to the same bytes, in every form', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (array) => {
      const bytes = Buffer.from(array)
      const standard = bytes.toString('base64')
      for (const text of [encodeBase64Url(array), standard, standard.replace(/=/g, '')]) {
        expect(decodeBase64(text)).toEqual({ ok: true, bytes })
      }
    }),
  )
})

test('a text that is decoded is the only one of its form with these bytes', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9+/_=-]{0,12}$/), (text) => {
      const decoded = decodeBase64(text)
      if (!decoded.ok) return
      const forms = ['base64', 'base64url'].map((form) =>
        decoded.bytes.toString(form as BufferEncoding),
      )
      expect([...forms, forms[0]?.replace(/=/g, '')]).toContain(text)
    }),
  )
})

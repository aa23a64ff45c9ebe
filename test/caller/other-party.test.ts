import fc from 'fast-check'
import { expect, test } from 'vitest'
import { largeWithoutToken, plainLine, withoutToken } from '../../src/caller/other-party.ts'

const token = fc
  .string({ unit: fc.constantFrom(...'ab:_$^.*+?/\\"'), minLength: 8, maxLength: 12 })
  .filter((text) => !'[auth_token]'.includes(text))

test('a token is in no text and no name of what another party wrote, and the rest stays', async () => {
  await fc.assert(
    fc.asyncProperty(token, fc.jsonValue(), fc.string(), async (secret, value, text) => {
      const written = [value, { [`${text}${secret}`]: [`${secret}${secret}${text}`, 7, null] }]
      const reported = JSON.stringify(await largeWithoutToken(written, secret))
      expect(reported).not.toContain(JSON.stringify(secret).slice(1, -1))
      expect(await largeWithoutToken(written, secret)).toEqual(withoutToken(written, secret))
      expect(await largeWithoutToken(written, undefined)).toEqual(written)
      expect(await largeWithoutToken(value, 'a token that is not there')).toEqual(value)
    }),
  )
})

test('a line of another party is plain, and no longer than it may be', () => {
  const wild = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\n', '\r', '\u0000', '\u001b', '\u2028', '\u202e', '\u{e0041}', '\ud800'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 60,
  })
  fc.assert(
    fc.property(wild, fc.integer({ min: 1, max: 50 }), (text, most) => {
      const line = plainLine(text, most)
      expect(line.length).toBeLessThanOrEqual(most)
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Surrogate}/u)
    }),
  )
})

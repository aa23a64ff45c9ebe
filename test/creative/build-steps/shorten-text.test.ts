import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortenText } from '../../../src/creative/build-steps/shorten-text.ts'

test('spec 4.2: a text is cut at a word, and what fits stays as it is', () => {
  expect(shortenText('Winter boots for all', { max_length: 14 })).toEqual({
    ok: true,
    text: 'Winter boots…',
    isCut: true,
  })
  expect(shortenText(' Winter  boots ', { max_length: 14 })).toMatchObject({ text: 'Winter boots' })
  expect(shortenText('Buy now', { allowed_values: ['Learn more', 'BUY NOW'] })).toMatchObject({
    text: 'BUY NOW',
  })
  expect(shortenText('Buy', { allowed_values: ['Learn more'] })).toMatchObject({ ok: false })
  expect(shortenText('Hi', { min_length: 10 })).toMatchObject({ ok: false })
  expect(shortenText('a\nb\nc', { max_lines: 2 })).toMatchObject({ text: 'a\nb c' })
})

test('a shortened text never exceeds its limit, and its words are words of the text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 15, max: 80 }),
      (words, max_length) => {
        const fitted = shortenText(words.join(' '), { max_length })
        if (!fitted.ok) throw new Error(fitted.reason)
        expect(fitted.text.length).toBeLessThanOrEqual(max_length)
        for (const word of fitted.text.replace(/…$/, '').split(' ')) expect(words).toContain(word)
      },
    ),
  )
})

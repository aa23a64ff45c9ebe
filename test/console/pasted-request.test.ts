import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPastedRequest } from '../../src/console/pasted-request.ts'
import { Refused } from '../../src/console/refusal.ts'

const HTTP =
  'POST /hook?a=1 HTTP/1.1\r\nHost: buyer.example\r\nX-Two: a\r\nX-Two: b\r\n\r\n{"a": 1}\n'

describe('a pasted request', () => {
  test.each([
    ['with the ends of lines of HTTP', HTTP],
    ['with those of a text field', HTTP.replaceAll('\r\n', '\n')],
    ['with empty lines before it', `\n\n${HTTP}`],
  ])('is read as it travels, %s', (_what, text) => {
    expect(readPastedRequest(text, undefined)).toEqual({
      method: 'POST',
      url: 'https://buyer.example/hook?a=1',
      headers: { host: ['buyer.example'], 'x-two': ['a', 'b'] },
      body: Buffer.from('{"a": 1}\n'),
    })
  })

  test('has the URL that it was sent to, if the paste contains it', () => {
    const { url } = readPastedRequest(HTTP, 'http://127.0.0.1:9000')
    expect(url).toBe('http://127.0.0.1:9000/hook?a=1')
  })

  test('may be the JSON of the command line', () => {
    const message = { method: 'POST', url: 'https://b.example/', headers: { a: 'b' } }
    expect(readPastedRequest(JSON.stringify({ ...message, body: 'x' }), undefined)).toEqual({
      ...message,
      body: Buffer.from('x'),
    })
    const base64 = JSON.stringify({ ...message, body_base64: 'eA==' })
    expect(readPastedRequest(base64, undefined).body).toEqual(Buffer.from('x'))
  })

  test.each([
    ['hello', 'POST /hook HTTP/1.1'],
    ['{"method": 1}', '"method" and "url"'],
    ['{oops', 'starts like JSON'],
    ['POST / HTTP/1.1\nbroken\n\n', 'a header is like'],
    ['POST / HTTP/1.1\n\n', 'needs a Host header'],
    ['{"method":"POST","url":"x","headers":{"a":1}}', '"headers" is an object'],
    ['{"method":"POST","url":"x","body":{}}', '"body" is a string'],
  ])('%j is refused with what would be right', (text, says) => {
    expect(() => readPastedRequest(text, undefined)).toThrow(says)
  })

  test('whatever is pasted is read or refused, and never breaks', () => {
    const line = fc.constantFrom('POST / HTTP/1.1', 'Host: a', '', '\r', ':', '__proto__: x', '{')
    const text = fc.array(fc.oneof(line, fc.string({ unit: 'grapheme' })), { maxLength: 12 })
    fc.assert(
      fc.property(text, (lines) => {
        try {
          const message = readPastedRequest(lines.join('\n'), undefined)
          expect(typeof message.url).toBe('string')
        } catch (error) {
          expect(error).toBeInstanceOf(Refused)
        }
      }),
    )
  })
})

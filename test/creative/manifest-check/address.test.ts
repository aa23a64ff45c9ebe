import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AddressRules, addressFault } from '../../../src/creative/manifest-check/address.ts'

const ruleOf = (text: string, rules?: AddressRules) => addressFault(text, rules)?.rule
const PNG = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`

describe('the address of an asset', () => {
  test.each([
    'https://a.example/b?c=d#e',
    'HTTP://a.example',
    'https://a.example/?c={CACHEBUSTER}&d=%%X%%&e=[TIMESTAMP]',
    'https://{DOMAIN}/a',
    '{CLICK_URL}',
    '{CLICK_URL}{GDPR}https://a.example/b',
    'https://münchen.example/ä b',
  ])('spec 2.4: %s passes', (text) => {
    expect(addressFault(text)).toBeUndefined()
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    '{GDPR}javascript:alert(1)',
    'vbscript:x',
    'file:///etc/passwd',
    'about:blank',
    'blob:https://a.example/1',
    'data:text/html,<script>1</script>',
    PNG,
    'https://user:secret@a.example/',
    'https://user@a.example/',
    'https://a.example/\u0000',
    'https://a.example/\u2028',
    '//a.example/b',
    '/b.png',
    'a.example',
    'https:a.example',
    'https://',
    'https://a b.example/',
    '',
    'ftp://a.example',
  ])('spec 2.4: %j is refused', (text) => {
    expect(ruleOf(text)).toBe('url')
  })

  test('spec 2.4: whatever passes is http or https, or begins with a macro', () => {
    const scheme = fc.constantFrom(
      'javascript:',
      'data:',
      'https://',
      'http://',
      'file:',
      '{A}',
      '',
    )
    fc.assert(
      fc.property(scheme, fc.string({ unit: 'binary' }), (start, rest) => {
        const text = start + rest
        if (addressFault(text) !== undefined) return
        const bare = text.replace(/^(\{[A-Za-z0-9_]+\})+/, '')
        expect(
          bare === '' || /^https?:$/.test(new URL(bare.replaceAll(/\{\w+\}/g, 'm')).protocol),
        ).toBe(true)
      }),
    )
  })

  test('spec 2.3: a slot may require a scheme, a domain, a length, and no macros', () => {
    expect(ruleOf('http://a.example', { protocols: ['https'] })).toBe('protocols')
    expect(ruleOf('https://a.example', { protocols: ['https'] })).toBeUndefined()
    const allowedDomains = ['brand.example']
    expect(ruleOf('https://shop.BRAND.example/a', { allowedDomains })).toBeUndefined()
    expect(ruleOf('https://notbrand.example/a', { allowedDomains })).toBe('allowed_domains')
    expect(ruleOf('https://a.example/123', { maxLength: 20 })).toBe('max_length')
    expect(ruleOf('https://a.example/{A}', { macrosAllowed: false })).toBe('macro_support')
  })
})

describe('a picture in an address', () => {
  const image = (text: string) => ruleOf(text, { mayBeData: true })
  const base64 = (type: string, bytes: string) =>
    `data:${type};base64,${Buffer.from(bytes, 'latin1').toString('base64')}`

  test('spec 2.4: passes when its bytes are what its type says', () => {
    expect(image(PNG)).toBeUndefined()
    expect(image(base64('image/jpeg', '\xff\xd8\xff\xe0'))).toBeUndefined()
    expect(image(base64('image/webp', 'RIFF0000WEBPVP8 '))).toBeUndefined()
    expect(image('data:image/svg+xml,%3Csvg/%3E')).toBeUndefined()
    expect(image(base64('image/gif', '\x89PNG'))).toBe('url')
    expect(image(base64('image/png', '<script>alert(1)</script>'))).toBe('url')
  })

  test.each([
    'data:text/html;base64,PGI+',
    'data:image/x-evil;base64,AAAA',
    'data:image/png;base64,',
    'data:image/png;base64,not base64!',
    'data:image/png,raw',
    'data:,hello',
    'data:',
  ])('spec 2.4: %s is refused', (text) => {
    expect(image(text)).toBe('url')
  })

  test('spec 2.4: is at most 10 MB', () => {
    const of = (bytes: number) => {
      const data = Buffer.alloc(bytes)
      data.write('\x89PNG', 'latin1')
      return image(`data:image/png;base64,${data.toString('base64')}`)
    }
    expect(of(10 * 1024 * 1024)).toBeUndefined()
    expect(of(10 * 1024 * 1024 + 1)).toBe('url')
  })
})

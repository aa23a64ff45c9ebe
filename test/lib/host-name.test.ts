import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  normaliseDomain,
  normaliseHost,
  registrableDomain,
  sameSite,
} from '../../src/lib/host-name.ts'

function domainOf(input: string): string {
  const result = normaliseDomain(input)
  if (!result.ok) throw new Error(`${JSON.stringify(input)}: ${result.reason}`)
  return result.domain
}

const label = fc.stringMatching(/^[a-z](?:[a-z0-9-]{0,12}[a-z0-9])?$/).filter((l) => l !== 'www')
const plainDomain = fc
  .array(label, { minLength: 2, maxLength: 5 })
  .map((labels) => labels.join('.'))
  .filter((name) => normaliseDomain(name).ok)

// Strings near host names, so the properties meet the rules and not only the first refusal.
const nearHost = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        'www.',
        'a',
        '.',
        '-',
        '_',
        'xn--',
        'é',
        'ß',
        '。',
        'ｗ',
        '://',
        ':',
        '80',
        '0x7f',
        '@',
        '/',
        '?',
        '#',
        '%',
        ' ',
        '\t',
        '\u00ad',
        '\u200d',
        '[',
        ']',
        'COM',
        'com',
        'mnchen-3ya',
      ),
      { maxLength: 10 },
    )
    .map((parts) => parts.join('')),
)

describe('normaliseDomain', () => {
  test.each([
    ['example.com', 'example.com'],
    ['  Example.COM \n', 'example.com'],
    ['https://www.example.com:8443/a/b?c=d#e', 'example.com'],
    ['ftp+x://example.com', 'example.com'],
    ['example.com?x=https://other.example', 'example.com'],
    ['example.com/@path', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com:', 'example.com'],
    ['WWW.Example.com', 'example.com'],
    ['www.shop.example.com', 'shop.example.com'],
    ['www2.example.com', 'www2.example.com'],
    ['m.example.com', 'm.example.com'],
    ['3m.com', '3m.com'],
    ['1.2.3.4.example.com', '1.2.3.4.example.com'],
    ['a--b.example', 'a--b.example'],
    ['日本語。ＪＰ', 'xn--wgv71a119e.jp'],
  ])('spec 4.1: %j is kept as %s', (input, expected) => {
    expect(domainOf(input)).toBe(expected)
  })

  test('a leading www. stays when what is left would be a single label', () => {
    expect(domainOf('www.com')).toBe('www.com')
    expect(domainOf('https://WWW.com/')).toBe('www.com')
  })

  test('a doubled www. stays, since removing one would leave a name not in its normal form', () => {
    expect(domainOf('www.www.example.com')).toBe('www.www.example.com')
    expect(domainOf('www.www.com')).toBe('www.www.com')
  })

  test('the U-label and the A-label of one name are one domain in any case', () => {
    for (const name of ['münchen.de', 'MÜNCHEN.de', 'xn--mnchen-3ya.de', 'XN--MNCHEN-3YA.DE']) {
      expect(domainOf(name)).toBe('xn--mnchen-3ya.de')
    }
  })

  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['https://', 'empty'],
    ['/path/only', 'empty'],
    ['com', 'single label'],
    ['localhost:3000', 'single label'],
    ['user@example.com', 'user name'],
    ['https://user:secret@example.com/', 'user name'],
    ['exa mple.com', 'white space'],
    ['exam\u0000ple.com', 'control character'],
    ['exam\tple.com', 'control character'],
    ['a..example.com', 'empty label'],
    ['.example.com', 'empty label'],
    ['example.com..', 'empty label'],
    ['a_b.example.com', 'letters, digits'],
    ['-a.example.com', 'letters, digits'],
    ['a-.example.com', 'letters, digits'],
    ['*.example.com', 'letters, digits'],
    ['example.com:http', 'port'],
    ['ex%61mple.com', 'escape'],
    ['example.com\\evil', 'escape'],
    ['xn--a.com', 'internationalised'],
    [`${'a'.repeat(64)}.com`, '63 characters'],
    [`${'abcdefg.'.repeat(32)}com`, '253 characters'],
    [`example.com/${'a'.repeat(5000)}`, '4096 characters'],
  ])('%j is refused and the reason says why', (input, why) => {
    const result = normaliseDomain(input)
    expect(result).toEqual({ ok: false, reason: expect.stringContaining(why) })
    expect(result).toEqual({ ok: false, reason: expect.stringContaining('such as example.com') })
  })

  test.each([
    ['127.0.0.1'],
    ['127.1'],
    ['0x7f.1'],
    ['0x7f.0x1'],
    ['2130706433'],
    ['1.2.3.999'],
    ['１２７.0.0.1'],
    ['http://10.0.0.1:80/'],
    ['example.0x'],
    ['[::1]'],
    ['https://[::1]:443/'],
    ['::1'],
  ])('%j is refused as an IP address', (input) => {
    expect(normaliseDomain(input)).toEqual({
      ok: false,
      reason: expect.stringContaining('IP address'),
    })
  })

  test('a refusal does not repeat a password', () => {
    expect(JSON.stringify(normaliseDomain('https://u:hunter2@example.com'))).not.toContain(
      'hunter2',
    )
  })

  test('no string makes it throw, and what it accepts it accepts again unchanged', () => {
    fc.assert(
      fc.property(nearHost, (input) => {
        const once = normaliseDomain(input)
        if (once.ok) expect(normaliseDomain(once.domain)).toEqual(once)
      }),
      { numRuns: 2000 },
    )
  })

  test('scheme, port, path, case and one www. make no difference', () => {
    fc.assert(
      fc.property(plainDomain, (domain) => {
        expect(domainOf(domain)).toBe(domain)
        expect(domainOf(`https://WWW.${domain.toUpperCase()}:443/x?y#z`)).toBe(domain)
        expect(domainOf(`${domain}.`)).toBe(domain)
      }),
    )
  })
})

describe('normaliseHost', () => {
  test('a leading www. is part of the name a connection is made to', () => {
    expect(normaliseHost('https://WWW.example.com/')).toEqual({
      ok: true,
      domain: 'www.example.com',
    })
  })
})

describe('registrableDomain', () => {
  test.each([
    ['example.com', 'example.com'],
    ['a.b.example.co.uk', 'example.co.uk'],
    ['A.Example.COM', 'example.com'],
    ['alice.github.io', 'alice.github.io'],
    ['www.github.io', 'www.github.io'],
    ['x.y.unlisted', 'y.unlisted'],
  ])('the owner of %s registered %s', (host, expected) => {
    expect(registrableDomain(host)).toBe(expected)
  })

  test.each([['127.0.0.1'], ['0x7f.1'], ['[::1]'], ['localhost'], ['co.uk'], ['github.io'], ['']])(
    'no one registered %j',
    (host) => {
      expect(registrableDomain(host)).toBeNull()
    },
  )
})

describe('sameSite', () => {
  test('hosts of one registrable domain are one site', () => {
    expect(sameSite('www.example.com', 'cdn.example.com')).toBe(true)
    expect(sameSite('münchen.de', 'www.xn--mnchen-3ya.de')).toBe(true)
  })

  test('two customers of one hosting platform are two sites', () => {
    expect(sameSite('alice.github.io', 'bob.github.io')).toBe(false)
  })

  test('an address is the same site as itself only', () => {
    expect(sameSite('127.0.0.1', '127.0.0.1')).toBe(true)
    expect(sameSite('127.0.0.1', '127.0.0.2')).toBe(false)
  })
})

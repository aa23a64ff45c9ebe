import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEgress, type EgressOptions } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { refusedEmbeddedIpv6, refusedIpv4Host, refusedIpv6 } from './spellings.ts'

/** The code of the refusal, or the host that passed. */
function check(url: string, options: EgressOptions = {}): string {
  const checked = createEgress(options).checkUrl(url)
  return checked.ok ? checked.url.hostname : checked.code
}

const guarded = createEgress()
const isRefused = (url: string) => !guarded.checkUrl(url).ok

describe('checkUrl', () => {
  test('egress: a public https URL passes, on any port', () => {
    expect(check('https://example.com/path?q=1#f')).toBe('example.com')
    expect(check('https://EXAMPLE.com:8443/')).toBe('example.com')
    expect(check('https://8.8.8.8/')).toBe('8.8.8.8')
    expect(check('https://[2606:4700::1111]/')).toBe('[2606:4700::1111]')
  })

  test('egress: no spelling of a private IPv4 address passes', () => {
    fc.assert(
      fc.property(refusedIpv4Host(), (host) => isRefused(`https://${host}/`)),
      { numRuns: 2000 },
    )
  })

  test('egress: no IPv6 form of a private address passes', () => {
    fc.assert(fc.property(refusedEmbeddedIpv6, (host) => isRefused(`https://[${host}]/`)))
    fc.assert(fc.property(refusedIpv6, (host) => isRefused(`https://[${host}]:8443/`)))
  })

  test('egress: the well-known spellings of loopback are recognised as addresses', () => {
    const spellings = [
      '2130706433',
      '0177.0.0.1',
      '0x7f.1',
      '127.1',
      '127.0.0.1.',
      '0x7F000001',
      '0',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[::1]',
      '[::]',
      '[::FFFF:7F00:1]',
      '１２７.０.０.１',
      '127。0。0。1',
      '%31%32%37.0.0.1',
      '①②⑦.0.0.1',
      '127%2e0%2e0%2e1',
    ]
    const codes = spellings.map((host) => [host, check(`https://${host}/`)])
    expect(codes).toEqual(spellings.map((host) => [host, 'address_refused']))
  })

  test('egress: a zone id in a literal address is refused', () => {
    expect(check('https://[fe80::1%25eth0]/')).toBe('invalid_url')
    expect(check('https://[fe80::1%eth0]/')).toBe('invalid_url')
  })

  test('egress: internal names are refused in every case and with a trailing dot', () => {
    const names = [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      'printer.local',
      'db.internal',
      'metadata.google.internal',
      'router.home.arpa',
      'nas.lan',
      'intranet',
      'db',
      'ｌocalhost',
    ]
    const codes = names.map((host) => [host, check(`https://${host}/`)])
    expect(codes).toEqual(names.map((host) => [host, 'address_refused']))
  })

  test('egress: internal names pass where the allow list makes them plausible', () => {
    expect(check('https://localhost/', { allow: ['127.0.0.0/8'] })).toBe('localhost')
    expect(check('https://localhost/', { allow: ['::1'] })).toBe('localhost')
    expect(check('https://localhost/', { allow: ['10.0.0.0/8'] })).toBe('address_refused')
    expect(check('https://db.internal/', { allow: ['10.0.0.0/8'] })).toBe('db.internal')
    expect(check('https://db/', { allow: ['10.0.0.0/8'] })).toBe('db')
  })

  test('egress: any scheme but https is refused', () => {
    for (const scheme of ['http', 'ftp', 'file', 'ws', 'gopher', 'javascript', 'data', 'blob']) {
      expect(check(`${scheme}://example.com/`)).toBe('scheme_refused')
    }
    expect(check('file:///etc/passwd')).toBe('scheme_refused')
  })

  test('egress: http is for allowed addresses only, and a name is checked when it is resolved', () => {
    const options = { allow: ['127.0.0.0/8'], allowHttp: true }
    expect(check('http://127.0.0.1:8080/', options)).toBe('127.0.0.1')
    expect(check('http://[::ffff:127.0.0.1]/', options)).toBe('[::ffff:7f00:1]')
    expect(check('http://8.8.8.8/', options)).toBe('scheme_refused')
    expect(check('http://10.0.0.1/', options)).toBe('address_refused')
    expect(check('http://example.com/', options)).toBe('example.com')
    expect(check('http://127.0.0.1/', { allow: ['127.0.0.0/8'] })).toBe('scheme_refused')
  })

  test('egress: credentials in the URL are refused, even empty ones', () => {
    for (const userinfo of ['user:secret@', 'user@', ':@', '@', 'example.com:443@']) {
      expect(check(`https://${userinfo}example.org/`)).toBe('credentials_in_url')
    }
    expect(check('https://example.com/@user')).toBe('example.com')
  })

  test('egress: text that parsers read differently is no URL', () => {
    const bad = [
      '',
      'example.com',
      '/path',
      '//example.com/',
      'https:example.com',
      'https:/example.com',
      'https:///example.com',
      'https:\\\\example.com\\',
      'https://example.com\\@127.0.0.1/',
      ' https://example.com/',
      'https://exa\nmple.com/',
      'https://example.com/a b',
      'https://',
      'https://example.com:0/',
      'https://example.com:65536/',
      'https://a..b/',
      'https://./',
    ]
    expect(bad.map((url) => [url, check(url)])).toEqual(bad.map((url) => [url, 'invalid_url']))
  })

  test('egress: a URL of 2048 characters passes and a longer one does not', () => {
    const url = 'https://example.com/'.padEnd(2048, 'a')
    expect(check(url)).toBe('example.com')
    expect(check(`${url}a`)).toBe('invalid_url')
  })

  test('egress: a refusal repeats neither the query string nor the credentials', () => {
    const urls = ['http://u:topsecret@h.example.com/?k=topsecret', 'https://localhost/?k=topsecret']
    for (const url of [
      ...urls,
      'https://u:topsecret@example.com/',
      'https://10.0.0.1/?topsecret',
    ]) {
      const checked = guarded.checkUrl(url)
      expect(checked).toMatchObject({
        ok: false,
        message: expect.not.stringContaining('topsecret'),
      })
    }
  })
})

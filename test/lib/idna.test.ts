import { describe, expect, test } from 'vitest'
import { hasValidALabels, toAsciiName } from '../../src/lib/idna.ts'
import { isUrl, parseUrl } from '../../src/lib/is-url.ts'
import { checkUrl } from '../../src/lib/safe-fetch/check-url.ts'

/** Names on which the URL parsers of Node 20, 22, 24 and 26 disagree: the newer ones accept them. */
const UNDECODABLE = ['xn--a.com', 'XN--A.com', 'xn--zz.de', 'a.xn--.de', 'xn--a-ecp.ru', 'xn--0.pt']

describe('spec 4.1: a domain is checked alike on every Node', () => {
  test.each(UNDECODABLE)('%s is not a name, and no URL has it as its host', (name) => {
    expect(toAsciiName(name)).toBeUndefined()
    expect(hasValidALabels(name)).toBe(false)
    expect(isUrl(`https://${name}/`)).toBe(false)
    expect(checkUrl(`https://${name}/`, { allow: [], allowHttp: false })).toMatchObject({
      ok: false,
      code: 'invalid_url',
    })
  })

  test.each([
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['faß.de', 'xn--fa-hia.de'],
    ['日本語。ＪＰ', 'xn--wgv71a119e.jp'],
    ['a--b.example', 'a--b.example'],
  ])('%s is %s', (name, ascii) => {
    expect(toAsciiName(name)).toBe(ascii)
    expect(parseUrl(`https://${name}/`)?.hostname).toBe(ascii)
  })

  test('a host without A-labels is left to the parser, addresses included', () => {
    for (const url of ['http://127.0.0.1:80/', 'http://[::1]/', 'https://a_b.example/']) {
      expect(isUrl(url)).toBe(true)
    }
  })
})

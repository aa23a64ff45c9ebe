import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { areOn, isWellKnown, wellKnownUrl, wordsFor } from '../../src/protocol/domain-authority.ts'

const hostsOf = (domain: string) => wordsFor(domain).map(({ of, host }) => `${of} ${host}`)

describe('who speaks for a domain', () => {
  test.each([
    ['acme.com', ['domain acme.com']],
    ['shop.acme.com', ['domain shop.acme.com', 'parent acme.com']],
    ['a.b.shop.acme.com', ['domain a.b.shop.acme.com', 'parent acme.com']],
    ['acme.co.uk', ['domain acme.co.uk']],
    ['shop.acme.co.uk', ['domain shop.acme.co.uk', 'parent acme.co.uk']],
    ['co.uk', ['domain co.uk']],
    ['github.io', ['domain github.io']],
    ['acme.github.io', ['domain acme.github.io']],
    ['docs.acme.github.io', ['domain docs.acme.github.io', 'parent acme.github.io']],
    ['xn--cme-7cd.com', ['domain xn--cme-7cd.com']],
    ['acme.example', ['domain acme.example']],
  ])('%s: %s', (domain, hosts) => {
    expect(hostsOf(domain)).toEqual(hosts)
  })
})

describe('a file on a domain', () => {
  const [own] = wordsFor('acme.com')
  const [, parent] = wordsFor('shop.acme.com')
  if (!own || !parent) throw new Error('both speak')

  test.each([
    ['on it', 'https://acme.com/brand.json', true],
    ['in capitals', 'https://ACME.com/brand.json', true],
    ['with a root dot', 'https://acme.com./brand.json', true],
    ['at the default port', 'https://acme.com:443/brand.json', true],
    ['over http, where the guard permits it', 'http://acme.com/brand.json', true],
    ['on www', 'https://www.acme.com/brand.json', true],
    ['on another port', 'https://acme.com:8443/brand.json', false],
    ['on port 443 over http', 'http://acme.com:443/brand.json', false],
    ['with a query', 'https://acme.com/brand.json?x', false],
    ['with credentials', 'https://acme.com@evil.net/brand.json', false],
    ['with credentials on it', 'https://evil@acme.com/brand.json', false],
    ['on a subdomain', 'https://evil.acme.com/brand.json', false],
    ['on www of www', 'https://www.www.acme.com/brand.json', false],
    ['on a look-alike', 'https://аcme.com/brand.json', false],
    ['on a name that ends alike', 'https://notacme.com/brand.json', false],
    ['on a name that begins alike', 'https://acme.com.evil.net/brand.json', false],
    ['on the suffix', 'https://com/brand.json', false],
    ['on an address', 'https://127.0.0.1/brand.json', false],
    ['with another scheme', 'ftp://acme.com/brand.json', false],
    ['that is no URL', 'acme.com/brand.json', false],
  ])('%s', (_what, url, isIt) => {
    expect(areOn([url], own)).toBe(isIt)
  })

  test('is checked at every hop', () => {
    expect(areOn(['https://acme.com/a', 'https://www.acme.com/a'], own)).toBe(true)
    expect(areOn(['https://acme.com/a', 'https://evil.acme.com/a'], own)).toBe(false)
    expect(areOn(['https://evil.acme.com/a', 'https://acme.com/a'], own)).toBe(false)
    expect(areOn([], own)).toBe(false)
  })

  test('on www of the parent is a sibling’s, and below a suffix www is a customer', () => {
    expect(areOn(['https://acme.com/a'], parent)).toBe(true)
    expect(areOn(['https://www.acme.com/a'], parent)).toBe(false)
    const [suffix] = wordsFor('github.io')
    expect(suffix && areOn(['https://www.github.io/a'], suffix)).toBe(false)
    expect(suffix && areOn(['https://github.io/a'], suffix)).toBe(true)
  })
})

describe('the well-known file', () => {
  test.each([
    ['https://acme.com/.well-known/brand.json', true],
    ['HTTPS://Acme.COM.:443/.well-known/./brand.json', true],
    ['https://www.acme.com/.well-known/brand.json', false],
    ['https://acme.com/.well-known/brand.json?v=2', false],
    ['https://acme.com/.well-known/adagents.json', false],
    ['https://acme.com/.well-known/brand.json/', false],
    ['https://acme.com/.well-known%2Fbrand.json', false],
    ['https://acme.com/x/.well-known/brand.json', false],
    ['https://acme.com:444/.well-known/brand.json', false],
    ['https://evil.acme.com/.well-known/brand.json', false],
  ])('%s: %s', (url, isIt) => {
    expect(isWellKnown(url, 'acme.com', 'brand.json')).toBe(isIt)
  })

  test('is where it says', () => {
    expect(isWellKnown(wellKnownUrl('acme.com', 'brand.json'), 'acme.com', 'brand.json')).toBe(true)
  })
})

describe('of any two names', () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
  const suffix = fc.constantFrom('com', 'co.uk', 'github.io', 'example')
  const host = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), suffix)
    .map(([labels, end]) => [...labels, end].join('.'))

  test('one that speaks for the other is the other, or the registrable name above it', () => {
    fc.assert(
      fc.property(host, host, (one, other) => {
        for (const { host: speaker } of wordsFor(other)) {
          expect(other === speaker || other.endsWith(`.${speaker}`)).toBe(true)
        }
        const speaks = wordsFor(other).some((word) => areOn([`https://${one}/brand.json`], word))
        if (!speaks) return
        const bare = one.replace(/^www\./, '')
        expect(other === one || other === bare || other.endsWith(`.${one}`)).toBe(true)
      }),
    )
  })

  test('nothing below a name speaks for it, but its www', () => {
    fc.assert(
      fc.property(host, label, (domain, sub) => {
        fc.pre(sub !== 'www')
        const url = `https://${sub}.${domain}/.well-known/brand.json`
        expect(wordsFor(domain).some((word) => areOn([url], word))).toBe(false)
      }),
    )
  })

  test('siblings never speak for each other', () => {
    fc.assert(
      fc.property(host, label, label, (domain, one, other) => {
        fc.pre(one !== other && one !== 'www')
        const url = `https://${one}.${domain}/.well-known/brand.json`
        expect(wordsFor(`${other}.${domain}`).some((word) => areOn([url], word))).toBe(false)
      }),
    )
  })
})

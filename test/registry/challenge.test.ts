import fc from 'fast-check'
import { expect, test } from 'vitest'
import { challengesBy, challengesFor } from '../../src/registry/challenge.ts'

const challenge = challengesBy('a secret of this registry')

test('a challenge is a record and a file with one value', () => {
  const { domain, dns_txt, file } = challenge('org_a', 'acme.com')
  expect(domain).toBe('acme.com')
  expect(dns_txt?.name).toBe('_adwire-challenge.acme.com')
  expect(file.url).toBe('https://acme.com/.well-known/adwire-verification.txt')
  expect(file.value).toMatch(/^adwire-domain-proof=[A-Za-z0-9_-]{43}$/)
  expect(dns_txt?.value).toBe(file.value)
})

test('the value is the same for the same organisation, domain and registry, and for no others', () => {
  const text = fc.stringMatching(/^[a-z0-9_.]{1,20}$/)
  fc.assert(
    fc.property(text, text, text, text, (org, host, otherOrg, otherHost) => {
      const { value } = challenge(org, host).file
      expect(challenge(org, host).file.value).toBe(value)
      const isSame = org === otherOrg && host === otherHost
      expect(challenge(otherOrg, otherHost).file.value === value).toBe(isSame)
      expect(challengesBy('another secret')(org, host).file.value).not.toBe(value)
    }),
  )
})

test('a name that is too long for DNS has a file only', () => {
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.com`
  expect(challenge('org_a', host)).toMatchObject({
    dns_txt: null,
    file: { url: expect.any(String) },
  })
})

test('a subdomain has the challenge of its registrable domain beside its own', () => {
  const { own, parent } = challengesFor(challenge, 'org_a', 'shop.acme.co.uk')
  expect([own.domain, parent?.domain]).toEqual(['shop.acme.co.uk', 'acme.co.uk'])
  expect(parent).toEqual(challenge('org_a', 'acme.co.uk'))
  expect(challengesFor(challenge, 'org_a', 'acme.github.io').parent).toBeNull()
})

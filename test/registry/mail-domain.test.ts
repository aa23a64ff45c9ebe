import { expect, test } from 'vitest'
import { corporateDomainOf } from '../../src/registry/mail-domain.ts'

const domainOf = (email: string, emailVerified = true) =>
  corporateDomainOf({ email, emailVerified })

test.each([
  ['ada@acme.com', 'acme.com'],
  ['ada@ACME.com.', 'acme.com'],
  ['ada@mail.acme.com', 'mail.acme.com'],
  ['ada@bücher.example', 'xn--bcher-kva.example'],
])('%s is an address at %s', (email, domain) => {
  expect(domainOf(email)).toBe(domain)
})

test('a look-alike is another domain', () => {
  expect(domainOf('ada@аcme.com')).not.toBe('acme.com')
  expect(domainOf('ada@acme.com.evil.net')).toBe('acme.com.evil.net')
})

test.each([
  'ada@acme.com:25',
  'ada@acme.com?x',
  'ada@acme.com#.evil.net',
  'ada@%61cme.com',
  'ada@acme.com\\evil.net',
  'ada@[127.0.0.1]',
  'ada@com',
  'ada@evil.net@acme.com',
  'ada@https://acme.com',
])('%s is no address at a company', (email) => {
  expect(domainOf(email)).toBeUndefined()
})

test('an address that no one verified is at no company', () => {
  expect(domainOf('ada@acme.com', false)).toBeUndefined()
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namesDomain } from '../../src/protocol/names-domain.ts'

test.each([
  ['https://example.com/logo.svg'],
  ['HTTPS://CDN.Example.com:8443/x'],
  ['http://www.example.com'],
  ['example.com'],
  ['Example.COM.'],
  ['shop.example.com'],
  ['*.example.com'],
  ['ads@example.com'],
  ['mailto:ads@mail.example.com'],
])('spec 3.1: %j names example.com', (text) => {
  expect(namesDomain({ a: [{ b: text }] }, 'example.com')).toBe(true)
})

test.each([
  ['https://example.com@evil.example/'],
  ['https://evil.example/example.com'],
  ['https://evil.example/?u=https://example.com'],
  ['notexample.com'],
  ['example.com.evil.example'],
  ['example.com@evil.example'],
  ['Visit example.com today'],
  ['example.com/path'],
  [`https://example.com/${'a'.repeat(3000)}`],
  ['example'],
  [''],
])('spec 3.1: %j does not name example.com', (text) => {
  expect(namesDomain([text], 'example.com')).toBe(false)
})

test('spec 3.1: a sibling under one registrable domain names the domain', () => {
  expect(namesDomain(['https://cdn.example.co.uk'], 'shop.example.co.uk')).toBe(true)
  expect(namesDomain(['example.co.uk'], 'shop.example.co.uk')).toBe(true)
  expect(namesDomain(['other.co.uk'], 'shop.example.co.uk')).toBe(false)
})

test('a customer of a hosting platform does not name another one', () => {
  expect(namesDomain(['https://bob.github.io'], 'alice.github.io')).toBe(false)
  expect(namesDomain(['https://x.alice.github.io'], 'alice.github.io')).toBe(true)
  expect(namesDomain(['bucket.s3.amazonaws.com'], 'console.amazonaws.com')).toBe(false)
})

test('an internationalised name is found in either spelling', () => {
  expect(namesDomain(['https://www.münchen.de/'], 'xn--mnchen-3ya.de')).toBe(true)
  expect(namesDomain(['xn--mnchen-3ya.de'], 'MÜNCHEN.de')).toBe(true)
})

test('field names do not count, and what is no domain is never named', () => {
  expect(namesDomain({ 'example.com': true }, 'example.com')).toBe(false)
  expect(namesDomain(['localhost', '127.0.0.1'], 'localhost')).toBe(false)
  expect(namesDomain(['127.0.0.1'], '127.0.0.1')).toBe(false)
})

test('a document nested deeper than any manifest ends the search quietly', () => {
  let nested: unknown = 'example.com'
  for (let i = 0; i < 100_000; i++) nested = [nested]
  expect(namesDomain(nested, 'example.com')).toBe(false)
  expect(namesDomain([nested, 'example.com'], 'example.com')).toBe(true)
})

test('a document wider than any manifest ends the search quietly', () => {
  const wide = [...Array(300_000).fill(1), 'example.com']
  expect(namesDomain(wide, 'example.com')).toBe(false)
})

test('no JSON value makes it throw, and a planted name is always found', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (document, domain) => {
      expect(typeof namesDomain(document, domain)).toBe('boolean')
      expect(namesDomain({ document, planted: 'https://a.example.com' }, 'example.com')).toBe(true)
    }),
  )
})

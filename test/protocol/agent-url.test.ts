import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalAgentUrl, isOwnAgentUrl } from '../../src/protocol/agent-url.ts'

const OWN = ['https://ads.example', 'http://127.0.0.1:8420']

test.each([
  'https://ads.example',
  'https://ads.example/',
  'HTTPS://Ads.Example:443/',
  'https://ads.example./',
  'https://user@ads.example#top',
  'http://127.0.0.1:8420/',
])('spec 2.2: %s names this server', (url) => {
  expect(isOwnAgentUrl(url, OWN)).toBe(true)
})

test.each([
  'http://ads.example',
  'https://ads.example:8443',
  'https://ads.example/other',
  'https://ads.example.evil.example',
  'https://ads.example/?agent=2',
  'ftp://ads.example',
  'ads.example',
  '',
])('spec 2.2: %j does not name this server', (url) => {
  expect(isOwnAgentUrl(url, OWN)).toBe(false)
})

test('* among the own URLs matches every agent URL, and nothing that is not one', () => {
  expect(isOwnAgentUrl('https://else.example/a', ['*'])).toBe(true)
  expect(isOwnAgentUrl('javascript:alert(1)', ['*'])).toBe(false)
})

test('the canonical spelling of a canonical spelling is itself', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const once = canonicalAgentUrl(url) as string
      expect(canonicalAgentUrl(once)).toBe(once)
    }),
  )
})

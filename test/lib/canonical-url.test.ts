import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalUrl } from '../../src/lib/canonical-url.ts'

test.each([
  ['HTTPS://Agent.Example:443/mcp', 'https://agent.example/mcp'],
  ['https://agent.example./mcp/', 'https://agent.example/mcp'],
  ['https://agent.example', 'https://agent.example'],
  ['https://agent.example///', 'https://agent.example'],
  ['https://agent.example/a/../mcp#part', 'https://agent.example/mcp'],
  ['https://agent.example/%6dcp', 'https://agent.example/mcp'],
  ['https://agent.example/a%2fb', 'https://agent.example/a%2Fb'],
  ['https://bücher.example/mcp', 'https://xn--bcher-kva.example/mcp'],
  ['http://agent.example:80/mcp', 'http://agent.example/mcp'],
  ['https://agent.example:8443/mcp', 'https://agent.example:8443/mcp'],
  ['https://agent.example/mcp?a=1', 'https://agent.example/mcp?a=1'],
])('%s is %s', (written, canonical) => {
  expect(canonicalUrl(written)).toBe(canonical)
})

test.each([
  ['no URL', 'agent.example/mcp'],
  ['another scheme', 'ftp://agent.example/mcp'],
  ['credentials', 'https://user:word@agent.example/mcp'],
  ['too long', `https://agent.example/${'a'.repeat(2_048)}`],
])('%s has no canonical form', (_what, written) => {
  expect(canonicalUrl(written)).toBeUndefined()
})

test.each([
  ['scheme', 'https://a.example/x', 'http://a.example/x'],
  ['host', 'https://a.example/x', 'https://а.example/x'],
  ['port', 'https://a.example/x', 'https://a.example:444/x'],
  ['path', 'https://a.example/x', 'https://a.example/X'],
  ['query', 'https://a.example/x?a=1', 'https://a.example/x?a=2'],
])('URLs that differ in their %s stay different', (_what, one, other) => {
  expect(canonicalUrl(one)).not.toBe(canonicalUrl(other))
})

test('the canonical form of a canonical form is itself', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const once = canonicalUrl(url)
      if (once !== undefined) expect(canonicalUrl(once)).toBe(once)
    }),
  )
})

import { expect, test } from 'vitest'
import { jwksUriOf } from '../../src/key-discovery/brand-agents.ts'

const agent = (url: string, jwksUri = `${url}#jwks`) => ({ url, jwksUri })

test('spec 5: a slash at the end of its URL makes no other agent', () => {
  const [plain, slashed] = [agent('https://a.example/mcp'), agent('https://a.example/mcp/')]
  for (const { url } of [plain, slashed]) {
    expect(jwksUriOf([plain], url)).toEqual({ ok: true, value: plain.jwksUri })
    expect(jwksUriOf([slashed], url)).toEqual({ ok: true, value: slashed.jwksUri })
  }
  // Where both are there, each is itself.
  expect(jwksUriOf([plain, slashed], slashed.url)).toEqual({ ok: true, value: slashed.jwksUri })
  expect(jwksUriOf([slashed, slashed], plain.url)).toMatchObject({ ok: false })
})

test.each([
  ['capitals', 'https://A.example/mcp'],
  ['a port', 'https://a.example:443/mcp'],
  ['escapes', 'https://a.example/%6dcp'],
  ['a slash behind a query', 'https://a.example/mcp?a=1/'],
])('docs/keys.md: %s make another agent', (_what, url) => {
  const known = url.endsWith('?a=1/') ? url.slice(0, -1) : 'https://a.example/mcp'
  expect(jwksUriOf([agent(url)], known)).toMatchObject({ ok: false })
})

test('if no agent is found, the reason lists those that exist', () => {
  expect(jwksUriOf([agent('https://a.example/a')], 'https://a.example')).toEqual({
    ok: false,
    reason: 'no entry of agents[] has this URL: there are https://a.example/a',
    failure: 'signature_agent_not_in_brand_json',
  })
})

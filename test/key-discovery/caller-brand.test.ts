import { expect, test } from 'vitest'
import { readCallerBrand } from '../../src/key-discovery/caller-brand.ts'
import { KEY_DISCOVERY_LIMITS } from '../../src/key-discovery/limits.ts'

function brandOf(document: Record<string, unknown>) {
  const read = readCallerBrand(document)
  if (!read.ok) throw new Error(read.reason)
  return read.value
}

test('spec 5: an agent is found by the canonical form of its URL, in which a trailing slash counts', () => {
  const { entryOf } = brandOf({ agents: [{ url: 'HTTPS://A.example:443/mcp', jwks_uri: 'j' }] })
  expect(entryOf('https://a.example/mcp')).toMatchObject({ ok: true, value: { jwksUri: 'j' } })
  expect(entryOf('https://a.example/mcp/')).toMatchObject({
    failure: 'signature_agent_not_in_brand_json',
  })
})

test('spec 5: two entries of one agent are ambiguous, however they are written', () => {
  const { entryOf } = brandOf({
    agents: [{ url: 'https://a.example/mcp' }],
    brands: [{ agents: [{ url: 'https://A.example/mcp' }, { url: 'https://a.example/mcp' }] }],
  })
  expect(entryOf('https://a.example/mcp')).toMatchObject({
    failure: 'signature_brand_json_ambiguous',
  })
})

test('spec 5: an operator is authorized by its host or its registrable domain', () => {
  const domains = ['agency.example', 'LOCALHOST', 'acme.co.uk']
  const { isOperator } = brandOf({
    authorized_operators: [...domains.map((domain) => ({ domain })), { domain: 1 }, null],
  })
  expect(isOperator('ads.agency.example')).toBe(true)
  expect(isOperator('localhost')).toBe(true)
  expect(isOperator('x.acme.co.uk')).toBe(true)
  expect(isOperator('other.co.uk')).toBe(false)
  expect(isOperator('127.0.0.1')).toBe(false)
  expect(brandOf({}).isOperator('agency.example')).toBe(false)
})

test('a brand with more operators than may be is malformed', () => {
  const { value } = KEY_DISCOVERY_LIMITS.brandEntries
  const operators = (length: number) => ({
    authorized_operators: Array.from({ length }, (_, n) => ({ domain: `o${n}.example` })),
  })
  expect(readCallerBrand(operators(value)).ok).toBe(true)
  expect(readCallerBrand(operators(value + 1))).toMatchObject({
    failure: 'signature_brand_json_malformed',
  })
})

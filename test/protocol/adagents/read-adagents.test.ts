import { describe, expect, test } from 'vitest'
import { readAdsTxt } from '../../../src/protocol/adagents/ads-txt.ts'
import { readAdagents } from '../../../src/protocol/adagents/read-adagents.ts'

const QUESTION = { ownDomain: 'pub.example', allowHttp: false, maxProperties: 100 }
const read = (document: unknown, over: Partial<typeof QUESTION> = {}) =>
  readAdagents(Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)), {
    ...QUESTION,
    ...over,
  })

const AGENT = {
  url: 'https://Sell.Example:443/mcp/',
  authorized_for: 'display',
  authorization_type: 'property_ids',
  property_ids: ['home'],
}
const HOME = {
  property_id: 'home',
  property_type: 'website',
  name: 'Home',
  identifiers: [{ type: 'domain', value: 'WWW.pub.example' }],
}
const inline = (over: Record<string, unknown> = {}) => {
  const reading = read({ authorized_agents: [AGENT], properties: [HOME], ...over })
  if (reading.kind !== 'inline') throw new Error(JSON.stringify(reading))
  return reading
}

describe('an adagents.json', () => {
  test('is read with agents, properties and identifiers in one spelling each', () => {
    const { file, faults, is_clean } = inline()
    expect(faults).toEqual([])
    expect(is_clean).toBe(true)
    expect(file.entries[0]).toMatchObject({
      agent_url: 'https://sell.example/mcp',
      authorization_type: 'property_ids',
      selectors: [{ publisher_domains: null, by: 'ids', values: ['home'], property_types: null }],
    })
    expect(file.properties[0]).toMatchObject({
      property_id: 'home',
      publisher_domain: 'pub.example',
      identifiers: [{ type: 'domain', value: 'pub.example' }],
    })
  })

  test('names the line and the pointer of every fault', () => {
    const text = `{
  "authorized_agents": [
    {"url": "http://a.example", "authorized_for": "x",
     "authorization_type": "property_ids"},
    {"url": "https://a.example", "authorized_for": "x"}
  ]
}`
    const { faults } = read(text)
    expect(faults).toMatchObject([
      { pointer: '/authorized_agents/0/url', line: 3, severity: 'error' },
      { pointer: '/authorized_agents/0/property_ids', line: 3 },
      { pointer: '/authorized_agents/1/authorization_type', line: 5 },
    ])
  })

  test('an entry without its type or its companion authorizes nothing, and the others hold', () => {
    const { url, authorized_for } = AGENT
    const { file, is_clean } = inline({
      authorized_agents: [{ url, authorized_for }, { ...AGENT, property_ids: [] }, AGENT],
    })
    expect(is_clean).toBe(false)
    expect(file.entries.map(({ n }) => n)).toEqual([2])
  })

  test.each([
    [
      'both domain forms',
      { publisher_domain: 'a.example', publisher_domains: ['b.example'], selection_type: 'all' },
    ],
    ['no domain', { selection_type: 'all' }],
    [
      'by_id of several',
      { publisher_domains: ['a.example'], selection_type: 'by_id', property_ids: ['x'] },
    ],
    ['by_tag without tags', { publisher_domain: 'a.example', selection_type: 'by_tag' }],
    ['an unknown selection', { publisher_domain: 'a.example', selection_type: 'most' }],
  ])('a selector with %s is refused', (_what, selector) => {
    const { file, is_clean } = inline({
      authorized_agents: [
        { ...AGENT, authorization_type: 'publisher_properties', publisher_properties: [selector] },
      ],
    })
    expect(is_clean).toBe(false)
    expect(file.entries).toEqual([])
  })

  test.each([
    ['no JSON', '{"authorized_agents": [}'],
    ['a list', '[]'],
    ['no agents', '{}'],
    ['a member twice', '{"authorized_agents": [], "authorized_agents": []}'],
    [
      'a pointer and agents',
      { authoritative_location: 'https://a.example/f', authorized_agents: [] },
    ],
    ['a pointer over http', { authoritative_location: 'http://a.example/f' }],
    ['a pointer with a password', { authoritative_location: 'https://u:p@a.example/f' }],
    ['nothing', ''],
    ['too many levels', `${'['.repeat(100)}${']'.repeat(100)}`],
  ])('%s is no adagents.json', (_what, document) => {
    expect(read(document)).toMatchObject({ kind: 'broken' })
  })

  test('an empty list of agents is valid', () => {
    expect(read({ authorized_agents: [] })).toMatchObject({ kind: 'inline', is_clean: true })
  })

  test('a pin with a private key authorizes nothing', () => {
    const { file } = inline({
      authorized_agents: [{ ...AGENT, signing_keys: [{ kid: 'k', kty: 'OKP', d: 'secret' }] }],
    })
    expect(file.entries).toEqual([])
  })

  test('terms that cannot be read take the entry out', () => {
    for (const terms of [
      { countries: ['usa'] },
      { effective_from: 'soon' },
      { effective_from: '2026-02-01T00:00:00Z', effective_until: '2026-01-01T00:00:00Z' },
      { delegation_type: 'reseller' },
    ]) {
      expect(inline({ authorized_agents: [{ ...AGENT, ...terms }] }).file.entries).toEqual([])
    }
  })

  test('a file of another host says nothing of a property unless it names a publisher or a domain', () => {
    const app = {
      ...HOME,
      property_id: 'app',
      identifiers: [{ type: 'ios_bundle', value: 'com.pub' }],
    }
    const reading = read(
      { authorized_agents: [AGENT], properties: [HOME, app] },
      { ownDomain: null as never },
    )
    expect(reading).toMatchObject({
      file: { properties: [{ publisher_domain: 'pub.example' }, { publisher_domain: null }] },
    })
  })

  test('more properties than the limit are refused as a whole', () => {
    const properties = Array.from({ length: 101 }, (_, n) => ({ ...HOME, property_id: `p${n}` }))
    expect(read({ authorized_agents: [AGENT], properties })).toMatchObject({ kind: 'broken' })
  })

  test('agents times publishers is bounded as a product', () => {
    const publisher_domains = Array.from({ length: 1_000 }, (_, n) => `p${n}.example`)
    const authorized_agents = Array.from({ length: 300 }, (_, n) => ({
      ...AGENT,
      url: `https://a${n}.example/mcp`,
      authorization_type: 'publisher_properties',
      publisher_properties: [{ publisher_domains, selection_type: 'all' }],
    }))
    expect(read({ authorized_agents })).toMatchObject({ kind: 'broken' })
  })

  test('a hundred thousand faults are counted, and a hundred are reported', () => {
    const reading = read({
      authorized_agents: [],
      properties: Array(100).fill({}),
      revoked_publisher_domains: Array(100_000).fill(1),
    })
    expect(reading.faults).toHaveLength(100)
    expect(reading.total_faults).toBe(100_300)
  })
})

describe('an ads.txt', () => {
  test.each([
    ['MANAGERDOMAIN=m.example', 'm.example'],
    ['managerdomain = M.Example , x', 'm.example'],
    ['MANAGERDOMAIN=a.example\nMANAGERDOMAIN=b.example', 'b.example'],
    ['MANAGERDOMAIN=a.example\nMANAGERDOMAIN=b.example # noagents', 'a.example'],
    ['# MANAGERDOMAIN=a.example', null],
    ['OWNERDOMAIN=a.example\ngoogle.com, 1, DIRECT', null],
    ['', null],
  ])('%j is managed by %j', (text, manager_domain) => {
    expect(readAdsTxt(text)).toMatchObject({ manager_domain, is_clean: true })
  })

  test('a manager that is no domain is reported with its line', () => {
    expect(readAdsTxt('x\nMANAGERDOMAIN=https://a.example/')).toMatchObject({
      manager_domain: null,
      faults: [{ line: 2, severity: 'error' }],
    })
  })
})

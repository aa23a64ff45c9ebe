import { describe, expect, test } from 'vitest'
import type { ManifestType } from '../../src/protocol/manifest-reference.ts'
import { namesAgent } from '../../src/protocol/names-agent.ts'

const NOW = Date.parse('2026-06-01T00:00:00Z')
const requested = (document: unknown, type: ManifestType = 'brand.json') =>
  namesAgent(document, type, { url: 'https://agent.example/mcp', id: 'acme', now: NOW })
const agent = (fields: object = {}) => ({ url: 'https://agent.example/mcp', id: 'acme', ...fields })

describe('a brand.json', () => {
  test.each([
    ['in its agents', { agents: [agent({ id: 'x' }), agent()] }],
    ['as its brand_agent', { brand_agent: agent() }],
    ['as its rights_agent', { rights_agent: agent() }],
    ['in the agents of one of its brands', { brands: [{}, { agents: [agent()] }] }],
    ['as the brand_agent of one of its brands', { brands: [{ brand_agent: agent() }] }],
    ['in another spelling', { agents: [agent({ url: 'HTTPS://Agent.Example:443/mcp/' })] }],
  ])('names an agent %s', (_where, document) => {
    expect(requested(document)).toBe('named')
  })

  test.each([
    ['another id', { agents: [agent({ id: 'other' })] }, 'other_id'],
    ['an id in capitals', { agents: [agent({ id: 'ACME' })] }, 'other_id'],
    ['another path', { agents: [agent({ url: 'https://agent.example/a2a' })] }, 'not_named'],
    ['another port', { agents: [agent({ url: 'https://agent.example:8443/mcp' })] }, 'not_named'],
    ['another scheme', { agents: [agent({ url: 'http://agent.example/mcp' })] }, 'not_named'],
    ['a look-alike', { agents: [agent({ url: 'https://аgent.example/mcp' })] }, 'not_named'],
    ['authorized_agents', { authorized_agents: [agent()] }, 'not_named'],
    ['nothing', {}, 'not_named'],
    ['no object', [agent()], 'not_named'],
    ['odd members', { agents: 'x', brands: [null, 7], brand_agent: [agent()] }, 'not_named'],
  ])('with %s: %s', (_what, document, naming) => {
    expect(requested(document)).toBe(naming)
  })
})

describe('an adagents.json', () => {
  const file = (entry: object, more: object = {}) =>
    requested(
      { authorized_agents: [{ url: 'https://agent.example/mcp', ...entry }], ...more },
      'adagents.json',
    )

  test('names an agent by a property it may sell', () => {
    expect(file({ property_ids: ['other', 'acme'] })).toBe('named')
    expect(file({ properties: [{ property_id: 'acme' }] })).toBe('named')
    expect(file({ id: 'acme' })).toBe('named')
    expect(file({ property_ids: ['other'] })).toBe('other_id')
  })

  test('names an agent by its URL alone where it has nothing to identify an id by', () => {
    expect(file({})).toBe('named')
    expect(file({ id: 'other' })).toBe('other_id')
  })

  test('means all its properties where an agent lists none, and only then', () => {
    const properties = [{ property_id: 'acme' }]
    expect(file({}, { properties })).toBe('named')
    expect(file({ property_ids: ['other'] }, { properties })).toBe('other_id')
  })

  test.each([
    ['has begun', { effective_from: '2026-05-01T00:00:00Z' }, 'named'],
    ['begins later', { effective_from: '2026-07-01T00:00:00Z' }, 'not_named'],
    ['ends later', { effective_until: '2026-07-01T00:00:00Z' }, 'named'],
    ['has ended', { effective_until: '2026-06-01T00:00:00Z' }, 'not_named'],
  ])('an authorization that %s: %s', (_what, times, naming) => {
    expect(file({ property_ids: ['acme'], ...times })).toBe(naming)
  })
})

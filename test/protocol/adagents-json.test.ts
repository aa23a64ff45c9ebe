import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAdagentsJson } from '../../src/protocol/adagents-json.ts'

type Json = Record<string, unknown>

const agent = (over: Json = {}): Json => ({
  url: 'https://ads.example.com/mcp',
  authorized_for: 'All display inventory',
  ...over,
})
const property = (over: Json = {}): Json => ({
  property_type: 'website',
  name: 'Example',
  identifiers: [{ type: 'domain', value: 'example.com' }],
  ...over,
})
const inline = (over: Json = {}): Json => ({ authorized_agents: [agent()], ...over })
const signingKey = { kid: 'k1', kty: 'OKP', crv: 'Ed25519', x: 'AA', alg: 'EdDSA', use: 'sig' }

/** One good value for every optional top-level field. */
const extras: Json = {
  contact: { name: 'Example Ads', email: 'ads@example.com', domain: 'example.com' },
  properties: [property({ property_id: 'main', tags: ['news'] })],
  tags: { news: { name: 'News', description: 'News sites' } },
  collections: [{ collection_id: 'c' }],
  placements: [{ placement_id: 'p' }],
  formats: [{ format_id: 'f' }],
  signals: [{ id: 's', name: 'Signal', value_type: 'binary' }],
  signal_tags: { auto: { name: 'Auto', description: 'Vehicles' } },
  property_features: [{ url: 'https://f.example', name: 'F', features: ['x'] }],
  catalog_etag: 'v1',
  last_updated: '2026-01-31T12:00:00Z',
}

function refused(document: unknown): { pointer: string; message: string }[] {
  const check = checkAdagentsJson(document)
  if (check.ok) throw new Error(`accepted as ${check.variant}`)
  return check.issues
}

describe('the variants of adagents.json', () => {
  test('spec 2.1: an authoritative location is a redirect to it', () => {
    expect(
      checkAdagentsJson({ authoritative_location: 'https://cdn.example/adagents.json' }),
    ).toEqual({
      ok: true,
      variant: 'authoritative_location',
      completeness: 0,
      redirectTo: 'https://cdn.example/adagents.json',
      summary: { agents: [], properties: [] },
    })
  })

  test('spec 2.1: an inline list names its agents and properties', () => {
    const check = checkAdagentsJson(
      inline({
        ...extras,
        authorized_agents: [
          agent({ authorization_type: 'property_ids', property_ids: ['main'] }),
          agent({ authorization_type: 'inline_properties', properties: [property()] }),
          agent({ signing_keys: [signingKey], delegation_type: 'direct', countries: ['US'] }),
        ],
      }),
    )
    expect(check).toMatchObject({
      ok: true,
      variant: 'inline',
      completeness: 95,
      summary: {
        name: 'Example Ads',
        properties: [{ name: 'Example', type: 'website', identifier: 'example.com' }],
      },
    })
    expect(check.ok && check.summary.agents).toHaveLength(3)
  })

  test('a publisher may authorize no one, and unknown fields pass', () => {
    expect(checkAdagentsJson({ authorized_agents: [], later: true })).toMatchObject({ ok: true })
  })
})

describe('what adagents.json must not say', () => {
  test.each<[string, unknown, string, string]>([
    ['null', null, '', 'JSON object'],
    ['http', { authoritative_location: 'http://a.example' }, '/authoritative_location', 'https'],
    [
      'both variants',
      inline({ authoritative_location: 'https://a.example' }),
      '/authorized_agents',
      'does not belong',
    ],
    [
      'agents that are no list',
      { authorized_agents: {} },
      '/authorized_agents',
      'a list, not an object',
    ],
    [
      'an agent without URL',
      { authorized_agents: [{ authorized_for: 'x' }] },
      '/authorized_agents/0/url',
      'required',
    ],
    [
      'an agent without purpose',
      { authorized_agents: [{ url: 'https://a.example' }] },
      '/authorized_agents/0/authorized_for',
      'required',
    ],
    [
      'a long purpose',
      { authorized_agents: [agent({ authorized_for: 'x'.repeat(501) })] },
      '/authorized_agents/0/authorized_for',
      'at most 500',
    ],
    [
      'an unknown scope',
      { authorized_agents: [agent({ authorization_type: 'all' })] },
      '/authorized_agents/0/authorization_type',
      'one of property_ids',
    ],
    [
      'a scope without its list',
      { authorized_agents: [agent({ authorization_type: 'signal_tags' })] },
      '/authorized_agents/0/signal_tags',
      'must list its signal_tags',
    ],
    [
      'a key without kid',
      { authorized_agents: [agent({ signing_keys: [{ kty: 'OKP' }] })] },
      '/authorized_agents/0/signing_keys/0/kid',
      'required',
    ],
    [
      'a lower-case country',
      { authorized_agents: [agent({ countries: ['us'] })] },
      '/authorized_agents/0/countries/0',
      'capital letters',
    ],
    [
      'a property without identifiers',
      inline({ properties: [property({ identifiers: [] })] }),
      '/properties/0/identifiers',
      'at least 1',
    ],
    ['a contact without name', inline({ contact: {} }), '/contact/name', 'required'],
    [
      'a tag without description',
      inline({ tags: { a: { name: 'A' } } }),
      '/tags/a/description',
      'required',
    ],
  ])('%s is refused at its place with what would be right', (_, document, pointer, message) => {
    expect(refused(document)).toContainEqual({ pointer, message: expect.stringContaining(message) })
  })

  test('a published private key is refused and not repeated', () => {
    const leaked = { ...signingKey, d: 'c2VjcmV0' }
    const issues = refused({ authorized_agents: [agent({ signing_keys: [leaked] })] })
    expect(issues[0]?.message).toContain('private')
    expect(JSON.stringify(issues)).not.toContain('c2VjcmV0')
  })

  test('where neither variant fits, both are named and the nearest with what it lacks', () => {
    const [issue] = refused({ contact: { name: 'x' }, properties: [] })
    expect(issue?.message).toContain('a redirect (authoritative_location)')
    expect(issue?.message).toContain(
      'nearest is an inline list (authorized_agents), which lacks authorized_agents',
    )
  })

  test('http is accepted where the caller allows it', () => {
    const document = { authorized_agents: [agent({ url: 'http://127.0.0.1:9000' })] }
    expect(checkAdagentsJson(document).ok).toBe(false)
    expect(checkAdagentsJson(document, { allowHttp: true }).ok).toBe(true)
  })
})

describe('properties of the check', () => {
  const fields = fc.subarray(Object.keys(extras))
  const withFields = (names: string[]): Json =>
    inline(Object.fromEntries(names.map((name) => [name, extras[name]])))
  const nearManifest = fc.dictionary(
    fc.constantFrom(
      'authoritative_location',
      'authorized_agents',
      '__proto__',
      ...Object.keys(extras),
    ),
    fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...Object.values(extras), [agent()])),
  )

  test('no JSON value makes it throw, and what is accepted is accepted alike after JSON', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), nearManifest, fields.map(withFields)), (document) => {
        const check = checkAdagentsJson(document)
        if (check.ok) expect(checkAdagentsJson(JSON.parse(JSON.stringify(document)))).toEqual(check)
        else expect(check.issues.length).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })

  test('an optional field more never lowers completeness', () => {
    const score = (document: Json): number => {
      const check = checkAdagentsJson(document)
      if (!check.ok) throw new Error(JSON.stringify(check.issues))
      return check.completeness
    }
    fc.assert(
      fc.property(fields, fc.constantFrom(...Object.keys(extras)), (names, added) => {
        expect(score(withFields([...names, added]))).toBeGreaterThanOrEqual(
          score(withFields(names)),
        )
      }),
    )
  })
})

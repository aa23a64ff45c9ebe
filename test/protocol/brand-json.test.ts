import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OPTIONAL_BRAND_FIELDS } from '../../src/protocol/brand-entry.ts'
import { checkBrandJson } from '../../src/protocol/brand-json.ts'
import type { ManifestCheck } from '../../src/protocol/manifest-variants.ts'

type Json = Record<string, unknown>

const agent = (over: Json = {}): Json => ({
  type: 'sales',
  url: 'https://ads.example.com/mcp',
  id: 'example_sales',
  ...over,
})
const brand = (over: Json = {}): Json => ({ id: 'example', names: [{ en: 'Example' }], ...over })
const portfolio = (over: Json = {}): Json => ({
  house: { domain: 'example.com', name: 'Example Inc.' },
  brands: [brand()],
  ...over,
})

/** One good value for every optional brand field. */
const brandExtras: Record<(typeof OPTIONAL_BRAND_FIELDS)[number], unknown> = {
  url: 'https://example.com',
  description: 'Shoes.',
  keller_type: 'master',
  industries: ['retail'],
  target_audience: 'Runners',
  logos: [{ url: 'https://example.com/logo.svg', variant: 'primary', width: 40 }],
  colors: { primary: '#0a7', secondary: ['#00AA77', '#fff'], house_specific: 'teal' },
  fonts: { primary: 'Inter', font_urls: ['https://example.com/inter.woff2'] },
  tone: { voice: 'warm', dos: ['be brief'] },
  tagline: 'Run.',
  assets: [{ asset_id: 'a', asset_type: 'image', url: 'https://example.com/a.png' }],
  properties: [{ type: 'website', identifier: 'example.com', primary: true, region: 'global' }],
  product_catalog: { feed_url: 'https://example.com/feed.xml' },
  privacy_policy_url: 'https://example.com/privacy',
  disclaimers: [{ text: 'Terms apply.' }],
  voice_synthesis: { provider: 'v' },
  avatar: { provider: 'a' },
  visual_guidelines: { restrictions: [] },
  trademarks: [{ registry: 'USPTO', number: '1', mark: 'EXAMPLE' }],
  agents: [agent()],
  contact: { email: 'ads@example.com' },
}

function accepted(check: ManifestCheck): Extract<ManifestCheck, { ok: true }> {
  if (!check.ok) throw new Error(JSON.stringify(check.issues))
  return check
}

function refused(document: unknown): { pointer: string; message: string }[] {
  const check = checkBrandJson(document)
  if (check.ok) throw new Error(`accepted as ${check.variant}`)
  return check.issues
}

describe('the variants of brand.json', () => {
  test('spec 2.1: an authoritative location is a redirect to it', () => {
    const check = checkBrandJson({
      $schema: 'https://schemas.example/brand.json',
      authoritative_location: 'https://brands.example/abc/brand.json',
      redirect_reason: 'rebrand',
    })
    expect(check).toEqual({
      ok: true,
      variant: 'authoritative_location',
      completeness: 33,
      redirectTo: 'https://brands.example/abc/brand.json',
      summary: { agents: [], properties: [] },
    })
  })

  test('spec 2.1: a house given as a domain is a redirect to the file of that house', () => {
    const check = accepted(checkBrandJson({ house: 'München.example', region: 'CN', note: 'x' }))
    expect(check.variant).toBe('house_redirect')
    expect(check.redirectTo).toBe('https://xn--mnchen-3ya.example/.well-known/brand.json')
    expect(check.completeness).toBe(50)
  })

  test('spec 2.1: agents alone are a manifest, in the list or in the older single form', () => {
    const check = accepted(
      checkBrandJson({
        agents: [agent({ jwks_uri: 'https://ads.example.com/keys' })],
        brand_agent: { url: 'https://old.example.com', id: 'old' },
        contact: { name: 'Example' },
      }),
    )
    expect(check.variant).toBe('agents')
    expect(check.summary).toEqual({
      name: 'Example',
      agents: [
        { url: 'https://ads.example.com/mcp', id: 'example_sales', type: 'sales' },
        { url: 'https://old.example.com', id: 'old' },
      ],
      properties: [],
    })
    expect(checkBrandJson({ brand_agent: { url: 'https://a.example', id: 'a' } }).ok).toBe(true)
  })

  test('spec 2.1: a house portfolio may hold brands, references to brands, or both', () => {
    const ref = { domain: 'other.example', brand_id: 'other', managed_by: 'agency.example' }
    const check = accepted(
      checkBrandJson(
        portfolio({ brands: [brand({ ...brandExtras })], brand_refs: [ref], agents: [agent()] }),
      ),
    )
    expect(check.variant).toBe('house_portfolio')
    expect(check.summary.name).toBe('Example Inc.')
    expect(check.summary.agents).toHaveLength(2)
    expect(check.summary.properties).toEqual([{ type: 'website', identifier: 'example.com' }])
    expect(checkBrandJson({ house: portfolio().house, brand_refs: [ref] }).ok).toBe(true)
  })

  test('spec 2.1: a single brand may say everything about itself', () => {
    const check = accepted(
      checkBrandJson({
        ...brand(brandExtras),
        version: '1.0',
        last_updated: '2026-01-31T12:00:00+01:00',
        house_domain: 'house.example',
      }),
    )
    expect(check.variant).toBe('brand_document')
    expect(check.completeness).toBe(100)
    expect(check.summary.name).toBe('Example')
    expect(check.redirectTo).toBeUndefined()
  })

  test('unknown fields pass at every level', () => {
    const document = brand({ later: { x: 1 }, logos: [{ url: 'https://e.example/l', shape: 'o' }] })
    expect(checkBrandJson(document).ok).toBe(true)
  })
})

describe('what brand.json must not say', () => {
  test.each<[string, unknown, string, string]>([
    ['a list', [], '', 'JSON object'],
    ['http', { authoritative_location: 'http://a.example/b' }, '/authoritative_location', 'https'],
    [
      'no URL',
      { authoritative_location: 7 },
      '/authoritative_location',
      'must be a string, not a number',
    ],
    [
      'credentials',
      { authoritative_location: 'https://u:p@a.example/b' },
      '/authoritative_location',
      'https URL',
    ],
    ['a house URL', { house: 'https://a.example/' }, '/house', 'domain alone'],
    ['a house list', { house: ['a.example'] }, '/house', 'must be a string, not a list'],
    [
      'an unknown reason',
      { house: 'a.example', redirect_reason: 'whim' },
      '/redirect_reason',
      'one of acquisition',
    ],
    [
      'a date',
      { house: 'a.example', redirect_effective_at: '2026-01-31' },
      '/redirect_effective_at',
      'ISO 8601',
    ],
    [
      'two variants',
      { house: 'a.example', agents: [agent()] },
      '/agents',
      'does not belong in a redirect',
    ],
    ['no agents', { agents: [] }, '/agents', 'at least 1'],
    [
      'an unknown agent type',
      { agents: [agent({ type: 'magic' })] },
      '/agents/0/type',
      'one of brand, rights',
    ],
    [
      'an agent over http',
      { agents: [agent({ url: 'http://a.example' })] },
      '/agents/0/url',
      'https',
    ],
    ['a bad agent id', { agents: [agent({ id: 'A-1' })] }, '/agents/0/id', 'lower-case'],
    [
      'a long agent id',
      { agents: [agent({ id: 'a'.repeat(101) })] },
      '/agents/0/id',
      'at most 100',
    ],
    ['an agent without URL', { agents: [{ type: 'sales', id: 'a' }] }, '/agents/0/url', 'required'],
    ['a twin URL', { agents: [agent(), agent({ id: 'b' })] }, '/agents/1/url', 'already used'],
    [
      'an equal URL',
      { agents: [agent(), agent({ url: 'HTTPS://ADS.example.com:443/mcp' })] },
      '/agents/1/url',
      'already used',
    ],
    ['no brands', portfolio({ brands: [] }), '', 'at least one brand'],
    [
      'a house without name',
      portfolio({ house: { domain: 'a.example' } }),
      '/house/name',
      'required',
    ],
    ['brands alone', { brands: [brand()] }, '/house', 'required: give an object'],
    ['twin brands', portfolio({ brands: [brand(), brand()] }), '/brands/1/id', 'already used'],
    [
      'a brand twice',
      portfolio({ brand_refs: [{ domain: 'a.example', brand_id: 'example' }] }),
      '/brand_refs/0/brand_id',
      'list it only once',
    ],
    ['no names', { id: 'a' }, '/names', 'required: give a list'],
    [
      'two languages in one name',
      brand({ names: [{ en: 'A', fr: 'B' }] }),
      '/names/0',
      'exactly one language',
    ],
    ['a colour word', brand({ colors: { primary: 'red' } }), '/colors/primary', 'hex colour'],
    [
      'a colour list with a word',
      brand({ colors: { text: ['#fff', 'red'] } }),
      '/colors/text/1',
      'hex colour',
    ],
    ['a numeric colour', brand({ colors: { text: 7 } }), '/colors/text', 'hex colour'],
    [
      'a logo without width',
      brand({ logos: [{ url: 'https://a.example', width: 0 }] }),
      '/logos/0/width',
      'more than 0',
    ],
    ['a logo without URL', brand({ logos: [{}] }), '/logos/0/url', 'required'],
    ['a numeric tone', brand({ tone: 3 }), '/tone', 'string, or an object'],
    ['a bad address', brand({ contact: { email: 'nobody' } }), '/contact/email', 'e-mail'],
    [
      'a redirect field',
      brand({ redirect_reason: 'rebrand' }),
      '/redirect_reason',
      'a single brand',
    ],
    ['a slash in a key', brand({ names: [{ 'a/~b': '' }] }), '/names/0/a~1~0b', 'at least 1'],
  ])('%s is refused at its place with what would be right', (_, document, pointer, message) => {
    expect(refused(document)).toContainEqual({ pointer, message: expect.stringContaining(message) })
  })

  test('where no variant fits, the variants are named and the nearest with what it lacks', () => {
    const [issue, ...others] = refused({ logos: [], colors: {}, tagline: 'x' })
    expect(others).toEqual([])
    expect(issue?.pointer).toBe('')
    for (const mark of ['authoritative_location', 'house as a domain', 'brand_refs', 'agents']) {
      expect(issue?.message).toContain(mark)
    }
    expect(issue?.message).toContain(
      'nearest is a single brand (id and names), which lacks id and names',
    )
    expect(refused({})[0]?.message).toContain('matches none of them')
    expect(refused({ redirect_reason: 'legacy' })[0]?.message).toContain(
      'lacks authoritative_location',
    )
  })

  test('at most 20 faults are reported', () => {
    expect(refused(brand({ logos: Array(50).fill({}) }))).toHaveLength(20)
  })

  test('http is accepted for agents and redirects where the caller allows it', () => {
    const document = { agents: [agent({ url: 'http://127.0.0.1:9000/mcp' })] }
    expect(checkBrandJson(document).ok).toBe(false)
    expect(checkBrandJson(document, { allowHttp: true }).ok).toBe(true)
    const redirect = { authoritative_location: 'http://127.0.0.1:9000/brand.json' }
    expect(checkBrandJson(redirect, { allowHttp: true }).ok).toBe(true)
    const ftp = { authoritative_location: 'ftp://a.example/b' }
    expect(checkBrandJson(ftp, { allowHttp: true }).ok).toBe(false)
  })

  test('the summary holds at most 100 agents and 100 properties', () => {
    const check = accepted(
      checkBrandJson(
        brand({
          agents: Array.from({ length: 150 }, (_, i) => agent({ url: `https://a.example/${i}` })),
          properties: Array.from({ length: 150 }, (_, i) => ({
            type: 'website',
            identifier: `${i}`,
          })),
        }),
      ),
    )
    expect(check.summary.agents).toHaveLength(100)
    expect(check.summary.properties).toHaveLength(100)
  })
})

describe('properties of the check', () => {
  const extras = fc.subarray(Object.keys(brandExtras) as (keyof typeof brandExtras)[])
  const withFields = (fields: (keyof typeof brandExtras)[]): Json =>
    brand(Object.fromEntries(fields.map((field) => [field, brandExtras[field]])))

  // Arbitrary values under the known names, so that every schema meets every type.
  const nearManifest = fc.dictionary(
    fc.constantFrom(
      'authoritative_location',
      'house',
      'agents',
      'brand_agent',
      'brands',
      'brand_refs',
      'id',
      'names',
      '__proto__',
      'constructor',
      'toString',
      ...Object.keys(brandExtras),
    ),
    fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(...Object.values(brandExtras), 'a.example', 'https://a.example'),
    ),
  )

  test('no JSON value makes it throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), nearManifest), (document) => {
        const check = checkBrandJson(document)
        if (!check.ok) expect(check.issues.length).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })

  test('what is accepted is accepted alike after a trip through JSON', () => {
    fc.assert(
      fc.property(fc.oneof(extras.map(withFields), nearManifest), (document) => {
        const check = checkBrandJson(document)
        if (check.ok) expect(checkBrandJson(JSON.parse(JSON.stringify(document)))).toEqual(check)
      }),
    )
  })

  test('an optional field more never lowers completeness, alone or inside a house', () => {
    fc.assert(
      fc.property(extras, fc.constantFrom(...OPTIONAL_BRAND_FIELDS), (fields, added) => {
        const before = withFields(fields)
        const after = withFields([...fields, added])
        const score = (document: Json) => accepted(checkBrandJson(document)).completeness
        expect(score(after)).toBeGreaterThanOrEqual(score(before))
        expect(score(portfolio({ brands: [after] }))).toBeGreaterThanOrEqual(
          score(portfolio({ brands: [before] })),
        )
      }),
    )
  })
})

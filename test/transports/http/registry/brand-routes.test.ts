import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBrandJson } from '../../../../src/protocol/brand-json.ts'
import { type Call, call, startApp, type TestApp } from '../../../support/app.ts'
import { verifyDocuments } from '../../../support/verify-documents.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
const website = (identifier: string, more: object = {}) => ({
  type: 'website',
  identifier,
  ...more,
})
const brandOf = (id: string, more: object = {}) => ({ id, names: [{ en: `Brand ${id}` }], ...more })
const leaf = brandOf('leaf', { house_domain: 'house.example' })

const DOCUMENTS = {
  'acme.example': brandOf('acme', {
    names: [{ en: 'Acme Outdoor' }, { de: 'Acme Draußen' }],
    agents: [{ type: 'brand', url: 'https://agents.acme.example/mcp', id: 'acme' }],
  }),
  'house.example': {
    house: { domain: 'house.example', name: 'The House' },
    brands: [
      brandOf('main', { keller_type: 'master' }),
      brandOf('sub', {
        keller_type: 'sub_brand',
        parent_brand: 'main',
        properties: [
          website('sub.example', { primary: true, relationship: 'owned' }),
          website('sub-alias.example'),
          website('elsewhere.example'),
          website('sold.example', { relationship: 'ad_network' }),
        ],
      }),
    ],
    brand_refs: [
      { domain: 'leaf.example', brand_id: 'leaf' },
      { domain: 'future.example', brand_id: 'future', effective_at: daysAgo(-10) },
      { domain: 'old.example', brand_id: 'old', effective_at: daysAgo(200) },
      { domain: 'recent.example', brand_id: 'recent', effective_at: daysAgo(100) },
      { domain: 'named.example', brand_id: 'named' },
      { domain: 'lapsed.example', brand_id: 'lapsed', effective_at: daysAgo(200) },
    ],
  },
  'sub.example': { house: 'house.example' },
  'sub-alias.example': { house: 'house.example' },
  'sold.example': { house: 'house.example' },
  'leaf.example': leaf,
  'future.example': leaf,
  'old.example': leaf,
  'recent.example': leaf,
  'unnamed.example': leaf,
  'named.example': brandOf('named'),
  'lapsed.example': brandOf('lapsed'),
  'orphan.example': brandOf('orphan', { house_domain: 'nowhere.example' }),
  'agents.example': { agents: [{ type: 'brand', url: 'https://a.example/mcp', id: 'a' }] },
  'self.example': brandOf('self', { house_domain: 'self.example' }),
  'single.example': brandOf('single', { house_domain: 'acme.example' }),
  'elsewhere.example': brandOf('elsewhere', { house_domain: 'house.example' }),
  // Says that it is of a house, in a document that is not the house's.
  'thief.example': {
    house: { domain: 'house.example', name: 'The House' },
    brands: [brandOf('stolen', { properties: [website('thief.example')] })],
  },
  'broken.example': { id: 'no names' },
}
const VALID = Object.keys(DOCUMENTS).filter((domain) => domain !== 'broken.example')

describe.each(['sqlite', 'postgres'] as const)('brands over HTTP [%s]', (store) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ store, config: { registryVerifyConcurrency: 0 } })
    await verifyDocuments(app.storage.database, DOCUMENTS)
  })
  afterAll(() => app.stop())

  const ask = (path: string, request?: Call) => call(app.url + path, request)
  const resolve = (domain: string) => ask(`/api/brands/resolve?domain=${domain}`)

  test('spec 4.5: a domain is resolved to its brand, with the document', async () => {
    const { status, body } = await resolve('HTTPS://Acme.Example/path')
    expect([status, body]).toEqual([
      200,
      {
        canonical_id: 'acme',
        canonical_domain: 'acme.example',
        brand_name: 'Acme Outdoor',
        names: [{ en: 'Acme Outdoor' }, { de: 'Acme Draußen' }],
        brand_agent_url: 'https://agents.acme.example/mcp',
        relationship_trust: 'standalone',
        brand_manifest: DOCUMENTS['acme.example'],
        source: 'brand_json',
      },
    ])
  })

  test.each([
    ['house.example', 'main', 'inline', 'house.example', undefined],
    ['sub.example', 'main#sub', 'inline', 'house.example', undefined],
    ['sub-alias.example', 'main#sub', 'inline', 'house.example', undefined],
    ['sold.example', 'sold.example', 'leaf_only', undefined, 'house.example'],
    ['leaf.example', 'leaf', 'mutual', 'house.example', undefined],
    ['recent.example', 'leaf', 'mutual', 'house.example', undefined],
    ['future.example', 'leaf', 'leaf_only', undefined, 'house.example'],
    ['old.example', 'leaf', 'leaf_only', undefined, 'house.example'],
    ['unnamed.example', 'leaf', 'leaf_only', undefined, 'house.example'],
    ['named.example', 'named', 'house_only', undefined, 'house.example'],
    ['lapsed.example', 'lapsed', 'standalone', undefined, undefined],
    ['orphan.example', 'orphan', 'unverifiable', undefined, 'nowhere.example'],
    ['self.example', 'self', 'standalone', undefined, undefined],
    ['single.example', 'single', 'leaf_only', undefined, 'acme.example'],
    ['elsewhere.example', 'elsewhere', 'inline', 'house.example', undefined],
    ['thief.example', 'stolen', 'leaf_only', undefined, 'house.example'],
    ['agents.example', 'agents.example', 'standalone', undefined, undefined],
  ])(
    'spec 4.5: a house counts once both sides say so: %s',
    async (domain, id, trust, house, claimed) => {
      const { body } = await resolve(domain)
      expect(body).toMatchObject({ canonical_id: id, relationship_trust: trust })
      expect([body.house_domain, body.claimed_house_domain]).toEqual([house, claimed])
      expect(body.house_name).toBe(house && 'The House')
    },
  )

  test('spec 4.5: a relationship has the times since when it is declared and at which it was seen', async () => {
    const timesOf = async (domain: string) => {
      const { relationship_declared_at, relationship_verified_at } = (await resolve(domain)).body
      return [relationship_declared_at, relationship_verified_at]
    }
    const house = DOCUMENTS['house.example'].brand_refs as {
      domain: string
      effective_at?: string
    }[]
    const said = house.find(({ domain }) => domain === 'recent.example')?.effective_at
    const seen = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    expect(await timesOf('recent.example')).toEqual([said, seen])
    // The house does not say since when: since it was first seen to name the brand.
    expect(await timesOf('leaf.example')).toEqual([seen, seen])
    expect(await timesOf('sub.example')).toEqual([undefined, seen])
    expect(await timesOf('named.example')).toEqual([seen, undefined])
    expect(await timesOf('orphan.example')).toEqual([undefined, undefined])
  })

  test('spec 4.5: an alias has the domain of its brand as the canonical one', async () => {
    const { body } = await resolve('sub-alias.example')
    expect(body).toMatchObject({
      canonical_domain: 'sub.example',
      brand_name: 'Brand sub',
      keller_type: 'sub_brand',
      parent_brand: 'main',
    })
  })

  test('spec 4.5: what is not valid is not resolved, and the answer says why', async () => {
    const broken = await resolve('broken.example')
    expect([broken.status, broken.body]).toEqual([
      404,
      { error: 'Brand not found', domain: 'broken.example', file_status: 'invalid' },
    ])
    expect((await resolve('none.example')).body).toMatchObject({ file_status: 'unknown' })
    expect((await resolve('no%20domain')).status).toBe(400)
    expect((await ask('/api/brands/resolve')).status).toBe(400)
  })

  test('spec 4.5: many domains are resolved at once, each by the name it was sent under', async () => {
    const domains = ['ACME.example', 'leaf.example', 'none.example', 'no domain', '__proto__']
    const { status, body } = await ask('/api/brands/resolve/bulk', { body: { domains } })
    expect(status).toBe(200)
    const results = body.results as Record<string, Record<string, unknown> | null>
    expect(Object.keys(results).sort()).toEqual([...domains].sort())
    expect(results['ACME.example']).toEqual((await resolve('acme.example')).body)
    expect(results['leaf.example']).toMatchObject({ house_domain: 'house.example' })
    expect([results['none.example'], results['no domain']]).toEqual([null, null])
    const many = Array.from({ length: 101 }, (_, n) => `${n}.example`)
    expect((await ask('/api/brands/resolve/bulk', { body: { domains: many } })).status).toBe(400)
    expect((await ask('/api/brands/resolve/bulk', { body: { domains: [] } })).status).toBe(400)
  })

  test('spec 4.5: brands are found by name and by domain', async () => {
    const find = async (q: string) => (await ask(`/api/brands/find?q=${q}`)).body.results
    expect(await find('OUTD')).toEqual([
      {
        domain: 'acme.example',
        canonical_domain: 'acme.example',
        brand_name: 'Acme Outdoor',
        keller_type: 'independent',
        brand_agent_url: 'https://agents.acme.example/mcp',
        source: 'brand_json',
      },
    ])
    expect(await find('sub-al')).toMatchObject([
      { domain: 'sub-alias.example', parent_brand: 'main' },
    ])
    expect(await find('broken')).toEqual([])
    expect((await ask('/api/brands/find?q=a')).status).toBe(400)
    expect((await ask('/api/brands/find?q=acme&limit=51')).status).toBe(400)
  })

  test('spec 4.5: the list has every valid one, page by page', async () => {
    const list = async (query: string) => {
      const { body } = await ask(`/api/brands/registry?${query}`)
      return (body.brands as { domain: string }[]).map(({ domain }) => domain)
    }
    expect(await list('limit=5000')).toEqual(VALID.toSorted())
    expect([...(await list('limit=7')), ...(await list('limit=100&offset=7'))]).toEqual(
      VALID.toSorted(),
    )
    expect(await list('search=outdoor')).toEqual(['acme.example'])
    expect(await list('source=community')).toEqual([])
    const { body } = await ask('/api/brands/registry?search=acme')
    expect(body).toEqual({
      brands: [
        {
          domain: 'acme.example',
          brand_name: 'Acme Outdoor',
          source: 'brand_json',
          has_manifest: true,
          verified: true,
          relationship_trust: 'standalone',
        },
      ],
      stats: {
        total: VALID.length,
        brand_json: VALID.length,
        hosted: 0,
        community: 0,
        enriched: 0,
        stub: 0,
        houses: 1,
        sub_brands: 2,
        with_manifest: VALID.length,
      },
    })
    expect((await ask('/api/brands/registry?limit=5001')).status).toBe(400)
  })

  test('spec 4.5: a served brand.json is a valid one, or 404', async () => {
    const { body } = await ask('/api/brands/brand-json?domain=sub.example')
    expect(body).toEqual({
      domain: 'sub.example',
      url: 'https://house.example/.well-known/brand.json',
      variant: 'house_portfolio',
      data: DOCUMENTS['house.example'],
    })
    for (const domain of VALID) {
      const served = await ask(`/brands/${domain}/brand.json`)
      expect(served.status).toBe(200)
      expect(checkBrandJson(served.body)).toMatchObject({ ok: true })
    }
    expect((await ask('/brands/broken.example/brand.json')).status).toBe(404)
    expect((await ask('/api/brands/brand-json?domain=none.example')).status).toBe(404)
  })

  test('documents of one bulk answer are bounded together, and none is left out of it', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 6 }, (_, n) => [
        `large-${n}.example`,
        brandOf(`large_${n}`, { description: 'x'.repeat(250_000) }),
      ]),
    )
    await verifyDocuments(app.storage.database, large)
    const domains = Object.keys(large)
    const { body } = await ask('/api/brands/resolve/bulk', { body: { domains } })
    const results = Object.values(body.results as Record<string, { brand_manifest?: object }>)
    expect(results.map(({ brand_manifest }) => brand_manifest !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect(results).toMatchObject(domains.map((_, n) => ({ brand_name: `Brand large_${n}` })))
  })

  test('a document that is too large to be kept leaves the name of its brand', async () => {
    const document = brandOf('huge', { description: 'x'.repeat(270_000) })
    await verifyDocuments(app.storage.database, { 'huge.example': document })
    expect((await resolve('huge.example')).body).toEqual({
      canonical_id: 'huge.example',
      canonical_domain: 'huge.example',
      brand_name: 'Brand huge',
      source: 'brand_json',
    })
    expect((await ask('/brands/huge.example/brand.json')).status).toBe(404)
  })

  test('an address may read a bounded number of times', async () => {
    const domains = Array.from({ length: 100 }, (_, n) => `${n}.example`)
    const statuses: number[] = []
    for (let n = 0; n < 8; n++) {
      statuses.push((await ask('/api/brands/resolve/bulk', { body: { domains } })).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })
})

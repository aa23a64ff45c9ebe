import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../../../support/app.ts'
import { crawl, crawling } from '../../../support/crawl.ts'
import { startWeb, type Web } from '../../../support/web.ts'

const AGENT = 'https://sell.example/mcp'
const file = (domain: string) => `https://${domain}/.well-known/adagents.json`
const property = (publisher_domain: string, property_id = 'home', more: object = {}) => ({
  property_id,
  property_type: 'website',
  name: `Site ${publisher_domain}`,
  publisher_domain,
  identifiers: [{ type: 'domain', value: publisher_domain }],
  tags: ['news'],
  ...more,
})
const entry = (url: string, property_ids: string[]) => ({
  url,
  authorized_for: 'display',
  authorization_type: 'property_ids',
  property_ids,
})

describe.each(['sqlite', 'postgres'] as const)('properties over HTTP [%s]', (store) => {
  let web: Web
  let app: TestApp
  beforeAll(async () => {
    web = await startWeb()
    app = await startApp({
      store,
      config: crawling(web.egressHosts),
      resolveTxt: web.resolveTxt,
    })
    web.publish(file('news.example'), {
      body: {
        contact: { name: 'News Ltd', email: 'ads@news.example' },
        authorized_agents: [entry(AGENT, ['home']), entry('https://b.example/mcp', ['app'])],
        properties: [
          property('news.example'),
          property('news.example', 'app', {
            property_type: 'mobile_app',
            identifiers: [{ type: 'ios_bundle', value: 'com.news.app' }],
            tags: ['app'],
          }),
        ],
      },
    })
    web.publish('https://manager.example/network.json', {
      body: {
        authorized_agents: [entry(AGENT, ['a', 'b'])],
        properties: [property('pa.example', 'a'), property('pb.example', 'b')],
      },
    })
    web.publish(file('pa.example'), {
      body: { authoritative_location: 'https://manager.example/network.json' },
    })
    web.publish(file('broken.example'), { body: { authorized_agents: 'none' } })
    for (const domain of ['news.example', 'pa.example', 'broken.example']) await crawl(app, domain)
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  const ask = (path: string, request?: Call) => call(app.url + path, request)

  test('spec 4.5: a domain is resolved to what its file says', async () => {
    const { status, body } = await ask('/api/properties/resolve?domain=WWW.News.example')
    expect([status, body]).toEqual([
      200,
      {
        publisher_domain: 'news.example',
        source: 'adagents_json',
        authorized_agents: [
          { url: 'https://b.example/mcp', authorized_for: 'display' },
          { url: AGENT, authorized_for: 'display' },
        ],
        properties: [
          {
            id: 'home',
            type: 'website',
            name: 'Site news.example',
            identifiers: [{ type: 'domain', value: 'news.example' }],
            tags: ['news'],
          },
          {
            id: 'app',
            type: 'mobile_app',
            name: 'Site news.example',
            identifiers: [{ type: 'ios_bundle', value: 'com.news.app' }],
            tags: ['app'],
          },
        ],
        contact: { name: 'News Ltd', email: 'ads@news.example' },
        verified: true,
      },
    ])
  })

  test('spec 4.5: of a shared file a domain has its own properties and no sibling’s', async () => {
    const { body } = await ask('/api/properties/resolve?domain=pa.example')
    expect(body).toMatchObject({ source: 'adagents_json', properties: [{ id: 'a' }] })
    expect((body.properties as unknown[]).length).toBe(1)
  })

  test('a domain that only the file of another describes authorizes no one', async () => {
    const { body } = await ask('/api/properties/resolve?domain=pb.example')
    expect(body).toMatchObject({
      source: 'discovered',
      verified: false,
      authorized_agents: [],
      properties: [{ id: 'b' }],
    })
  })

  test.each(['nobody.example', 'broken.example'])(
    '%s has none: 404 with its name',
    async (domain) => {
      const { status, body } = await ask(`/api/properties/resolve?domain=${domain}`)
      expect([status, body]).toEqual([404, { error: 'Property not found', domain }])
    },
  )

  test('many domains are resolved at once, by the names that were sent', async () => {
    const domains = ['www.news.example', 'nobody.example', 'no domain', 'pa.example']
    const { status, body } = await ask('/api/properties/resolve/bulk', { body: { domains } })
    expect(status).toBe(200)
    const results = body.results as Record<string, { properties: unknown[] } | null>
    expect(Object.keys(results)).toEqual(domains)
    expect(results['nobody.example']).toBeNull()
    expect(results['no domain']).toBeNull()
    expect(results['www.news.example']).toEqual(
      (await ask('/api/properties/resolve?domain=news.example')).body,
    )
    const many = { domains: Array.from({ length: 101 }, (_, n) => `d${n}.example`) }
    expect((await ask('/api/properties/resolve/bulk', { body: many })).status).toBe(400)
    expect((await ask('/api/properties/resolve/bulk', { body: { domains: [] } })).status).toBe(400)
  })

  test('the list has what has a file, with its figures, by the beginning of the domain and by page', async () => {
    const { body } = await ask('/api/properties/registry')
    expect(body).toEqual({
      properties: [
        {
          domain: 'news.example',
          source: 'adagents_json',
          property_count: 2,
          agent_count: 2,
          verified: true,
        },
        {
          domain: 'pa.example',
          source: 'adagents_json',
          property_count: 1,
          agent_count: 1,
          verified: true,
        },
        // Only the file of another domain describes it.
        {
          domain: 'pb.example',
          source: 'discovered',
          property_count: 1,
          agent_count: 0,
          verified: false,
        },
      ],
      stats: {
        total: 3,
        adagents_json: 2,
        hosted: 0,
        community: 0,
        discovered: 1,
        properties: 4,
      },
    })
    const domains = async (query: string) =>
      (
        (await ask(`/api/properties/registry?${query}`)).body.properties as { domain: string }[]
      ).map(({ domain }) => domain)
    expect(await domains('search=PA')).toEqual(['pa.example'])
    expect(await domains('search=pb')).toEqual(['pb.example'])
    expect(await domains('limit=1&offset=1')).toEqual(['pa.example'])
    expect((await ask('/api/properties/registry?limit=0')).status).toBe(400)
  })

  test('the list of publishers and the statistics count the same', async () => {
    const { body } = await ask('/api/registry/publishers')
    expect(body).toMatchObject({ count: 2, sources: { registered: 0, discovered: 2 } })
    expect((body.publishers as object[])[0]).toEqual({
      domain: 'news.example',
      source: 'discovered',
      agent_count: 2,
      property_count: 2,
      last_validated: expect.stringMatching(/Z$/),
      has_valid_adagents: true,
    })
    expect((await ask('/api/registry/stats')).body).toEqual({
      brands: 0,
      publishers: 2,
      discovered: 1,
      properties: 4,
      authorizations: 3,
      authorized_agents: 2,
      registered_agents: 0,
      counted_up_to: 100_000,
    })
  })

  test('spec 4.5: a file is checked where it is now, its pointer followed, and nothing is stored', async () => {
    web.publish(file('later.example'), { body: { authorized_agents: [], properties: [] } })
    expect((await ask('/api/properties/validate?domain=later.example')).body).toEqual({
      valid: true,
      domain: 'later.example',
      url: file('later.example'),
      discovery_method: 'direct',
      errors: [],
      warnings: expect.any(Array),
      status_code: 200,
      raw_data: { authorized_agents: [], properties: [] },
    })
    expect((await ask('/api/properties/resolve?domain=later.example')).status).toBe(404)
    expect((await ask('/api/properties/validate?domain=broken.example')).body).toMatchObject({
      valid: false,
      errors: [expect.stringContaining('authorized_agents')],
      status_code: 200,
    })
    expect((await ask('/api/properties/validate?domain=nobody.example')).body).toMatchObject({
      valid: false,
      errors: ['the domain publishes no adagents.json'],
      status_code: 404,
    })
    expect((await ask('/api/public/validate-publisher?domain=pa.example')).body).toEqual({
      valid: true,
      domain: 'pa.example',
      url: 'https://manager.example/network.json',
      discovery_method: 'authoritative_location',
      manager_domain: 'manager.example',
      agent_count: 1,
      property_count: 2,
      property_type_counts: { website: 2 },
      tag_count: 1,
      errors: [],
      warnings: [],
    })
  })

  test.each(['192.0.2.1', 'localhost', ' '])('%j is no domain: 400', async (domain) => {
    const query = `domain=${encodeURIComponent(domain)}`
    for (const path of ['properties/resolve', 'properties/validate', 'public/validate-publisher']) {
      expect((await ask(`/api/${path}?${query}`)).status).toBe(400)
    }
  })

  test('a crawled publisher is ok in a check of a property list', async () => {
    const { body } = await ask('/api/properties/check', {
      body: { domains: ['news.example', 'other.example'] },
    })
    expect(body).toMatchObject({
      ok: [{ domain: 'news.example', source: 'adagents_json' }],
      assess: [{ domain: 'other.example' }],
    })
  })
})

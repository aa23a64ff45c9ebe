import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../support/app.ts'
import { crawl, crawling } from '../support/crawl.ts'
import { startWeb, type Web } from '../support/web.ts'

const SELLER = 'https://ads.seller.example/mcp'
const OTHER = 'https://other.example/mcp'
const file = (domain: string) => `https://${domain}/.well-known/adagents.json`
const property = (property_id: string, property_type: string, tags: string[] = []) => ({
  property_id,
  property_type,
  name: property_id,
  identifiers: [{ type: 'domain', value: `${property_id}.example` }],
  tags,
})
const entry = (url: string, property_ids: string[], more: object = {}) => ({
  url,
  authorized_for: 'display',
  authorization_type: 'property_ids',
  property_ids,
  ...more,
})
const profile = {
  channels: ['ctv', 'display'],
  property_types: ['ctv_app', 'website'],
  markets: ['DE', 'US'],
  categories: [],
  category_taxonomy: null,
  tags: ['news', 'sport'],
  delivery_types: [],
  format_ids: [],
  format_kinds: [],
  property_count: 3,
  publisher_count: 2,
  has_tmp: false,
}

describe.each(['sqlite', 'postgres'] as const)('profiles of agents [%s]', (store) => {
  let web: Web
  let app: TestApp
  let key: string
  beforeAll(async () => {
    web = await startWeb()
    app = await startApp({ store, config: crawling(web.egressHosts), resolveTxt: web.resolveTxt })
    key = (await app.organization('Acme')).key
    await ask('/api/me/agents', {
      key,
      body: { url: SELLER, type: 'sales', name: 'Seller', visibility: 'public' },
    })
    web.publish(file('pa.example'), {
      body: {
        authorized_agents: [entry(SELLER, ['a', 'b'], { countries: ['US'] }), entry(OTHER, ['a'])],
        properties: [property('a', 'website', ['news']), property('b', 'ctv_app', ['sport'])],
      },
    })
    web.publish(file('pb.example'), {
      body: {
        authorized_agents: [entry(SELLER, ['c'], { countries: ['DE'] })],
        properties: [property('c', 'website')],
      },
    })
    for (const domain of ['pa.example', 'pb.example']) await crawl(app, domain)
    await vi.waitFor(async () => {
      const [first] = (await search('type=sales')).results as { property_count: number }[]
      expect(first).toMatchObject({ property_count: 3 })
    }, 30_000)
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  const ask = (path: string, request?: Call) => call(app.url + path, request)
  const search = async (query: string) =>
    (await ask(`/api/registry/agents/search?${query}`, { key })).body
  const found = async (query: string) =>
    ((await search(query)).results as { url: string }[]).map(({ url }) => url)

  test('spec 4.5: an agent has the inventory of all publishers that authorize it, the best first', async () => {
    const { results } = await search('')
    expect(results).toMatchObject([
      { url: SELLER, name: 'Seller', type: 'sales', inventory_profile: profile, ...profile },
      {
        url: OTHER,
        name: OTHER,
        type: 'unknown',
        inventory_profile: { property_count: 1, publisher_count: 1 },
      },
    ])
  })

  test.each<[string, string[]]>([
    ['channels=ctv', [SELLER]],
    ['channels=ctv,display', [SELLER, OTHER]],
    ['channels=audio', []],
    ['markets=DE,FR', [SELLER]],
    ['tags=news&property_types=website', [SELLER, OTHER]],
    ['tags=news&markets=DE', [SELLER]],
    ['min_properties=2', [SELLER]],
    ['has_tmp=true', []],
    ['type=sales', [SELLER]],
    ['type=unknown', [OTHER]],
  ])('spec 4.5: a search for %s finds what matches all filters', async (query, urls) => {
    expect(await found(query)).toEqual(urls)
  })

  test('spec 4.5: the score counts the filters and the properties, and pages follow its order', async () => {
    const { results } = await search('channels=ctv&type=sales')
    expect(results).toMatchObject([
      { match: { score: 1 + 0.138_629, matched_filters: ['type', 'channels'] } },
    ])
    const first = await search('limit=1')
    expect(first).toMatchObject({ has_more: true })
    const second = await search(`limit=1&cursor=${first.cursor}`)
    expect(second).toMatchObject({ results: [{ url: OTHER }], has_more: false, cursor: null })
  })

  test('spec 4.5: the list of agents has their inventory when it is requested', async () => {
    const { body } = await ask('/api/registry/agents?properties=true')
    expect(body.agents).toMatchObject([
      {
        url: SELLER,
        publisher_domains: ['pa.example', 'pb.example'],
        property_summary: {
          total_count: 3,
          count_by_type: { ctv_app: 1, website: 2 },
          tags: ['news', 'sport'],
          publisher_count: 2,
        },
      },
    ])
  })

  test('spec 4.5: an operator has the agents of its site, with the publishers that name each', async () => {
    expect((await ask('/api/registry/operator?domain=WWW.seller.example')).body).toEqual({
      domain: 'seller.example',
      member: { display_name: 'Acme' },
      agents: [
        {
          url: SELLER,
          name: 'Seller',
          type: 'sales',
          authorized_by: [
            { publisher_domain: 'pa.example', authorized_for: 'display', source: 'adagents_json' },
            { publisher_domain: 'pb.example', authorized_for: 'display', source: 'adagents_json' },
          ],
        },
      ],
    })
    expect((await ask('/api/registry/operator?domain=nobody.example')).body).toEqual({
      domain: 'nobody.example',
      member: null,
      agents: [],
    })
    expect((await ask('/api/registry/operator?domain=10.0.0.1')).status).toBe(400)
  })

  test('spec 6.4: readers of the feed have the same profiles', async () => {
    const { body } = await ask('/api/registry/feed?types=agent.*&limit=1000', { key })
    const events = body.events as {
      event_type: string
      entity_id: string
      payload: { inventory_profile?: object }
    }[]
    const of = (agent: string) => events.filter(({ entity_id }) => entity_id === agent)
    expect(of(OTHER).map(({ event_type }) => event_type)).toEqual(['agent.discovered'])
    const [first, ...later] = of(SELLER).map(({ event_type }) => event_type)
    expect(first).toBe('agent.discovered')
    expect(new Set(later)).toEqual(new Set(['agent.profile_updated']))
    expect(of(SELLER).at(-1)?.payload.inventory_profile).toEqual(profile)
  })

  test('an agent that no one authorizes and no one lists is known no more', async () => {
    web.publish(file('pa.example'), {
      body: {
        authorized_agents: [entry(SELLER, ['a'])],
        properties: [property('a', 'website')],
      },
    })
    await crawl(app, 'pa.example')
    await expect.poll(() => found('')).toEqual([SELLER])
    const { body } = await ask('/api/registry/feed?types=agent.removed', { key })
    expect(body.events).toMatchObject([{ entity_id: OTHER }])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../../../support/app.ts'
import { crawl, crawling } from '../../../support/crawl.ts'
import { startWeb, type Web } from '../../../support/web.ts'

const AGENT = 'https://sell.example/mcp'
const OVER = 'https://over.example/mcp'
const LATER = 'https://later.example/mcp'
const file = (domain: string) => `https://${domain}/.well-known/adagents.json`
const property = (publisher_domain: string, property_id: string, name: string) => ({
  property_id,
  property_type: 'website',
  name,
  publisher_domain,
  identifiers: [{ type: 'domain', value: publisher_domain }],
})
const entry = (url: string, more: object = {}) => ({
  url,
  authorized_for: 'display',
  authorization_type: 'property_ids',
  property_ids: ['home'],
  ...more,
})

describe.each(['sqlite', 'postgres'] as const)('answers about publishers [%s]', (store) => {
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
        authorized_agents: [
          entry(AGENT),
          entry(OVER, { effective_until: '2001-01-01T00:00:00Z' }),
          entry(LATER, { effective_from: '2999-01-01T00:00:00Z' }),
        ],
        properties: [
          property('news.example', 'home', 'Evening News'),
          property('others.example', 'other', 'Evening of Others'),
        ],
      },
    })
    web.publish(file('broken.example'), { body: '{' as unknown as object })
    web.publish(file('manager.example'), {
      body: { authorized_agents: [entry(AGENT)], properties: [] },
    })
    for (const domain of ['news.example', 'broken.example']) await crawl(app, domain)
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  const read = async (path: string) =>
    (await call(app.url + path)).body as Record<string, Record<string, unknown>[]>
  const urls = (agents: Record<string, unknown>[] | undefined) => agents?.map(({ url }) => url)

  test('an entry outside of its window authorizes no one in any answer', async () => {
    const lookup = await read('/api/registry/lookup/domain/news.example')
    expect(urls(lookup.authorized_agents)).toEqual([AGENT])
    const publisher = await read('/api/registry/publisher?domain=news.example')
    expect(urls(publisher.authorized_agents)).toEqual([AGENT])
    const resolved = await read('/api/properties/resolve?domain=news.example')
    expect(urls(resolved.authorized_agents)).toEqual([AGENT])
    const { properties } = await read('/api/properties/registry?search=news')
    expect(properties).toMatchObject([{ domain: 'news.example', agent_count: 1 }])
    for (const [agent, domains] of [
      [AGENT, ['news.example']],
      [OVER, []],
      [LATER, []],
    ] as const) {
      const path = `/api/registry/lookup/agent/${encodeURIComponent(agent)}/domains`
      expect((await read(path)).domains).toEqual(domains)
    }
  })

  test('an agent that was named, and may sell nothing now, is known to the inverse look-up', async () => {
    const path = `/v1/agents/${encodeURIComponent(OVER)}/publishers`
    expect(await call(app.url + path)).toMatchObject({
      status: 200,
      body: { publishers: [], directory_indexed_at: null },
    })
  })

  test('no event says that an agent may sell whose time is over', async () => {
    const { key } = await app.organization('Reader')
    const { body } = await call(
      `${app.url}/api/registry/feed?types=authorization.granted&limit=100`,
      {
        key,
      },
    )
    const events = body.events as { payload: { agent_url: string } }[]
    expect(events.map(({ payload }) => payload.agent_url).sort()).toEqual([LATER, AGENT])
  })

  test('spec 4.5: the search finds crawled publishers, and properties by their names', async () => {
    expect(await read('/api/search?q=news.ex')).toEqual({
      brands: [],
      publishers: [{ name: 'news.example', domain: 'news.example', verification_status: 'valid' }],
      properties: [{ name: 'Evening News', domain: 'news.example', verification_status: 'valid' }],
    })
    // What only the file of someone else says of a domain is not proved.
    expect((await read('/api/search?q=EVENING')).properties).toEqual([
      { name: 'Evening News', domain: 'news.example', verification_status: 'valid' },
      { name: 'Evening of Others', domain: 'others.example', verification_status: 'pending' },
    ])
  })

  test('spec 4.1: the lookup answers with a crawled adagents.json where no one has added a reference', async () => {
    const lookup = (domain: string) =>
      read(`/api/manifest-refs/lookup?domain=${domain}&type=adagents.json`)
    expect(await lookup('news.example')).toEqual({
      success: true,
      found: true,
      reference: {
        reference_type: 'url',
        manifest_url: file('news.example'),
        agent_url: null,
        agent_id: null,
        verification_status: 'valid',
      },
    })
    expect(await lookup('others.example')).toEqual({ success: false, found: false })
    expect(await lookup('broken.example')).toEqual({ success: false, found: false })
  })

  test('a file that is not JSON is invalid, and what others describe is discovered', async () => {
    const broken = await read('/api/registry/publisher?domain=broken.example')
    expect(broken).toMatchObject({
      adagents_valid: false,
      hosting: { mode: 'self_invalid' },
      files: { adagents_json: { status: 'invalid' } },
    })
    const others = await read('/api/registry/publisher?domain=others.example')
    expect(others.properties).toMatchObject([{ id: 'other', source: 'discovered' }])
  })
})

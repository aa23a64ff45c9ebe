import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { startWeb, type Web } from '../support/web.ts'

const WELL_KNOWN = '/.well-known/adagents.json'
const GOOD = 'https://good.example/mcp'
const EVIL = 'https://evil.example/mcp'

const authorize = (url: string, over: Record<string, unknown> = {}) => ({
  url,
  authorized_for: 'all',
  authorization_type: 'publisher_properties',
  publisher_properties: [{ publisher_domain: 'victim.example', selection_type: 'all' }],
  ...over,
})
const home = (domain: string, publisher_domain?: string) => ({
  property_id: 'home',
  property_type: 'website',
  name: domain,
  identifiers: [{ type: 'domain', value: domain }],
  ...(publisher_domain ? { publisher_domain } : {}),
})

describe('hostile files of publishers', () => {
  let web: Web
  let app: TestApp
  let callers = 0
  beforeAll(async () => {
    web = await startWeb()
    app = await startApp({
      config: { registryVerifyConcurrency: 0, egressHosts: web.egressHosts, registryCrawlGapMs: 0 },
      resolveTxt: web.resolveTxt,
    })
    web.publish(`https://victim.example${WELL_KNOWN}`, {
      body: { authorized_agents: [authorize(GOOD)], properties: [home('victim.example')] },
    })
    await crawl('victim.example')
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  async function crawl(domain: string): Promise<string> {
    const { key } = await app.organization(`Caller ${++callers}`)
    const requested = await call(`${app.url}/api/registry/crawl-request`, { key, body: { domain } })
    expect(requested.status, requested.text).toBe(202)
    let status = ''
    await eventually(async () => {
      const path = `${app.url}/api/registry/crawl-request/${requested.body.crawl_request_id}`
      status = String((await call(path, { key })).body.status)
      expect(['completed', 'invalid', 'failed', 'retrying']).toContain(status)
    })
    await eventually(async () => expect(await app.storage.publisherFiles.unapplied(1)).toEqual([]))
    return status
  }
  const maySell = async (agent_url: string, identifier_value: string) => {
    const query = new URLSearchParams({ agent_url, identifier_type: 'domain', identifier_value })
    return (await call(`${app.url}/api/registry/validate/property-authorization?${query}`)).body
  }

  test('a file that describes someone else’s domain as its own sells nothing of it', async () => {
    web.publish(`https://evil.example${WELL_KNOWN}`, {
      body: {
        authorized_agents: [
          { ...authorize(EVIL), authorization_type: 'property_ids', property_ids: ['home'] },
          authorize(EVIL),
        ],
        properties: [home('victim.example'), home('victim.example', 'victim.example')],
      },
    })
    await crawl('evil.example')
    expect(await maySell(EVIL, 'victim.example')).toMatchObject({ authorized: false })
    expect(await maySell(GOOD, 'victim.example')).toMatchObject({ authorized: true })
    const { body } = await call(`${app.url}/api/registry/lookup/domain/victim.example`)
    expect(body).toMatchObject({ authorized_agents: [{ url: GOOD }], sales_agents_claiming: [] })
  })

  test('a file that revokes someone else’s domain revokes nothing', async () => {
    web.publish(`https://revoker.example${WELL_KNOWN}`, {
      body: {
        authorized_agents: [],
        properties: [home('victim.example', 'victim.example')],
        revoked_publisher_domains: [{ publisher_domain: 'victim.example' }],
      },
    })
    await crawl('revoker.example')
    await crawlAgain('victim.example')
    expect(await maySell(GOOD, 'victim.example')).toMatchObject({ authorized: true })
  })

  test('a domain that says nothing is claimed by others and sold by no one', async () => {
    web.publish(`https://claimer.example${WELL_KNOWN}`, {
      body: {
        authorized_agents: [
          authorize(EVIL, {
            publisher_properties: [{ publisher_domain: 'silent.example', selection_type: 'all' }],
          }),
        ],
        properties: [home('silent.example', 'silent.example')],
      },
    })
    await crawl('claimer.example')
    expect(await maySell(EVIL, 'silent.example')).toMatchObject({
      authorized: false,
      reason: 'publisher_has_not_confirmed',
    })
    const { body } = await call(`${app.url}/api/registry/lookup/domain/silent.example`)
    expect(body).toMatchObject({ authorized_agents: [], sales_agents_claiming: [{ url: EVIL }] })
  })

  test('pointers in a circle, to themselves and to pointers end after one step', async () => {
    const point = (from: string, to: string) =>
      web.publish(`https://${from}${WELL_KNOWN}`, { body: { authoritative_location: to } })
    point('self.example', `https://self.example${WELL_KNOWN}`)
    point('ring-a.example', `https://ring-b.example${WELL_KNOWN}`)
    point('ring-b.example', `https://ring-a.example${WELL_KNOWN}`)
    for (const domain of ['self.example', 'ring-a.example', 'ring-b.example']) {
      expect(await crawl(domain)).toBe('invalid')
    }
    const followed = web
      .requested()
      .filter((url) => url.includes('ring-') && url.endsWith(WELL_KNOWN))
    expect(followed.length).toBeLessThanOrEqual(4)
  })

  test('managers that name each other in ads.txt end after one step', async () => {
    web.publish('https://loop-a.example/ads.txt', { body: 'MANAGERDOMAIN=loop-b.example' })
    web.publish('https://loop-b.example/ads.txt', { body: 'MANAGERDOMAIN=loop-a.example' })
    expect(await crawl('loop-a.example')).toBe('invalid')
  })

  test('a look-alike of a domain is another domain', async () => {
    // The second letter is Cyrillic.
    expect(await maySell(GOOD, 'vіctim.example')).toMatchObject({ authorized: false })
    expect(await maySell('https://gооd.example/mcp', 'victim.example')).toMatchObject({
      authorized: false,
    })
  })

  test('bombs are refused and bring no one down', async () => {
    const bombs = {
      deep: '['.repeat(100_000),
      wide: `{"authorized_agents":[${'{},'.repeat(900_000)}{}]}`,
      keys: `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join()}}`,
    }
    for (const [name, body] of Object.entries(bombs)) {
      web.publish(`https://bomb-${name}.example${WELL_KNOWN}`, { body })
      expect(['invalid', 'retrying']).toContain(await crawl(`bomb-${name}.example`))
    }
    expect((await call(`${app.url}/healthz`)).status).toBe(200)
  })

  test('five thousand publishers in one file are worked off without holding anyone up', async () => {
    const publisher_domains = Array.from({ length: 5_000 }, (_, n) => `p${n}.alias.example`)
    web.publish(`https://network.example${WELL_KNOWN}`, {
      body: {
        authorized_agents: [
          authorize('https://network-agent.example/mcp', {
            publisher_properties: [{ publisher_domains, selection_type: 'all' }],
          }),
        ],
        properties: publisher_domains.map((domain) => home(domain, domain)),
      },
    })
    expect(await crawl('network.example')).toBe('completed')
    const agent = encodeURIComponent('https://network-agent.example/mcp')
    const { body } = await call(`${app.url}/v1/agents/${agent}/publishers?limit=1000`)
    expect(body.publishers).toHaveLength(1_000)
  }, 120_000)

  test('crawl requests are bounded for a domain and for a caller, and are no one else’s business', async () => {
    const { key } = await app.organization('Amplifier')
    const ask = (domain: string) =>
      call(`${app.url}/api/registry/crawl-request`, { key, body: { domain } })
    const first = await ask('once.example')
    expect(first.status).toBe(202)
    const second = await ask('www.once.example')
    expect(second.status).toBe(429)
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
    for (let n = 1; n < 30; n++) expect((await ask(`n${n}.example`)).status).toBe(202)
    expect((await ask('one-too-many.example')).status).toBe(429)
    for (const domain of ['127.0.0.1', 'localhost', 'db.internal', '[::1]', 'a', '']) {
      expect((await ask(domain)).status, domain).toBe(400)
    }
    const { key: other } = await app.organization('Curious')
    const path = `${app.url}/api/registry/crawl-request/${first.body.crawl_request_id}`
    expect((await call(path, { key: other })).status).toBe(404)
    expect((await call(path)).status).toBe(401)
  })

  async function crawlAgain(domain: string) {
    await app.storage.database.transact((tx) =>
      tx.run('UPDATE crawl_requests SET requested_at = 0 WHERE domain = $1', [domain]),
    )
    await crawl(domain)
  }
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { redirect, startWeb, type Web } from '../../support/web.ts'

const AGENT = 'https://sell.example/mcp'
const WELL_KNOWN = '/.well-known/adagents.json'

const entry = (over: Record<string, unknown> = {}) => ({
  url: AGENT,
  authorized_for: 'display',
  authorization_type: 'property_ids',
  property_ids: ['home'],
  ...over,
})
const property = (domain: string, over: Record<string, unknown> = {}) => ({
  property_id: 'home',
  property_type: 'website',
  name: domain,
  identifiers: [{ type: 'domain', value: domain }],
  ...over,
})
const inline = (domain: string, over: Record<string, unknown> = {}) => ({
  body: { authorized_agents: [entry()], properties: [property(domain)], ...over },
})

describe.each(['sqlite', 'postgres'] as const)('a crawled publisher [%s]', (store) => {
  let web: Web
  let app: TestApp
  let callers = 0
  beforeAll(async () => {
    web = await startWeb()
    const config = {
      registryVerifyConcurrency: 0,
      egressHosts: web.egressHosts,
      registryCrawlGapMs: 0,
    }
    app = await startApp({ store, config, resolveTxt: web.resolveTxt })
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  /** Asks for a crawl and waits for its end. */
  async function crawl(domain: string) {
    const { key } = await app.organization(`Acme ${++callers}`)
    await app.storage.database.transact((tx) =>
      tx.run('UPDATE crawl_requests SET requested_at = 0 WHERE domain = $1', [domain]),
    )
    const requested = await call(`${app.url}/api/registry/crawl-request`, { key, body: { domain } })
    expect(requested.status, requested.text).toBe(202)
    const id = requested.body.crawl_request_id
    let status: Record<string, unknown> = {}
    await eventually(async () => {
      status = (await call(`${app.url}/api/registry/crawl-request/${id}`, { key })).body
      expect(['completed', 'invalid', 'failed', 'retrying']).toContain(status.status)
    })
    await eventually(async () => expect(await app.storage.publisherFiles.unapplied(1)).toEqual([]))
    return status
  }
  const get = (path: string) => call(`${app.url}${path}`)
  const publishers = (query = '', agent = AGENT) =>
    get(`/v1/agents/${encodeURIComponent(agent)}/publishers${query}`)
  const rowOf = async (
    domain: string,
    query = '?include=properties&status=authorized&status=revoked',
  ) => {
    const { body } = await publishers(query)
    const list = (body.publishers ?? []) as Record<string, unknown>[]
    return list.find(({ publisher_domain }) => publisher_domain === domain)
  }
  const maySell = async (value: string, type = 'domain', agent = AGENT) => {
    const query = new URLSearchParams({
      agent_url: agent,
      identifier_type: type,
      identifier_value: value,
    })
    return (await get(`/api/registry/validate/property-authorization?${query}`)).body
  }

  test('names its agent by its own file, in every look-up', async () => {
    web.publish(`https://direct.example${WELL_KNOWN}`, inline('direct.example'))
    expect(await crawl('direct.example')).toMatchObject({ status: 'completed', attempts: 1 })
    expect(await rowOf('direct.example')).toEqual({
      publisher_domain: 'direct.example',
      discovery_method: 'direct',
      manager_domain: null,
      properties_authorized: 1,
      properties_total: 1,
      property_ids: ['home'],
      signing_keys_pinned: false,
      status: 'authorized',
      last_verified_at: expect.stringMatching(/Z$/),
    })
    expect((await publishers('', `${AGENT}/`)).body).toMatchObject({ agent_url: AGENT })
    expect(await maySell('www.direct.example')).toMatchObject({
      authorized: true,
      reason: 'authorized',
    })
    expect((await get('/api/registry/lookup/domain/direct.example')).body).toEqual({
      domain: 'direct.example',
      authorized_agents: [{ url: AGENT, authorized_for: 'display' }],
      sales_agents_claiming: [],
    })
    expect(
      (await get('/api/registry/lookup/property?type=domain&value=direct.example')).body,
    ).toMatchObject({
      count: 1,
      agents: [{ url: AGENT, publisher_domain: 'direct.example' }],
    })
    expect((await get('/api/registry/publisher?domain=direct.example')).body).toMatchObject({
      adagents_valid: true,
      hosting: { mode: 'self' },
      crawl: { status: 'valid', is_stale: false },
      authorized_agents: [{ url: AGENT, publisher_wide: true }],
    })
  })

  test('points to a file of another host, and gets its own properties and no sibling’s', async () => {
    const location = 'https://manager.example/network.json'
    const properties = [
      property('pa.example', { property_id: 'a', publisher_domain: 'pa.example' }),
      property('pb.example', { property_id: 'b', publisher_domain: 'pb.example' }),
    ]
    const authorized_agents = [
      entry({ property_ids: ['a', 'b'] }),
      entry({ url: 'https://only-b.example/mcp', property_ids: ['b'] }),
    ]
    web.publish(location, { body: { authorized_agents, properties } })
    for (const domain of ['pa.example', 'pb.example']) {
      web.publish(`https://${domain}${WELL_KNOWN}`, { body: { authoritative_location: location } })
      await crawl(domain)
    }
    expect(await rowOf('pa.example')).toMatchObject({
      discovery_method: 'authoritative_location',
      manager_domain: 'manager.example',
      property_ids: ['a'],
      properties_total: 1,
    })
    expect(await maySell('pa.example', 'domain', 'https://only-b.example/mcp')).toMatchObject({
      authorized: false,
      reason: 'agent_not_listed',
    })
  })

  test('is managed by the MANAGERDOMAIN of its ads.txt when it has no file, and the manager names it', async () => {
    web.publish('https://managed.example/ads.txt', { body: 'MANAGERDOMAIN=boss.example' })
    web.publish(`https://boss.example${WELL_KNOWN}`, {
      body: {
        authorized_agents: [entry()],
        properties: [property('managed.example', { publisher_domain: 'managed.example' })],
      },
    })
    expect(await crawl('managed.example')).toMatchObject({ status: 'completed' })
    expect(await rowOf('managed.example')).toMatchObject({
      discovery_method: 'ads_txt_managerdomain',
      manager_domain: 'boss.example',
    })
    web.publish('https://unnamed.example/ads.txt', { body: 'MANAGERDOMAIN=boss.example' })
    expect(await crawl('unnamed.example')).toMatchObject({ status: 'invalid' })
    expect(await rowOf('unnamed.example')).toBeUndefined()
  })

  test('keeps what it said through an outage and loses it when the file is gone', async () => {
    const url = `https://flaky.example${WELL_KNOWN}`
    web.publish(url, inline('flaky.example'))
    await crawl('flaky.example')
    for (const outage of [{ status: 503, body: {} }, { body: '<html>Sorry</html>' }]) {
      web.publish(url, outage)
      expect(await crawl('flaky.example')).toMatchObject({
        status: 'retrying',
        last_error_code: 'crawl_origin_temporarily_unavailable',
      })
      expect(await maySell('flaky.example')).toMatchObject({ authorized: true })
    }
    expect((await get('/api/registry/publisher?domain=flaky.example')).body).toMatchObject({
      crawl: { status: 'failed', error_code: 'not_json' },
    })
    web.unpublish(url)
    expect(await crawl('flaky.example')).toMatchObject({ status: 'invalid' })
    expect(await maySell('flaky.example')).toMatchObject({ authorized: false })
    expect(await rowOf('flaky.example')).toBeUndefined()
  })

  test('revokes for all agents, and a roll-back of its file does not undo it', async () => {
    const url = `https://revoking.example${WELL_KNOWN}`
    web.publish(url, inline('revoking.example'))
    await crawl('revoking.example')
    const revoked_publisher_domains = [
      { publisher_domain: 'revoking.example', revoked_at: '2026-01-01T00:00:00Z', reason: 'other' },
    ]
    web.publish(url, inline('revoking.example', { revoked_publisher_domains }))
    await crawl('revoking.example')
    expect(await rowOf('revoking.example')).toMatchObject({
      status: 'revoked',
      properties_authorized: 0,
    })
    web.publish(url, inline('revoking.example'))
    await crawl('revoking.example')
    expect(await rowOf('revoking.example')).toMatchObject({ status: 'revoked' })
    expect(await maySell('revoking.example')).toMatchObject({ authorized: false })
  })

  test('an older file than the one on record changes nothing', async () => {
    const url = `https://older.example${WELL_KNOWN}`
    web.publish(url, inline('older.example', { last_updated: '2026-05-01T00:00:00Z' }))
    await crawl('older.example')
    web.publish(url, { body: { authorized_agents: [], last_updated: '2026-01-01T00:00:00Z' } })
    expect(await crawl('older.example')).toMatchObject({ status: 'retrying' })
    expect(await maySell('older.example')).toMatchObject({ authorized: true })
  })

  test('a changed pointer is held, and the old file stays in effect', async () => {
    const url = `https://moving.example${WELL_KNOWN}`
    web.publish('https://old.example/f.json', inline('moving.example'))
    web.publish('https://new.example/f.json', {
      body: {
        authorized_agents: [entry({ url: 'https://evil.example/mcp' })],
        properties: [property('moving.example')],
      },
    })
    web.publish(url, { body: { authoritative_location: 'https://old.example/f.json' } })
    await crawl('moving.example')
    web.publish(url, { body: { authoritative_location: 'https://new.example/f.json' } })
    await crawl('moving.example')
    expect(await maySell('moving.example')).toMatchObject({ authorized: true })
    expect(await maySell('moving.example', 'domain', 'https://evil.example/mcp')).toMatchObject({
      authorized: false,
    })
    expect((await get('/api/registry/publisher?domain=moving.example')).body).toMatchObject({
      crawl: { held_location: 'https://new.example/f.json' },
    })
  })

  test('a redirect within the site is followed, and one to another site is not', async () => {
    web.publish(`https://moved.example${WELL_KNOWN}`, redirect('https://www.moved.example/f.json'))
    web.publish('https://www.moved.example/f.json', inline('moved.example'))
    expect(await crawl('moved.example')).toMatchObject({ status: 'completed' })
    web.publish(`https://away.example${WELL_KNOWN}`, redirect('https://moved.example/f.json'))
    expect(await crawl('away.example')).toMatchObject({ status: 'retrying' })
    expect(web.requested()).not.toContain('https://moved.example/f.json')
  })

  test('the feed reports grants and their end, with what readers need', async () => {
    const { key } = await app.organization('Reader')
    const url = `https://fed.example${WELL_KNOWN}`
    web.publish(url, inline('fed.example'))
    await crawl('fed.example')
    web.publish(url, { body: { authorized_agents: [] } })
    await crawl('fed.example')
    const page = await call(
      `${app.url}/api/registry/feed?types=authorization.*,publisher.*&limit=1000`,
      { key },
    )
    const events = (
      page.body.events as { event_type: string; payload: Record<string, unknown> }[]
    ).filter(({ payload }) => payload.publisher_domain === 'fed.example')
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'authorization.granted',
      'publisher.adagents_discovered',
      'authorization.revoked',
      'publisher.adagents_changed',
    ])
    expect(events[0]?.payload).toMatchObject({
      agent_url: AGENT,
      publisher_domain: 'fed.example',
      authorization_type: 'property_ids',
      property_ids: ['home'],
    })
  })

  test('the snapshot has each live authorization, and a cursor to continue from', async () => {
    const { key } = await app.organization('Verifier')
    web.publish(`https://snap.example${WELL_KNOWN}`, inline('snap.example'))
    await crawl('snap.example')
    const { text, headers } = await call(`${app.url}/api/registry/authorizations/snapshot`, { key })
    expect(headers.get('x-sync-cursor')).toMatch(/^[0-9a-f-]{36}$/)
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows.find(({ publisher_domain }) => publisher_domain === 'snap.example')).toMatchObject({
      agent_url: AGENT,
      property_ids: ['home'],
      evidence: 'adagents_json',
    })
  })

  test('products are evaluated property by property, and expanded to what may be sold', async () => {
    const properties = [
      property('shop.example'),
      property('app.shop.example', { property_id: 'app', tags: ['mobile'] }),
    ]
    web.publish(`https://shop.example${WELL_KNOWN}`, {
      body: { authorized_agents: [entry()], properties },
    })
    await crawl('shop.example')
    const body = { agent_url: AGENT, publisher_properties: [{ publisher_domain: 'shop.example' }] }
    expect(
      (await call(`${app.url}/api/registry/validate/product-authorization`, { body })).body,
    ).toMatchObject({
      authorized: false,
      coverage_percentage: 50,
      total_requested: 2,
      selectors: [{ unauthorized_items: ['app'], selection_type: 'all' }],
    })
    expect(
      (await call(`${app.url}/api/registry/expand/product-identifiers`, { body })).body,
    ).toMatchObject({
      identifiers: [{ type: 'domain', value: 'shop.example', property_id: 'home' }],
      property_count: 1,
    })
    const pairs = ['shop.example', 'app.shop.example', 'nobody.example'].map(
      (identifier_value) => ({
        agent_url: AGENT,
        identifier_type: 'domain',
        identifier_value,
      }),
    )
    const bulk = await call(`${app.url}/api/registry/validate/property-authorizations`, {
      body: { pairs },
    })
    expect(bulk.body).toMatchObject({
      results: [
        { reason: 'authorized' },
        { reason: 'property_not_included' },
        { reason: 'property_unknown' },
      ],
      authorized_count: 1,
    })
  })

  test('the inverse look-up refuses what it does not know, and pages in order', async () => {
    for (const query of [
      '?status=authorized,revoked',
      '?limit=0',
      '?limit=1001',
      '?since=soon',
      '?cursor=x',
      '?include=all',
    ]) {
      expect((await publishers(query)).status, query).toBe(400)
    }
    expect((await publishers('', 'https://stranger.example/mcp')).status).toBe(404)
    const all = (await publishers('')).body.publishers as { publisher_domain: string }[]
    const walked: string[] = []
    for (let cursor: unknown = ''; cursor !== null; ) {
      const { body } = await publishers(`?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      walked.push(
        ...(body.publishers as typeof all).map(({ publisher_domain }) => publisher_domain),
      )
      cursor = body.next_cursor
    }
    expect(walked).toEqual(all.map(({ publisher_domain }) => publisher_domain))
    const first = await publishers('')
    const again = await call(`${app.url}/v1/agents/${encodeURIComponent(AGENT)}/publishers`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    expect(again.headers.get('cache-control')).toBe('public, max-age=60')
  })
})

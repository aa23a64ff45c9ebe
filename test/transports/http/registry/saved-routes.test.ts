import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../../../support/app.ts'
import { crawl, crawling } from '../../../support/crawl.ts'
import { startWeb, type Web } from '../../../support/web.ts'

const manifest = { id: 'acme', names: [{ en: 'Acme' }], tagline: 'Run.' }

describe.each(['sqlite', 'postgres'] as const)('saved entries over HTTP [%s]', (store) => {
  let web: Web
  let app: TestApp
  let key: string
  let other: string
  let moderator: string
  beforeAll(async () => {
    web = await startWeb()
    app = await startApp({ store, config: crawling(web.egressHosts), resolveTxt: web.resolveTxt })
    key = (await app.organization('Acme')).key
    other = (await app.organization('Other')).key
    moderator = await app.principal('operator')
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  const ask = (path: string, request?: Call) => call(app.url + path, request)
  const saveBrand = (domain: string, more: object = {}, by = key) =>
    ask('/api/brands/save', { key: by, body: { domain, brand_name: 'Acme', ...more } })
  const saveProperty = (publisher_domain: string, more: object = {}, by = key) =>
    ask('/api/properties/save', {
      key: by,
      body: {
        publisher_domain,
        authorized_agents: [{ url: 'https://evil.example/mcp' }],
        properties: [{ type: 'website', name: 'Home' }],
        ...more,
      },
    })
  const brand = (domain: string, by?: string) =>
    ask(`/api/brands/resolve?domain=${domain}`, by ? { key: by } : {})
  const property = (domain: string, by?: string) =>
    ask(`/api/properties/resolve?domain=${domain}`, by ? { key: by } : {})
  const decide = (kind: string, domain: string, decision = 'approve', by = moderator) =>
    ask(`/api/registry/reviews/${kind}/${domain}/${decision}`, { method: 'POST', key: by })
  const eventsOf = async (domain: string, by: string) => {
    const { body } = await ask('/api/registry/feed?types=brand.*,saved_property.*&limit=1000', {
      key: by,
    })
    const events = body.events as { entity_id: string; event_type: string }[]
    return events
      .filter(({ entity_id }) => entity_id === domain)
      .map(({ event_type }) => event_type)
  }

  test('spec 4.5: a saved brand waits for a review, and its contributor and moderators alone see it', async () => {
    const saved = await saveBrand('WWW.New.example', { brand_manifest: manifest })
    expect([saved.status, saved.body]).toEqual([
      200,
      {
        success: true,
        message: expect.stringContaining('moderator'),
        domain: 'new.example',
        id: expect.any(String),
      },
    ])
    expect((await brand('new.example')).body).toMatchObject({ error: 'Brand not found' })
    expect((await brand('new.example', other)).status).toBe(404)
    for (const by of [key, moderator]) {
      expect((await brand('new.example', by)).body).toMatchObject({
        brand_name: 'Acme',
        source: 'community',
        brand_manifest: manifest,
      })
    }
    expect((await saveBrand('new.example', { brand_name: 'Acme 2' })).status).toBe(409)
    expect((await saveBrand('new.example', {}, other)).status).toBe(409)
    expect((await decide('brand', 'new.example', 'approve', key)).status).toBe(403)
    const { body } = await ask('/api/registry/reviews?kind=brand', { key: moderator })
    expect(body.reviews).toContainEqual(
      expect.objectContaining({ key: 'new.example', content: { brand_manifest: manifest } }),
    )
    expect((await decide('brand', 'new.example')).status).toBe(200)
    expect((await brand('new.example')).body).toEqual({
      canonical_id: 'acme',
      canonical_domain: 'new.example',
      brand_name: 'Acme',
      names: [{ en: 'Acme' }],
      relationship_trust: 'standalone',
      brand_manifest: manifest,
      source: 'community',
    })
    expect((await ask('/brands/new.example/brand.json')).body).toEqual(manifest)
    expect(await eventsOf('new.example', other)).toEqual(['brand.approved'])
    expect(await eventsOf('new.example', key)).toEqual(['brand.created', 'brand.approved'])
  })

  test('spec 4.5: an edit is a revision; no one else may make one', async () => {
    await saveBrand('edited.example')
    await decide('brand', 'edited.example')
    const history = (query = '') => ask(`/api/brands/history?domain=edited.example${query}`)
    expect((await history()).body).toEqual({ domain: 'edited.example', total: 0, revisions: [] })
    const edited = await saveBrand('edited.example', { brand_name: 'Acme Outdoor' })
    expect(edited.body).toMatchObject({ success: true, revision_number: 1 })
    expect((await saveBrand('edited.example', { brand_name: 'Stolen' }, other)).status).toBe(403)
    await saveBrand('edited.example', { brand_name: 'By a moderator' }, moderator)
    expect((await history('&limit=1')).body).toEqual({
      domain: 'edited.example',
      total: 2,
      revisions: [
        {
          revision_number: 2,
          editor_name: 'moderator',
          edit_summary: 'changed name',
          source: 'community',
          is_rollback: false,
          created_at: expect.stringMatching(/Z$/),
        },
      ],
    })
    expect((await ask('/api/brands/history?domain=nobody.example')).body).toEqual({
      error: 'Brand not found',
      domain: 'nobody.example',
    })
    expect((await ask('/api/properties/history?domain=nobody.example')).status).toBe(404)
  })

  test('spec 4.5: a brand that was saved is found, listed and counted as what it is', async () => {
    await saveBrand('zebra.example', { brand_name: 'Zebra Foods' }, moderator)
    const found = await ask('/api/brands/find?q=foods')
    expect(found.body.results).toEqual([
      {
        domain: 'zebra.example',
        canonical_domain: 'zebra.example',
        brand_name: 'Zebra Foods',
        keller_type: 'independent',
        source: 'community',
      },
    ])
    const { body } = await ask('/api/brands/registry?search=zebra')
    expect(body.brands).toEqual([
      {
        domain: 'zebra.example',
        brand_name: 'Zebra Foods',
        source: 'community',
        has_manifest: false,
        verified: false,
      },
    ])
    expect((body.stats as { community: number }).community).toBeGreaterThan(0)
    expect((await ask('/api/brands/registry?search=zebra&source=hosted')).body.brands).toEqual([])
    const bulk = await ask('/api/brands/resolve/bulk', { body: { domains: ['zebra.example'] } })
    expect(bulk.body.results).toMatchObject({ 'zebra.example': { source: 'community' } })
  })

  test('the file of a domain comes before what was saved for it, and cannot be saved over', async () => {
    await saveBrand('both.example', { brand_name: 'Saved' }, moderator)
    web.publish('https://both.example/.well-known/brand.json', { body: manifest })
    web.publish('https://both.example/.well-known/adagents.json', {
      body: { authorized_agents: [] },
    })
    await crawl(app, 'both.example')
    expect((await brand('both.example')).body).toMatchObject({
      brand_name: 'Acme',
      source: 'brand_json',
    })
    for (const by of [key, moderator]) {
      expect((await saveBrand('both.example', {}, by)).body.error).toContain('of its own')
      expect((await saveProperty('both.example', {}, by)).status).toBe(409)
    }
  })

  test('spec 4.5: saved properties name no agents, whatever was sent', async () => {
    const saved = await saveProperty('pub.example', { contact: { name: 'Pub' } })
    expect([saved.status, saved.body]).toMatchObject([
      200,
      { success: true, domain: 'pub.example' },
    ])
    expect((await property('pub.example')).status).toBe(404)
    await decide('property', 'pub.example')
    expect((await property('pub.example')).body).toEqual({
      publisher_domain: 'pub.example',
      source: 'hosted',
      authorized_agents: [],
      properties: [{ id: 'property_1', type: 'website', name: 'Home', identifiers: [], tags: [] }],
      contact: { name: 'Pub' },
      verified: false,
    })
    expect((await ask('/api/registry/lookup/domain/pub.example')).body).toMatchObject({
      authorized_agents: [],
    })
    expect((await ask('/api/properties/history?domain=pub.example')).body).toMatchObject({
      total: 0,
    })
    expect((await ask('/api/properties/registry?search=pub.')).body.properties).toMatchObject([
      { domain: 'pub.example', source: 'community', property_count: 1, verified: false },
    ])
    expect(await eventsOf('pub.example', other)).toEqual(['saved_property.approved'])
  })

  test('a rejected entry is gone, and its domain is free', async () => {
    await saveProperty('bad.example')
    expect((await decide('property', 'bad.example', 'reject')).status).toBe(200)
    expect((await property('bad.example', key)).status).toBe(404)
    expect((await decide('property', 'bad.example', 'reject')).status).toBe(404)
    expect((await saveProperty('bad.example', {}, other)).status).toBe(200)
  })

  test.each([
    ['co.uk', 'public suffix'],
    ['github.io', 'public suffix'],
    ['gmail.com', 'shared'],
    ['xn--80ak6aa92e.com', 'look like'], // аррӏе.com
    ['xn--pple-43d.com', 'alphabets'], // аpple.com
    ['10.0.0.1', 'IP address'],
    ['localhost', 'single label'],
  ])('%s is nobody’s to be saved', async (domain, why) => {
    const answers = [await saveBrand(domain), await saveProperty(domain)]
    for (const { status, body } of answers) {
      expect([status, body.error]).toEqual([400, expect.stringContaining(why)])
    }
  })

  test('an honest international name may be saved', async () => {
    for (const domain of ['münchen.example', 'пример.example', '例え.example']) {
      expect((await saveBrand(domain)).status).toBe(200)
    }
  })

  test('what is missing, too large or without a credential is refused', async () => {
    expect((await ask('/api/brands/save', { body: { domain: 'a.example' } })).status).toBe(401)
    expect((await saveBrand('x.example', { brand_name: ' ' })).status).toBe(400)
    const big = { brand_manifest: { text: 'x'.repeat(140_000) } }
    expect((await saveBrand('x.example', big)).status).toBe(413)
    expect((await saveProperty('x.example', { properties: [{ type: 'website' }] })).status).toBe(
      400,
    )
  })

  test('spec 4.5: there is no service that enriches brands, and it says so', async () => {
    expect((await ask('/api/brands/enrich?domain=acme.example')).status).toBe(503)
  })
})

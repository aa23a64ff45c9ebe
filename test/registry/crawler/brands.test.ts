import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../../support/app.ts'
import { crawl, crawling } from '../../support/crawl.ts'
import { eventually } from '../../support/eventually.ts'
import { startWeb, type Web } from '../../support/web.ts'

const file = (domain: string) => `https://${domain}/.well-known/brand.json`
const brandOf = (id: string, more: object = {}) => ({ id, names: [{ en: `Brand ${id}` }], ...more })

describe.each(['sqlite', 'postgres'] as const)('the crawler reads brands [%s]', (store) => {
  let web: Web
  let app: TestApp
  beforeAll(async () => {
    web = await startWeb()
    app = await startApp({ store, config: crawling(web.egressHosts), resolveTxt: web.resolveTxt })
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  const resolve = (domain: string) => call(`${app.url}/api/brands/resolve?domain=${domain}`)
  const typesOf = async (domain: string) => {
    const { key } = await app.organization('Reader')
    const { body } = await call(`${app.url}/api/registry/feed?types=manifest_ref.*&limit=1000`, {
      key,
    })
    const events = body.events as { event_type: string; payload: { domain: string } }[]
    return events
      .filter(({ payload }) => payload.domain === domain)
      .map(({ event_type }) => event_type)
  }

  test('spec 4.5: a crawled domain with a brand.json is a brand, found by name, with an event', async () => {
    web.publish(file('acme.example'), { body: brandOf('acme') })
    await crawl(app, 'acme.example')
    expect((await resolve('acme.example')).body).toMatchObject({
      canonical_id: 'acme',
      brand_name: 'Brand acme',
      relationship_trust: 'standalone',
      source: 'brand_json',
    })
    expect((await call(`${app.url}/api/brands/find?q=acme`)).body.results).toHaveLength(1)
    expect(
      (await call(`${app.url}/api/manifest-refs/lookup?domain=acme.example`)).body,
    ).toMatchObject({ reference: { manifest_url: file('acme.example') } })
    expect(await typesOf('acme.example')).toEqual(['manifest_ref.created', 'manifest_ref.verified'])
    await crawl(app, 'acme.example')
    expect(await typesOf('acme.example')).toHaveLength(2)
    web.publish(file('acme.example'), { body: brandOf('renamed') })
    await crawl(app, 'acme.example')
    expect((await resolve('acme.example')).body).toMatchObject({ canonical_id: 'renamed' })
  })

  test('a domain without one leaves no trace', async () => {
    await crawl(app, 'none.example')
    web.publish(file('broken.example'), { body: { id: 'no names' } })
    await crawl(app, 'broken.example')
    for (const domain of ['none.example', 'broken.example']) {
      expect((await resolve(domain)).body).toMatchObject({ file_status: 'unknown' })
      expect(await typesOf(domain)).toEqual([])
    }
  })

  test('one that is gone is resolved no more', async () => {
    web.publish(file('gone.example'), { body: brandOf('gone') })
    await crawl(app, 'gone.example')
    web.unpublish(file('gone.example'))
    await crawl(app, 'gone.example')
    expect((await resolve('gone.example')).body).toMatchObject({
      error: 'Brand not found',
      file_status: 'unreachable',
    })
  })

  test('spec 4.5: a house that a brand claims is crawled as well, so that its word is known', async () => {
    web.publish(file('house.example'), {
      body: {
        house: { domain: 'house.example', name: 'The House' },
        brands: [brandOf('main', { keller_type: 'master' })],
        brand_refs: [{ domain: 'leaf.example', brand_id: 'leaf' }],
      },
    })
    web.publish(file('leaf.example'), { body: brandOf('leaf', { house_domain: 'house.example' }) })
    await crawl(app, 'leaf.example')
    await eventually(async () =>
      expect((await resolve('leaf.example')).body).toMatchObject({
        house_domain: 'house.example',
        relationship_trust: 'mutual',
      }),
    )
  })

  test('spec 4.5: a request for a brand is a crawl, and takes a credential', async () => {
    web.publish(file('asked.example'), { body: brandOf('asked') })
    const path = `${app.url}/api/registry/brand-crawl-request`
    const body = { domain: 'asked.example' }
    expect((await call(path, { body })).status).toBe(401)
    const { key } = await app.organization('Asking')
    const requested = await call(path, { key, body })
    expect([requested.status, requested.body]).toEqual([
      202,
      { message: 'Brand crawl request accepted', domain: 'asked.example' },
    ])
    await eventually(async () => expect((await resolve('asked.example')).status).toBe(200))
    expect((await call(path, { key, body })).status).toBe(429)
    expect((await call(path, { key, body: { domain: '10.0.0.1' } })).status).toBe(400)
  })
})

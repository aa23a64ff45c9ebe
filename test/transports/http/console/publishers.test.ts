import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../support/app.ts'
import { call } from '../../../support/call.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'
import { createDice } from '../../../support/faults/random.ts'
import { growSource } from '../../../support/source-registry.ts'

describe.each(['sqlite', 'postgres'] as const)('publishers in the console [%s]', (store) => {
  let app: TestApp
  let operator: ConsoleClient
  let viewer: ConsoleClient

  beforeAll(async () => {
    const config = { trustProxy: ['127.0.0.1'], registryCrawlConcurrency: 0 }
    app = await startApp({ store, config })
    operator = await signIn(app, await app.principal('operator'))
    viewer = await signIn(app, await app.principal('viewer'))
    const { transact, crawl } = app.storage
    const domains = Array.from({ length: 5 }, (_, n) => `d${n}.example`)
    await transact((tx) => crawl.add(tx, domains, { foundBy: 'test', at: 4_000_000_000_000 }))
    await (await growSource(app.storage, createDice(1))).change(50)
  })
  afterAll(() => app.stop())

  test('are listed by domain, by how they begin and by state, page after page', async () => {
    const first = await viewer.get('/registry/crawl?limit=2&status=never')
    expect(first.body.items.map((one: { domain: string }) => one.domain)).toEqual([
      'd0.example',
      'd1.example',
    ])
    const query = `limit=2&status=never&cursor=${encodeURIComponent(first.body.next_cursor)}`
    const second = await viewer.get(`/registry/crawl?${query}`)
    expect(second.body.items).toMatchObject([{ domain: 'd2.example' }, { domain: 'd3.example' }])
    const begun = await viewer.get('/registry/crawl?q=D4')
    expect(begun.body.items).toMatchObject([{ domain: 'd4.example', status: 'never', failures: 0 }])
    expect((await viewer.get('/registry/crawl?status=valid')).body.items).toEqual([])
    expect((await viewer.get('/registry/crawl?cursor=x')).status).toBe(400)
  })

  test('are crawled when an operator says so, which the audit log keeps', async () => {
    const path = '/registry/publishers/new.example'
    expect((await viewer.get(path)).body).toMatchObject({ domain: 'new.example', findings: [] })
    expect((await viewer.post(`${path}/crawl`, {})).status).toBe(403)
    const { body } = await operator.post(`${path}/crawl`, {})
    expect(body).toMatchObject({
      crawl: { status: 'never' },
      findings: [{ code: 'never_crawled' }],
    })
    expect((await app.storage.crawl.get('new.example'))?.next_crawl_at).toBe(0)
    const { body: audit } = await operator.get('/audit')
    expect(audit.items[0]).toMatchObject({ action: 'registry.crawl', target: 'new.example' })
    expect((await viewer.get('/registry/publishers/localhost')).status).toBe(400)
  })

  test('of an agent are listed with their state; of a network with what to change', async () => {
    const agent = encodeURIComponent('https://a1.example/mcp/')
    const { body } = await viewer.get(`/registry/agent?agent_url=${agent}`)
    expect(body).toMatchObject({ agent_url: 'https://a1.example/mcp' })
    const none = await viewer.get('/registry/agent?agent_url=https%3A%2F%2Fnobody.example')
    expect(none.body).toMatchObject({ is_known: false, items: [] })
    expect((await viewer.get('/registry/agent?agent_url=x')).status).toBe(400)
    const network = await viewer.get(`/registry/network?of=${agent}&limit=3`)
    expect(network.status).toBe(200)
    expect(network.body.summary.publishers).toBeGreaterThanOrEqual(
      network.body.items.length > 0 ? 1 : 0,
    )
    expect((await viewer.get('/registry/network?of=localhost')).status).toBe(400)
  })

  test('what waits for a moderator is for operators alone', async () => {
    expect((await viewer.get('/registry/reviews')).status).toBe(403)
    expect((await operator.get('/registry/reviews')).body).toEqual({ items: [] })
    const decided = await operator.post('/registry/reviews/decide', {
      kind: 'policy',
      key: 'nothing',
      decision: 'approve',
    })
    expect(decided.status).toBe(404)
    const unknown = { kind: 'other', key: 'x', decision: 'reject' }
    expect((await operator.post('/registry/reviews/decide', unknown)).status).toBe(404)
  })

  test('a brand that was saved waits for a moderator, and is public once approved', async () => {
    const { key } = await app.organization()
    const body = { domain: 'waits.example', brand_name: 'Waits' }
    await call(`${app.url}/api/brands/save`, { key, body })
    const resolve = () => call(`${app.url}/api/brands/resolve?domain=waits.example`)
    expect((await resolve()).status).toBe(404)
    const [item] = (await operator.get('/registry/reviews')).body.items
    expect(item).toMatchObject({ kind: 'brand', key: 'waits.example', name: 'Waits' })
    const decision = { kind: 'brand', key: 'waits.example', decision: 'approve' }
    const decided = await operator.post('/registry/reviews/decide', decision)
    expect(decided).toMatchObject({ status: 200, body: { items: [] } })
    expect((await resolve()).status).toBe(200)
  })
})

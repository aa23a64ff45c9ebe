import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../support/app.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'
import { eventually } from '../../../support/eventually.ts'

describe.each(['sqlite', 'postgres'] as const)('the registry in the console [%s]', (store) => {
  let app: TestApp
  let operator: ConsoleClient
  let viewer: ConsoleClient

  beforeAll(async () => {
    app = await startApp({ store, config: { trustProxy: ['127.0.0.1'] } })
    operator = await signIn(app, await app.principal('operator'))
    viewer = await signIn(app, await app.principal('viewer'))
  })
  afterAll(() => app.stop())

  const add = async (domain: string) => {
    const [added] = await app.storage.transact((tx) =>
      app.storage.references.add(
        tx,
        [
          {
            domain,
            manifest_type: 'brand.json',
            reference_type: 'url',
            // Nothing listens there, and the guard lets no one ask.
            manifest_url: 'http://127.0.0.1:9/brand.json',
            agent_url: null,
            agent_id: null,
            contributed_by_org_id: 'org_x',
          },
        ],
        { verifyAt: 4_000_000_000_000 },
      ),
    )
    return added?.reference.id ?? ''
  }

  test('a domain is looked up however it is written, with its references', async () => {
    const id = await add('look.example')
    for (const written of ['look.example', 'WWW.Look.example', 'https://look.example/x']) {
      const { body } = await viewer.get(`/registry/domains/${encodeURIComponent(written)}`)
      expect(body).toMatchObject({
        domain: 'look.example',
        lookup: [
          { manifest_type: 'brand.json', reference: { verification_status: 'pending' } },
          { manifest_type: 'adagents.json' },
        ],
        references: [
          {
            id,
            history: [],
            is_queued: false,
            ways_to_prove: [expect.any(String), expect.any(String)],
          },
        ],
      })
    }
    const unknown = await viewer.get('/registry/domains/nobody.example')
    expect(unknown.body).toMatchObject({ references: [], has_more: false })
    const wrong = await viewer.get('/registry/domains/not%20a%20domain')
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'invalid_request'])
  })

  test('an operator has a reference verified: the worker does it, and the reason for a failure is reported', async () => {
    const id = await add('verify.example')
    const path = `/registry/references/${id}/verify`
    expect((await viewer.post(path)).status).toBe(403)
    expect((await operator.post(path)).body).toMatchObject({ domain: 'verify.example' })
    await eventually(async () => {
      const { body } = await viewer.get('/registry/domains/verify.example')
      expect(body.references).toMatchObject([
        {
          id,
          verification_status: 'unreachable',
          failures: 1,
          is_queued: false,
          history: [{ verification_status: 'unreachable', reason: expect.stringMatching(/\w/) }],
        },
      ])
    })
    const { body } = await viewer.get('/audit?limit=1')
    expect(body.items).toMatchObject([
      { action: 'registry.verify', outcome: 'done', target: `verify.example brand.json ${id}` },
    ])
    expect((await operator.post('/registry/references/none/verify')).status).toBe(404)
    const feed = await viewer.get('/registry/feed?domain=VERIFY.example')
    expect(feed.body.items).toMatchObject([
      { event_type: 'manifest_ref.verified', domain: 'verify.example', entity_id: id },
    ])
  })

  test('references are listed by what their domain begins with, and by state', async () => {
    await add('pre-one.example')
    await add('pre-two.example')
    const domains = async (query: string) =>
      (await viewer.get(`/registry/references?${query}`)).body.items.map(
        ({ domain }: { domain: string }) => domain,
      )
    expect(await domains('q=PRE-')).toEqual(['pre-one.example', 'pre-two.example'])
    expect(await domains('q=pre-&status=valid')).toEqual([])
    const first = await viewer.get('/registry/references?q=pre-&limit=1')
    expect(first.body).toMatchObject({ total: 2, items: [{ domain: 'pre-one.example' }] })
    expect(await domains(`q=pre-&limit=1&cursor=${first.body.next_cursor}`)).toEqual([
      'pre-two.example',
    ])
    for (const path of ['/registry/references', '/registry/feed']) {
      const { status, body } = await viewer.get(`${path}?cursor=WyJ4IiwxXQ`)
      expect([path, status, body.error.code]).toEqual([path, 400, 'invalid_cursor'])
    }
  })

  test('a pasted file is validated with pointers and what would be right; a large one as well', async () => {
    const check = (body: object) => viewer.post('/registry/check', { type: 'brand.json', ...body })
    const wrong = await check({ text: '{"id": 7, "names": "Acme"}' })
    expect(wrong.body).toMatchObject({ ok: false, reason: 'the file is not a valid brand.json' })
    expect(wrong.body.issues).toContainEqual({
      pointer: '/id',
      message: 'This must be a string, not a number.',
    })
    expect((await check({ text: '{"id": ' })).body).toEqual({
      ok: false,
      reason: 'the file is not JSON',
      issues: [],
      total_issues: 0,
    })
    const redirect = await check({
      text: '{"authoritative_location": "https://cdn.example/brand.json"}',
      domain: 'acme.example',
    })
    expect(redirect.body).toMatchObject({
      ok: true,
      points_to: 'https://cdn.example/brand.json',
      names_domain: false,
    })
    const large = JSON.stringify({ id: 7, names: 'x'.repeat(200_000) })
    expect((await check({ text: large })).body.issues).toContainEqual({
      pointer: '/id',
      message: 'This must be a string, not a number.',
    })
    expect((await check({ text: 'x'.repeat(400_001) })).status).toBe(400)
    expect((await check({ text: '{}', domain: 'not a domain' })).status).toBe(400)
    const sellers = await check({ type: 'adagents.json', text: '{"authorized_agents": 1}' })
    expect(sellers.body).toMatchObject({
      ok: false,
      reason: 'the file is not a valid adagents.json',
    })
  })

  test('a pasted adagents.json shows whom it would authorize, and which of its agents in vain', async () => {
    const agent = (over: object) => ({
      url: 'https://sell.example/mcp',
      authorized_for: 'display',
      authorization_type: 'property_ids',
      property_ids: ['home'],
      ...over,
    })
    const property = (over: object) => ({
      property_id: 'home',
      property_type: 'website',
      name: 'Home',
      identifiers: [{ type: 'domain', value: 'pub.example' }],
      ...over,
    })
    const text = JSON.stringify({
      authorized_agents: [
        agent({}),
        agent({ url: 'https://idle.example', property_ids: ['nothing'] }),
      ],
      properties: [property({}), property({ publisher_domain: 'other.example' })],
    })
    const body = { type: 'adagents.json', text, domain: 'pub.example' }
    const { authorizes, ok } = (await viewer.post('/registry/check', body)).body
    expect(ok).toBe(true)
    expect(authorizes).toMatchObject({
      total: 2,
      rows: [
        { publisher_domain: 'pub.example', is_own: true, properties_authorized: 1 },
        { publisher_domain: 'other.example', is_own: false },
      ],
      idle: [{ agent_url: 'https://idle.example' }],
    })
    const ads = await viewer.post('/registry/check', {
      type: 'ads.txt',
      text: 'MANAGERDOMAIN=net.example',
    })
    expect(ads.body).toMatchObject({ ok: true, manager_domain: 'net.example' })
  })
})

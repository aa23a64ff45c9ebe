import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, call, startApp, type TestApp } from '../../../support/app.ts'
import { eventually } from '../../../support/eventually.ts'
import { brandJson, deadUrl, HTML, MCP_INITIALIZED } from '../../../support/manifest-server.ts'
import { startWeb, type Web } from '../../../support/web.ts'

interface Reference {
  id: string
  domain: string
  verification_status: string
  completeness_score: number
}

const referenceOf = ({ body }: Answer) => body.reference as Reference

function nested(levels: number): unknown {
  return levels === 0 ? 'x' : { id: nested(levels - 1) }
}

describe.each(['sqlite', 'postgres'] as const)('references over HTTP [%s]', (store) => {
  let app: TestApp
  let web: Web
  let key: string
  beforeAll(async () => {
    web = await startWeb()
    const { egressHosts, resolveTxt } = web
    app = await startApp({ store, resolveTxt, config: { egressHosts } })
    key = (await app.organization()).key
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  const create = async (fields: Record<string, unknown>, by = key) => {
    const answer = await call(`${app.url}/api/manifest-refs`, {
      key: by,
      body: { reference_type: 'url', ...fields },
    })
    expect(answer.status).toBe(201)
    return referenceOf(answer)
  }
  const show = (id: string) => call(`${app.url}/api/manifest-refs/${id}`)
  const lookup = async (domain: string) =>
    (await call(`${app.url}/api/manifest-refs/lookup?domain=${domain}`)).body.reference
  const settled = (id: string) =>
    eventually(async () => {
      const answer = await show(id)
      const history = answer.body.history as { reason: string; verification_status: string }[]
      expect(history[0]?.verification_status).toBe(referenceOf(answer).verification_status)
      return { reference: referenceOf(answer), history }
    })
  /** The domain names the agents by their URLs, each with the id `a`. */
  const nameAgents = (domain: string, ...urls: string[]) =>
    web.publish(`https://${domain}/.well-known/brand.json`, {
      body: { agents: urls.map((url) => ({ type: 'brand', url, id: 'a' })) },
    })

  test('spec 2.1: a created reference is answered whole, and the same again is no second one', async () => {
    const body = {
      domain: 'Twice.Example',
      reference_type: 'url',
      manifest_url: 'https://twice.example/brand.json',
    }
    const first = await call(`${app.url}/api/manifest-refs`, { key, body })
    expect(first.status).toBe(201)
    expect(first.body).toEqual({
      success: true,
      reference: {
        id: expect.any(String),
        domain: 'twice.example',
        manifest_type: 'brand.json',
        reference_type: 'url',
        manifest_url: 'https://twice.example/brand.json',
        agent_url: null,
        agent_id: null,
        verification_status: 'pending',
        proved_by: null,
        completeness_score: 0,
        contributed_by_org_id: expect.any(String),
        last_verified_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    })
    const second = await call(`${app.url}/api/manifest-refs`, { key, body })
    expect(second.status).toBe(200)
    expect(referenceOf(second).id).toBe(referenceOf(first).id)
  })

  test('spec 3.1: a valid file, HTML and nothing become valid, invalid and unreachable', async () => {
    const domain = 'three.example'
    const manifest_url = `https://${domain}/.well-known/brand.json`
    web.publish(`https://${domain}/html`, HTML)
    web.publish(manifest_url, brandJson(domain, 'Three Kings'))
    const dead = await create({ domain, manifest_url: `${await deadUrl()}/brand.json` })
    const html = await create({ domain, manifest_url: `https://${domain}/html` })
    expect((await settled(dead.id)).reference.verification_status).toBe('unreachable')
    expect((await settled(html.id)).reference.verification_status).toBe('invalid')
    const valid = await create({ domain, manifest_url })
    const { reference, history } = await settled(valid.id)
    expect(reference.verification_status).toBe('valid')
    expect(reference.completeness_score).toBeGreaterThan(0)
    expect(history).toHaveLength(1)
    expect(await lookup(domain)).toEqual({
      reference_type: 'url',
      manifest_url,
      agent_url: null,
      agent_id: null,
      verification_status: 'valid',
    })
    const found = await call(`${app.url}/api/search?q=kings`)
    expect(found.body.brands).toEqual([
      { name: 'Three Kings', domain, verification_status: 'valid' },
    ])
  })

  test.each([
    ['a 404', 'unreachable', { status: 404, body: {} }],
    ['a 500', 'unreachable', { status: 500, body: {} }],
    ['JSON that is no manifest', 'invalid', { body: { hello: 'world' } }],
    ['a manifest of somebody else', 'invalid', brandJson('stranger.example')],
    ['a file of 3 MiB', 'invalid', { body: { id: 'x'.repeat(3_000_000) } }],
    ['a file of 200 levels', 'invalid', { body: nested(200) }],
    ['a valid file that the domain does not vouch for', 'pending', brandJson('odd.example')],
  ])('spec 3.1: %s is %s', async (what, status, answer) => {
    const manifest_url = `https://files.example/${what.replaceAll(' ', '-')}`
    web.publish(manifest_url, answer)
    const { id } = await create({ domain: 'odd.example', manifest_url })
    const { reference, history } = await settled(id)
    expect(reference.verification_status).toBe(status)
    expect(history[0]?.reason).toMatch(/\w+ \w+/)
  })

  test('spec 3.1: an agent that answers as an MCP server and is named is valid', async () => {
    const agent_url = 'https://agents.example/mcp'
    web.publish(agent_url, MCP_INITIALIZED)
    nameAgents('mcp.example', agent_url)
    const { id } = await create({
      domain: 'mcp.example',
      reference_type: 'agent',
      agent_url,
      agent_id: 'a',
    })
    expect((await settled(id)).reference).toMatchObject({
      verification_status: 'valid',
      completeness_score: 60,
    })
  })

  test('spec 3.1: an agent that answers with an event stream, or requires a credential, is valid', async () => {
    const [sse, closed] = ['https://agents.example/sse', 'https://agents.example/closed'] as const
    nameAgents('two-agents.example', sse, closed)
    web.publish(sse, {
      headers: { 'content-type': 'text/event-stream' },
      body: `event: message\ndata: ${JSON.stringify(MCP_INITIALIZED.body)}\n\n`,
    })
    web.publish(closed, {
      status: 401,
      headers: { 'www-authenticate': 'Bearer resource_metadata="https://x.example"' },
      body: {},
    })
    for (const agent_url of [sse, closed]) {
      const { id } = await create({
        domain: 'two-agents.example',
        reference_type: 'agent',
        agent_url,
        agent_id: 'a',
      })
      expect((await settled(id)).reference.verification_status).toBe('valid')
    }
  })

  test('spec 3.1: an agent is known by a card that names its address, and by no other', async () => {
    const [right, other] = ['https://cards.example/a2a', 'https://cards.example/other'] as const
    nameAgents('card.example', right, other)
    web.publish('https://cards.example/.well-known/agent-card.json', {
      body: { name: 'Card agent', url: right, skills: [{ id: 'x' }] },
    })
    for (const [agent_url, status] of [
      [right, 'valid'],
      [other, 'invalid'],
    ] as const) {
      const { id } = await create({
        domain: 'card.example',
        reference_type: 'agent',
        agent_url,
        agent_id: 'a',
      })
      expect((await settled(id)).reference.verification_status).toBe(status)
    }
  })

  test('spec 3.1: an agent that is down is unreachable', async () => {
    const { id } = await create({
      domain: 'down.example',
      reference_type: 'agent',
      agent_url: `${await deadUrl()}/mcp`,
      agent_id: 'a',
    })
    expect((await settled(id)).reference.verification_status).toBe('unreachable')
  })

  test('verify now sees what has changed, and the history keeps both results', async () => {
    const manifest_url = 'https://changing.example/brand.json'
    web.publish(manifest_url, HTML)
    const { id } = await create({ domain: 'changing.example', manifest_url })
    expect((await settled(id)).reference.verification_status).toBe('invalid')
    web.publish(manifest_url, brandJson('changing.example'))
    const requested = await call(`${app.url}/api/manifest-refs/${id}/verify`, {
      key,
      method: 'POST',
    })
    expect(requested.status).toBe(202)
    expect(referenceOf(requested).id).toBe(id)
    await eventually(async () =>
      expect(referenceOf(await show(id)).verification_status).toBe('valid'),
    )
    expect((await show(id)).body.history).toEqual([
      expect.objectContaining({ verification_status: 'valid' }),
      expect.objectContaining({ verification_status: 'invalid' }),
    ])
  })

  test('a deleted reference is gone from the lookup, and the feed reports its lifecycle', async () => {
    const manifest_url = 'https://gone.example/brand.json'
    web.publish(manifest_url, brandJson('gone.example'))
    const { id } = await create({ domain: 'gone.example', manifest_url })
    await settled(id)
    const gone = await call(`${app.url}/api/manifest-refs/${id}`, { key, method: 'DELETE' })
    expect([gone.status, gone.body]).toEqual([200, { success: true }])
    expect((await show(id)).status).toBe(404)
    expect((await show(id)).body).toEqual({ error: 'Reference not found' })
    expect(await lookup('gone.example')).toBeUndefined()
    const again = await call(`${app.url}/api/manifest-refs/${id}`, { key, method: 'DELETE' })
    expect(again.status).toBe(404)
    const { body } = await call(`${app.url}/api/registry/feed?types=manifest_ref.*&limit=1000`, {
      key,
    })
    const events = body.events as { entity_id: string; event_type: string }[]
    expect(
      events.filter(({ entity_id }) => entity_id === id).map(({ event_type }) => event_type),
    ).toEqual(['manifest_ref.created', 'manifest_ref.verified', 'manifest_ref.removed'])
  })

  test('another organisation may read a reference and not touch it', async () => {
    const manifest_url = 'https://mine.example/brand.json'
    const { id } = await create({ domain: 'mine.example', manifest_url })
    await settled(id)
    const { key: other } = await app.organization('Other')
    for (const [method, path] of [
      ['POST', `/api/manifest-refs/${id}/verify`],
      ['POST', `/api/manifest-refs/${id}/proof`],
      ['DELETE', `/api/manifest-refs/${id}`],
    ] as const) {
      const answer = await call(app.url + path, { key: other, method })
      expect(answer.status).toBe(403)
      expect(answer.body).toEqual({ error: expect.stringContaining('another organization') })
    }
    const requested = web.requested().filter((url) => url === manifest_url).length
    expect((await show(id)).status).toBe(200)
    expect(requested).toBe(1)
  })

  test('a reference that is not there is 404 for everyone', async () => {
    for (const [method, path] of [
      ['GET', '/api/manifest-refs/nobody'],
      ['POST', '/api/manifest-refs/nobody/verify'],
      ['POST', '/api/manifest-refs/nobody/proof'],
      ['DELETE', '/api/manifest-refs/nobody'],
    ] as const) {
      const answer = await call(app.url + path, { key, method })
      expect([answer.status, answer.body]).toEqual([404, { error: 'Reference not found' }])
    }
  })

  test('the list filters and pages, and shows a caller its own', async () => {
    const { key: fresh } = await app.organization('Lister')
    for (const n of [1, 2, 3]) {
      const manifest_url = `https://list${n}.example/brand.json`
      await create({ domain: `list${n}.example`, manifest_url }, fresh)
    }
    const list = async (query: string, by?: string) =>
      (await call(`${app.url}/api/manifest-refs?${query}`, by ? { key: by } : {})).body as {
        references: Reference[]
        total: number
      }
    const mine = await list('mine=true&limit=2&offset=1', fresh)
    expect(mine.total).toBe(3)
    expect(mine.references.map(({ domain }) => domain)).toEqual(['list2.example', 'list3.example'])
    expect((await list('domain=WWW.list1.example')).total).toBe(1)
    expect((await list('domain=list1.example&manifest_type=adagents.json')).total).toBe(0)
    const refused = await call(`${app.url}/api/manifest-refs?mine=true`)
    expect(refused.status).toBe(401)
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'offset=-1',
    'manifest_type=robots.txt',
    'verification_status=lovely',
    'domain=localhost',
    'mine=perhaps',
  ])('a list with %s is a 400 that says why', async (query) => {
    const answer = await call(`${app.url}/api/manifest-refs?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: expect.any(String) })
  })

  test('the statistics count what is stored', async () => {
    const { status, body } = await call(`${app.url}/api/manifest-refs/stats`)
    expect(status).toBe(200)
    const stats = body.stats as Record<string, number>
    expect(stats.total_references).toBe(await app.count('manifest_references'))
    expect(stats.verified_count).toBeGreaterThan(3)
    expect(Object.keys(stats)).toHaveLength(11)
  })

  test('the metrics count verifications by result', async () => {
    const { text } = await call(`${app.url}/metrics`)
    for (const status of ['valid', 'pending', 'invalid', 'unreachable']) {
      expect(text).toMatch(
        new RegExp(`adwire_reference_verifications_total\\{status="${status}"\\} [1-9]`),
      )
    }
  })
})

test('a caller that writes too much is informed when to retry', async () => {
  const app = await startApp({
    config: { registryWritesPerMinute: 2, registryVerifyConcurrency: 0 },
  })
  onTestFinished(() => app.stop())
  const { key } = await app.organization()
  const { key: other } = await app.organization('Other')
  const write = (by: string, n: number) =>
    call(`${app.url}/api/manifest-refs`, {
      key: by,
      body: { domain: `r${n}.example`, reference_type: 'url', manifest_url: 'https://a.example/b' },
    })
  expect((await write(key, 1)).status).toBe(201)
  expect((await write(key, 2)).status).toBe(201)
  const refused = await write(key, 3)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('30')
  expect(refused.body).toEqual({
    error: 'Too many requests',
    message: expect.any(String),
    retryAfter: 30,
  })
  expect((await write(other, 3)).status).toBe(201)
  expect(await app.count('manifest_references')).toBe(3)
  expect((await call(`${app.url}/api/manifest-refs/lookup?domain=r1.example`)).status).toBe(200)
})

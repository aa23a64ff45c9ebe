import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { call, startApp, type TestApp } from '../../../support/app.ts'

const NOT_FOUND = { success: false, found: false }

describe.each(['sqlite', 'postgres'] as const)('the lookup over HTTP [%s]', (store) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ store, config: { registryVerifyConcurrency: 0 } })
    const { key } = await app.organization()
    for (const body of [
      {
        domain: 'acme.example',
        reference_type: 'url',
        manifest_url: 'https://acme.example/b.json',
      },
      {
        domain: 'agents.example',
        manifest_type: 'adagents.json',
        reference_type: 'agent',
        agent_url: 'https://agent.example/mcp',
        agent_id: 'agents',
      },
      {
        domain: 'bücher.example',
        reference_type: 'url',
        manifest_url: 'https://cdn.example/b.json',
      },
    ]) {
      const created = await call(`${app.url}/api/manifest-refs`, { key, body })
      if (created.status !== 201) throw new Error(created.text)
    }
  })
  afterAll(() => app.stop())

  const lookup = (query: string) => call(`${app.url}/api/manifest-refs/lookup${query}`)

  test('spec 4.1: a url reference is found', async () => {
    const answer = await lookup('?domain=acme.example')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual({
      success: true,
      found: true,
      reference: {
        reference_type: 'url',
        manifest_url: 'https://acme.example/b.json',
        agent_url: null,
        agent_id: null,
        verification_status: 'pending',
      },
    })
  })

  test('spec 4.1: an agent reference is found under its manifest type', async () => {
    expect((await lookup('?domain=agents.example&type=adagents.json')).body).toEqual({
      success: true,
      found: true,
      reference: {
        reference_type: 'agent',
        manifest_url: null,
        agent_url: 'https://agent.example/mcp',
        agent_id: 'agents',
        verification_status: 'pending',
      },
    })
  })

  test.each([
    '?domain=nobody.example',
    '?domain=acme.example&type=adagents.json',
    '?domain=acme.example&type=robots.txt',
    '?domain=acme.example&type=%27%20OR%201%3D1',
    '?domain=agents.example',
    '?domain=sub.acme.example',
  ])('spec 7.4: %s is a 200 that says it found nothing', async (query) => {
    const answer = await lookup(query)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(NOT_FOUND)
  })

  test.each([
    '?domain=ACME.Example',
    '?domain=%20acme.example%20',
    '?domain=www.acme.example',
    '?domain=acme.example.',
    '?domain=https%3A%2F%2Facme.example%3A8443%2Fpath%3Fq',
    '?domain=acme.example&type=',
    '?domain=acme.example&type=brand.json&other=1',
    '?other=%zz&domain=acme.example',
    '?domain=%61cme.example',
  ])('%s finds the reference of acme.example', async (query) => {
    expect((await lookup(query)).body).toMatchObject({ found: true })
  })

  test.each([
    '?domain=b%C3%BCcher.example',
    '?domain=xn--bcher-kva.example',
    '?domain=B%C3%9CCHER.example',
  ])('an internationalised name is found in any spelling: %s', async (query) => {
    expect((await lookup(query)).body).toMatchObject({ found: true })
  })

  test.each([
    ['no domain', ''],
    ['no domain but a type', '?type=brand.json'],
    ['an empty domain', '?domain='],
    ['a blank domain', '?domain=%20%20'],
    ['a repeated domain', '?domain=acme.example&domain=acme.example'],
    ['a repeated type', '?domain=acme.example&type=brand.json&type=brand.json'],
    ['an IPv4 address', '?domain=192.0.2.1'],
    ['an IPv6 address', '?domain=%5B2001%3Adb8%3A%3A1%5D'],
    ['a number', '?domain=3221225985'],
    ['a single label', '?domain=localhost'],
    ['an underscore', '?domain=ac_me.example'],
    ['white space', '?domain=ac%20me.example'],
    ['a NUL', '?domain=acme%00.example'],
    ['an empty label', '?domain=acme..example'],
    ['a user name', '?domain=user%40acme.example'],
    ['a label that is too long', `?domain=${'a'.repeat(64)}.example`],
    ['a name that is too long', `?domain=${'a.'.repeat(130)}example`],
    ['an endless name', `?domain=${'a'.repeat(5_000)}.example`],
  ])('spec 7.4: %s is a 400 that says why', async (_what, query) => {
    const answer = await lookup(query)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: expect.stringMatching(/domain|type/) })
  })

  test('a HEAD is answered like the GET, without the body', async () => {
    const response = await fetch(`${app.url}/api/manifest-refs/lookup?domain=acme.example`, {
      method: 'HEAD',
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.text()).toBe('')
  })

  test('a thousand at once are all answered', async () => {
    // Several on each connection: both ends are one process here, and where it is slow, a connection of the thousand
    // would have said nothing for longer than a server waits.
    const dispatcher = new Agent({ connections: 250, pipelining: 4 })
    onTestFinished(() => dispatcher.close())
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, async (_, n) => {
        const domain = `${n % 2 ? 'acme' : `no${n}`}.example`
        const url = `${app.url}/api/manifest-refs/lookup?domain=${domain}`
        const { statusCode, body } = await request(url, { dispatcher })
        return { status: statusCode, body: (await body.json()) as { found: boolean } }
      }),
    )
    expect(answers.filter(({ body }) => body.found === true)).toHaveLength(500)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })

  test.each(['', '?q=', '?q=a', `?q=${'a'.repeat(201)}`, '?q=ac&q=me'])(
    'a search for %j is a 400 that says why',
    async (query) => {
      const answer = await call(`${app.url}/api/search${query}`)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error: expect.any(String) })
    },
  )

  test('a search finds what has a matching domain', async () => {
    expect((await call(`${app.url}/api/search?q=ACME`)).body).toEqual({
      brands: [{ name: 'acme.example', domain: 'acme.example', verification_status: 'pending' }],
      publishers: [],
      properties: [],
    })
  })
})

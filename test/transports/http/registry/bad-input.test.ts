import { generateKeyPairSync } from 'node:crypto'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../../../support/app.ts'
import { type ManifestServer, startManifestServer } from '../../../support/manifest-server.ts'

const TABLES = ['manifest_references', 'feed_events', 'organizations', 'member_agents']
const AUDIENCE = 'https://registry.example/api'

describe.each(['sqlite', 'postgres'] as const)('bad input [%s]', (store) => {
  let app: TestApp
  let key: string
  beforeAll(async () => {
    // As strict as a server is without settings of its own: https and public hosts only.
    app = await startApp({
      store,
      config: { egressAllow: [], egressAllowHttp: false, registryVerifyConcurrency: 0 },
    })
    key = (await app.organization()).key
  })
  afterAll(() => app.stop())

  /** The answer to a request that must change nothing. */
  const refused = async (path: string, request: Call) => {
    const before = await Promise.all(TABLES.map(app.count))
    const answer = await call(app.url + path, request)
    expect(await Promise.all(TABLES.map(app.count))).toEqual(before)
    return answer
  }
  const good = {
    domain: 'acme.example',
    reference_type: 'url',
    manifest_url: 'https://acme.example/brand.json',
  }
  const agent = {
    ...good,
    manifest_url: undefined,
    reference_type: 'agent',
    agent_url: 'https://agent.example/mcp',
    agent_id: 'acme',
  }

  test.each<[string, unknown, string]>([
    ['a list', [good], 'JSON object'],
    ['null', null, 'JSON object'],
    ['a number', 7, 'JSON object'],
    ['no domain', { ...good, domain: undefined }, 'domain is required'],
    ['an empty domain', { ...good, domain: '' }, 'domain is required'],
    ['a domain that is a list', { ...good, domain: ['acme.example'] }, 'domain is required'],
    ['a malformed domain', { ...good, domain: 'ac me.example' }, 'white space'],
    ['a long domain', { ...good, domain: `${'a.'.repeat(200)}example` }, 'longer than 253'],
    ['an IP address', { ...good, domain: '192.0.2.1' }, 'IP address'],
    ['a single label', { ...good, domain: 'localhost' }, 'single label'],
    ['a broken IDN', { ...good, domain: 'xn--a.example' }, 'internationalised'],
    [
      'an unknown manifest type',
      { ...good, manifest_type: 'ads.txt' },
      'brand.json, adagents.json',
    ],
    ['no reference type', { ...good, reference_type: undefined }, '"url" or "agent"'],
    ['an unknown reference type', { ...good, reference_type: 'file' }, '"url" or "agent"'],
    ['a url without one', { ...good, manifest_url: undefined }, 'manifest_url is required'],
    ['a url with an agent', { ...good, agent_url: 'https://a.example' }, 'neither agent_url'],
    ['a url with an agent id', { ...good, agent_id: 'a' }, 'neither agent_url'],
    ['an agent with a manifest', { ...agent, manifest_url: good.manifest_url }, 'no manifest_url'],
    ['an agent without a url', { ...agent, agent_url: undefined }, 'agent_url is required'],
    ['an agent without an id', { ...agent, agent_id: undefined }, 'agent_id is required'],
    ['an agent with a blank id', { ...agent, agent_id: '  ' }, 'agent_id is required'],
    ['an agent with a long id', { ...agent, agent_id: 'x'.repeat(201) }, 'at most 200'],
  ])('spec 2.1: a reference that is or has %s is refused', async (_what, body, part) => {
    const answer = await refused('/api/manifest-refs', { key, body: JSON.stringify(body) })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: expect.stringContaining(part) })
  })

  test.each([
    ['a user name', 'https://user@acme.example/b.json', 'user name or password'],
    ['a password', 'https://u:secret@acme.example/b.json', 'user name or password'],
    ['plain http', 'http://acme.example/b.json', 'https: is required'],
    ['a file', 'file:///etc/passwd', 'https: is required'],
    ['ftp', 'ftp://acme.example/b.json', 'https: is required'],
    ['javascript', 'javascript:alert(1)', 'https: is required'],
    ['data', 'data:application/json,{}', 'https: is required'],
    ['no scheme', '//acme.example/b.json', 'not an absolute URL'],
    ['a private IPv4', 'https://10.0.0.8/b.json', 'not public'],
    ['a loopback in decimal', 'https://2130706433/b.json', 'not public'],
    ['the metadata service', 'https://169.254.169.254/latest', 'not public'],
    ['a private IPv6', 'https://[fd00::1]/b.json', 'not public'],
    ['a mapped IPv4', 'https://[::ffff:10.0.0.1]/b.json', 'not public'],
    ['localhost', 'https://localhost/b.json', 'internal name'],
    ['an internal name', 'https://metadata.google.internal/', 'internal name'],
    ['white space', 'https://acme.example/a b', 'not an absolute URL'],
    ['a backslash', 'https://acme.example\\@evil.example/', 'not an absolute URL'],
    ['3000 characters', `https://acme.example/${'x'.repeat(3_000)}`, 'longer than'],
  ])('spec 2.1: a manifest or agent URL with %s is refused', async (_what, url, part) => {
    for (const body of [
      { ...good, manifest_url: url },
      { ...agent, agent_url: url },
    ]) {
      const answer = await refused('/api/manifest-refs', { key, body })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error: expect.stringContaining(part) })
      expect(answer.text).not.toContain('secret')
    }
  })

  test('a body over the limit is refused unread', async () => {
    const body = { ...good, note: 'x'.repeat(1_100_000) }
    expect((await refused('/api/manifest-refs', { key, body })).status).toBe(413)
  })

  test.each([
    ['no credential', {}, 'Authentication required'],
    ['an unknown key', { key: 'sk_unknown' }, 'unknown or has been revoked'],
    ['a key of a task caller', { key: 'adw_0123456789abcdef' }, 'organization API keys only'],
    ['a token where none is taken', { key: 'a.b.c' }, 'organization API keys only'],
    ['another scheme', { headers: { authorization: 'Basic YTpi' } }, 'must be "Bearer"'],
  ])('spec 5: %s is a 401 with a challenge', async (_what, credential, part) => {
    for (const [method, path] of [
      ['POST', '/api/manifest-refs'],
      ['POST', '/api/manifest-refs/x/verify'],
      ['DELETE', '/api/manifest-refs/x'],
      ['GET', '/api/me/agents'],
      ['POST', '/api/me/agents'],
      ['POST', '/api/organizations'],
      ['GET', '/api/registry/feed'],
      ['GET', '/api/registry/feed/stream'],
    ] as const) {
      const body = method === 'POST' ? { body: good } : {}
      const answer = await refused(path, { method, ...body, ...credential })
      expect([path, answer.status]).toEqual([path, 401])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata="http/)
      expect(answer.body.error).toContain(part)
    }
  })

  test.each<[string, unknown]>([
    ['no url', { type: 'sales' }],
    ['an unknown type', { url: 'https://agent.example', type: 'wizard' }],
    ['a private host', { url: 'https://10.0.0.1/', type: 'sales' }],
    ['an unknown visibility', { url: 'https://a.example', type: 'sales', visibility: 'loud' }],
    ['a list', []],
  ])('spec 4.5: an agent with %s is refused', async (_what, body) => {
    const answer = await refused('/api/me/agents', { key, body })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toEqual(expect.any(String))
  })
})

describe('user tokens over HTTP', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const stranger = generateKeyPairSync('ed25519').privateKey
  let app: TestApp
  let issuer: ManifestServer
  beforeAll(async () => {
    issuer = await startManifestServer()
    issuer.set('/jwks', { body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] } })
    app = await startApp({
      config: {
        jwtIssuer: issuer.url,
        jwtAudience: AUDIENCE,
        jwtJwksUrl: `${issuer.url}/jwks`,
        registryVerifyConcurrency: 0,
      },
    })
  })
  afterAll(async () => {
    await app.stop()
    await issuer.stop()
  })

  const now = () => Math.floor(Date.now() / 1_000)
  const claims = (overrides: JWTPayload = {}): JWTPayload => ({
    iss: issuer.url,
    aud: AUDIENCE,
    sub: 'ada',
    email: 'ada@acme.example',
    email_verified: true,
    exp: now() + 60,
    ...overrides,
  })
  const sign = (payload: JWTPayload, by = privateKey) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', kid: 'k' }).sign(by)
  const post = (key: string) =>
    call(`${app.url}/api/manifest-refs`, {
      key,
      body: {
        domain: 'acme.example',
        reference_type: 'url',
        manifest_url: 'https://acme.example/brand.json',
      },
    })

  test.each<[string, () => string | Promise<string>]>([
    ['that has expired', () => sign(claims({ exp: now() - 3_600 }))],
    ['for another audience', () => sign(claims({ aud: 'https://other.example' }))],
    ['of another issuer', () => sign(claims({ iss: 'https://evil.example' }))],
    ['signed by a stranger', () => sign(claims(), stranger)],
    ['with alg none', () => new UnsecuredJWT(claims()).encode()],
    ['that is cut short', async () => (await sign(claims())).slice(0, -8)],
  ])('spec 5: a token %s is a 401 and makes nothing', async (_what, token) => {
    const answer = await post(await token())
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(answer.body).toEqual({ error: expect.any(String) })
    for (const table of TABLES) expect(await app.count(table)).toBe(0)
  })

  test('spec 4.5: a good token makes the organisation at its first reference', async () => {
    const answer = await post(await sign(claims()))
    expect(answer.status).toBe(201)
    expect(await app.count('organizations')).toBe(1)
    expect(await app.count('manifest_references')).toBe(1)
  })

  test('RFC 9728: the challenge leads to who issues the tokens', async () => {
    const challenge = (await post('a.b.c')).headers.get('www-authenticate') ?? ''
    const where = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] as string
    const metadata = await call(app.url + new URL(where).pathname)
    expect(metadata.status).toBe(200)
    expect(metadata.body.authorization_servers).toEqual([issuer.url])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConsoleRoute } from '../../../../src/console/api/route.ts'
import { CONSOLE_ROUTES } from '../../../../src/console/api/routes.ts'
import { hashApiKey } from '../../../../src/lib/api-key.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { ask, nextAddress, signIn } from '../../../support/console.ts'

let app: TestApp
let operator: string
let viewer: string

beforeAll(async () => {
  // Every test here signs in from one address.
  app = await startApp({ config: { trustProxy: ['127.0.0.1'] } })
  operator = await app.principal('operator')
  viewer = await app.principal('viewer')
})
afterAll(() => app.stop())

const SESSION = '/console/api/session'
const session = (body: unknown, headers: object = {}) =>
  ask(app.url + SESSION, { method: 'POST', body, headers: { ...elsewhere(), ...headers } })

const elsewhere = () => ({ 'x-forwarded-for': nextAddress() })

describe('signing in', () => {
  test('a key with the scope operator opens a session, and the cookie is for the console alone', async () => {
    const answer = await session({ key: operator })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      principal: { principal_id: expect.stringMatching(/^prn_/), name: 'Caller' },
      roles: ['viewer', 'operator'],
      csrf: expect.stringMatching(/^[\w-]{43}$/),
      demo: false,
      expires_at: expect.stringMatching(/Z$/),
    })
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^adwire_console=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict; /)
    expect(cookie).not.toContain('Secure')
  })

  test('the cookie is kept nowhere: the database has its hash', async () => {
    const { headers } = await session({ key: operator })
    const value = /adwire_console=([\w-]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
    const rows = await app.storage.database.read.all('SELECT * FROM console_sessions')
    expect(JSON.stringify(rows)).not.toContain(value)
    expect(await app.storage.consoleSessions.get(hashApiKey(value))).toBeDefined()
  })

  test('every sign-in has a session of its own, whatever cookie came with it', async () => {
    const planted = 'A'.repeat(43)
    const answer = await session({ key: operator }, { cookie: `adwire_console=${planted}` })
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).not.toContain(planted)
    const withPlanted = await ask(app.url + SESSION, {
      headers: { cookie: `adwire_console=${planted}` },
    })
    expect(withPlanted.status).toBe(401)
  })

  test('signing in again ends the session that the browser had', async () => {
    const first = await signIn(app, operator)
    await session({ key: operator }, { cookie: first.cookie })
    expect((await first.get('/session')).status).toBe(401)
  })

  test('two cookies of the name are none: one of them was planted', async () => {
    const { cookie } = await signIn(app, operator)
    const both = { cookie: `${cookie}; adwire_console=${'A'.repeat(43)}` }
    expect((await ask(app.url + SESSION, { headers: both })).status).toBe(401)
  })

  test.each([
    ['a key that nobody has', { key: 'adw_0123456789abcdefghij' }, 401, 'unknown_key'],
    ['what is no key', { key: 'x' }, 401, 'unknown_key'],
    ['an empty body', {}, 400, 'invalid_request'],
    ['both at once', { key: 'adw_0123456789abcdefghij', demo: true }, 400, 'invalid_request'],
    ['the demo of a server that has none', { demo: true }, 403, 'no_demo'],
  ])('%s is refused', async (_what, body, status, code) => {
    const answer = await session(body)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ error: { code, message: expect.any(String) } })
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('a key that may only call tasks is refused', async () => {
    const answer = await session({ key: await app.principal('tasks') })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'no_console_scope'])
  })

  test('an organisation’s key is refused', async () => {
    const { key } = await app.organization()
    expect((await session({ key })).status).toBe(401)
  })

  test('one address may try so often in a minute, and no more', async () => {
    const from = elsewhere()
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => session({ key: 'adw_0123456789abcdefghij' }, from)),
    )
    const statuses = tries.map(({ status }) => status).sort()
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    const refused = tries.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await session({ key: operator }, from)).status).toBe(429)
  })
})

describe('a session', () => {
  test('says who it is, and after signing out it is no one’s', async () => {
    const client = await signIn(app, viewer)
    expect((await client.get('/session')).body).toMatchObject({
      roles: ['viewer'],
      csrf: client.csrf,
    })
    const out = await client.delete('/session')
    expect(out.body).toEqual({ ok: true })
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    const after = await client.get('/session')
    expect(after.status).toBe(401)
    expect(after.body).toEqual({
      error: { code: 'no_session', message: expect.any(String) },
      demo: false,
    })
  })

  test('ends when its key is revoked', async () => {
    const key = await app.principal('operator')
    const client = await signIn(app, key)
    expect((await client.get('/deliveries')).status).toBe(200)
    const principal = await app.storage.principals.byKeyHash(hashApiKey(key))
    await app.storage.transact((tx) =>
      app.storage.principals.revoke(tx, principal?.principal_id ?? ''),
    )
    expect((await client.get('/deliveries')).status).toBe(401)
    expect((await client.post('/deliveries/1/retry')).status).toBe(401)
  })

  test('of a principal beyond the most there may be ends the oldest', async () => {
    const key = await app.principal('viewer')
    const answers = []
    for (let n = 0; n < 21; n++) answers.push(await session({ key }))
    const cookies = answers.map(({ headers }) => headers.get('set-cookie')?.split(';')[0] ?? '')
    const statuses = await Promise.all(
      cookies.map(async (cookie) => (await ask(app.url + SESSION, { headers: { cookie } })).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(200)
  })
})

/** Those of a buyer's link know no session: links.test.ts has their gate. */
const routes = (Object.entries(CONSOLE_ROUTES) as [string, ConsoleRoute][]).filter(
  ([, { role }]) => role !== 'link',
)
describe('the gate', () => {
  test('every route that changes something is an operator’s', () => {
    const changing = routes.filter(([, { method }]) => method !== 'GET').map(([name]) => name)
    // To look at a creative of a library is to read it, and a pasted file is kept nowhere.
    const harmless = [
      'signIn',
      'signOut',
      'verifyWebhook',
      'checkManifest',
      'previewLibraryCreative',
    ]
    for (const [name, { role }] of routes) {
      if (changing.includes(name) && !harmless.includes(name))
        expect([name, ['operator', 'approver', 'admin'].includes(role)]).toEqual([name, true])
    }
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that is hidden', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the site', { 'sec-fetch-site': 'same-site' }],
  ])('a request of %s is refused, signing in included', async (_what, headers) => {
    const client = await signIn(app, operator)
    for (const answer of [
      await client.post('/deliveries/1/retry', {}, headers),
      await client.get('/overview', headers),
      await session({ key: operator }, headers),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([403, 'cross_site'])
    }
  })

  test('a page of the console itself is let in', async () => {
    const client = await signIn(app, operator)
    const own = { origin: app.url, 'sec-fetch-site': 'same-origin' }
    expect((await client.post('/deliveries/1/retry', {}, own)).status).toBe(404)
  })

  test('a body that is no JSON by its type is refused', async () => {
    const client = await signIn(app, operator)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await client.post('/deliveries/1/retry', {}, { 'content-type': type })
      expect([answer.status, answer.body.error.code]).toEqual([415, 'not_json'])
    }
  })

  test('what is not there is 404 in the shape of the API', async () => {
    const client = await signIn(app, operator)
    for (const path of ['/nothing', '/deliveries/999999', '/endpoints/abc', '/tasks/none']) {
      const answer = await client.get(path)
      expect([path, answer.status, answer.body]).toEqual([
        path,
        404,
        { error: { code: 'not_found', message: expect.any(String) } },
      ])
    }
  })
})

describe('headers', () => {
  test('every route of the API is kept by no cache, framed by no one and read by no other site', async () => {
    for (const { method, path } of Object.values(CONSOLE_ROUTES) as ConsoleRoute[]) {
      const url = app.url + path.replaceAll(/:\w+/g, '1')
      const { headers } = await ask(url, { method, ...(method === 'GET' ? {} : { body: {} }) })
      expect([method, path, Object.fromEntries(headers)]).toMatchObject([
        method,
        path,
        {
          'cache-control': 'no-store',
          'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
          'cross-origin-resource-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
        },
      ])
      expect(headers.get('access-control-allow-origin'), path).toBeNull()
    }
  })

  test.each([
    '/console/',
    '/console/api/session',
    '/console/deliveries/1',
    '/console/assets/none.js',
  ])('%s may be framed by nobody and runs nothing from elsewhere', async (path) => {
    const { headers } = await ask(app.url + path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
  })
})

test('signing in and out is in the audit log, with who it was', async () => {
  const client = await signIn(app, operator)
  await client.delete('/session')
  const { body } = await (await signIn(app, viewer)).get('/audit?limit=3')
  expect(body.items.map(({ action }: { action: string }) => action)).toEqual([
    'session.sign_in',
    'session.sign_out',
    'session.sign_in',
  ])
  expect(body.items[1]).toMatchObject({ principal_name: 'Caller', outcome: 'done' })
})

describe('refused sign-ins', () => {
  const refused = async (address: string) =>
    (await (await signIn(app, viewer)).get(`/audit?outcome=refused&address=${address}`)).body.items
  const from = (address: string) => ({ 'x-forwarded-for': address })

  test('an unknown key is recorded with the address and the reason, and without the key', async () => {
    const key = 'adw_thisIsNoKeyOfAnybody0'
    await session({ key }, from('198.51.100.1'))
    const entries = await refused('198.51.100.1')
    expect(entries).toEqual([
      {
        audit_id: expect.any(Number),
        at: expect.any(String),
        principal_id: 'unknown',
        principal_name: 'unknown',
        action: 'session.sign_in',
        outcome: 'refused',
        detail: expect.stringContaining('no principal has this key'),
        address: '198.51.100.1',
        attempts: 1,
      },
    ])
    expect(JSON.stringify(entries)).not.toContain(key.slice(4, 12))
  })

  test('a key without a scope for the console, and one that was revoked, are recorded by their ids', async () => {
    const key = await app.principal('tasks')
    await session({ key }, from('198.51.100.2'))
    const found = await app.storage.apiKeys.find('principal', hashApiKey(key))
    expect(await refused('198.51.100.2')).toMatchObject([
      {
        principal_id: found?.owner_id,
        key_id: found?.key_id,
        detail: expect.stringMatching(/scope operator/),
      },
    ])
    const { key_id } = found as { key_id: string }
    await app.storage.transact((tx) => app.storage.apiKeys.revoke(tx, 'principal', key_id))
    expect((await session({ key }, from('198.51.100.3'))).status).toBe(401)
    expect(await refused('198.51.100.3')).toMatchObject([
      { principal_id: found?.owner_id, key_id, detail: expect.stringMatching(/was revoked/) },
    ])
  })

  test('a flood from one address is an entry for each reason, while others sign in', async () => {
    const flood = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        session({ key: `adw_0123456789abcdef${n}` }, from('198.51.100.4')),
      ),
    )
    expect(flood.every(({ status }) => status === 401 || status === 429)).toBe(true)
    const entries = await refused('198.51.100.4')
    expect(entries.map(({ detail }: { detail: string }) => detail).sort()).toEqual([
      expect.stringContaining('no principal has this key'),
      expect.stringContaining('too many sign-in attempts'),
    ])
  })

  test('a sign-in from another site and a wrong link are recorded too', async () => {
    await session({ key: operator }, { ...from('198.51.100.5'), origin: 'https://evil.example' })
    await ask(`${app.url}/console/api/link/session`, {
      method: 'POST',
      body: { token: `adl_${'A'.repeat(43)}` },
      headers: from('198.51.100.5'),
    })
    expect(await refused('198.51.100.5')).toMatchObject([
      { action: 'links.open', principal_id: 'unknown' },
      {
        action: 'console.request',
        target: 'POST /console/api/session',
        detail: expect.stringMatching(/another site/),
      },
    ])
  })

  test('the list is filtered by outcome and address', async () => {
    const client = await signIn(app, viewer)
    const { body } = await client.get('/audit?outcome=done&limit=200')
    expect(new Set(body.items.map(({ outcome }: { outcome: string }) => outcome))).toEqual(
      new Set(['done']),
    )
    expect((await client.get('/audit?outcome=maybe')).status).toBe(400)
    expect((await client.get('/audit?address=203.0.113.9')).body.items).toEqual([])
  })
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { SQLITE_FILE } from '../../../src/storage/sqlite/database-file.ts'
import { call, startApp, type TestApp, type TestAppOptions } from '../../support/app.ts'
import { emptyPostgres } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { serveRoutes } from '../../support/test-agent.ts'

let app: TestApp
let key: string
beforeAll(async () => {
  app = await startApp({ config: { registryVerifyConcurrency: 0 } })
  key = (await app.organization()).key
})
afterAll(() => app.stop())

const LOOKUP = '/api/manifest-refs/lookup?domain=acme.example'

async function ownApp(options: TestAppOptions): Promise<TestApp> {
  const own = await startApp(options)
  onTestFinished(() => own.stop())
  return own
}

describe('operations', () => {
  test('the process says that it is alive and ready', async () => {
    expect((await call(`${app.url}/healthz`)).body).toEqual({ status: 'ok' })
    // Run from its sources the server has no sentence model, and says so.
    expect((await call(`${app.url}/readyz`)).body).toEqual({
      status: 'ready',
      sentence_model: 'missing',
      roles: ['api', 'sender', 'worker', 'verifier'],
    })
  })

  test('the metrics are those of the process and of each route', async () => {
    await call(app.url + LOOKUP)
    const { status, headers, text } = await call(`${app.url}/metrics`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/plain; version=0.0.4')
    expect(text).toContain('process_cpu_seconds_total')
    expect(text).toMatch(
      /adwire_http_request_duration_seconds_count\{route="\/api\/manifest-refs\/lookup",method="GET",status="200"\} [1-9]/,
    )
    expect(text).not.toContain('acme.example')
  })
})

test('what arrives while the server stops is refused, and informed when to retry', async () => {
  const stop = new AbortController()
  const server = await serveRoutes([(routes) => routes.get('/a', () => ({}))], stop.signal)
  onTestFinished(server.close)
  expect((await call(`${server.url}/a`)).status).toBe(200)
  stop.abort()
  const { status, headers, body } = await call(`${server.url}/a`)
  expect([status, headers.get('retry-after'), headers.get('connection')]).toEqual([
    503,
    '5',
    'close',
  ])
  expect(body).toEqual({ error: 'the server is stopping: retry the request' })
})

describe('what the server does not understand is answered in JSON', () => {
  const TEXT = { 'content-type': 'text/plain' }
  const big = JSON.stringify({ domain: 'x'.repeat(1_100_000) })
  test.each([
    [404, 'an unknown path', '/nothing/here', {}],
    [404, 'a folder of known paths', '/schemas', {}],
    [404, 'a known path with a slash too many', '/healthz/', {}],
    [405, 'a wrong method', '/healthz', { method: 'POST', body: {} }],
    [405, 'a wrong method of the lookup', LOOKUP, { method: 'DELETE' }],
    [405, 'a wrong method of one', '/api/manifest-refs/some-id', { method: 'PUT', body: {} }],
    [400, 'broken JSON', '/api/manifest-refs', { body: '{"domain":' }],
    [400, 'an empty body', '/api/manifest-refs', { body: '' }],
    [400, 'a poisoned prototype', '/api/manifest-refs', { body: '{"__proto__":{"a":true}}' }],
    [400, 'a path that cannot be decoded', '/api/manifest-refs/%E0%A4%A', {}],
    [413, 'a body that is too large', '/api/manifest-refs', { body: big }],
    [415, 'plain text', '/api/manifest-refs', { body: 'a=b', headers: TEXT }],
    [414, 'a path that is too long', `/api/manifest-refs/${'x'.repeat(3_000)}`, {}],
  ])('%i for %s', async (status, _what, path, request) => {
    const answer = await call(app.url + path, { key, ...request })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual({ error: expect.stringMatching(/\w/) })
    expect(answer.text).not.toMatch(/node_modules|\.ts:|\.js:| {4}at /)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
  })

  test('the error for a wrong method lists the right ones', async () => {
    const answer = await call(app.url + LOOKUP, { method: 'POST', body: {} })
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
    expect(answer.body).toEqual({ error: 'POST is not allowed here: use GET, HEAD' })
    const listed = await call(`${app.url}/api/manifest-refs`, { method: 'PATCH', body: {} })
    expect(listed.headers.get('allow')).toBe('GET, HEAD, POST')
  })

  test('a body is read for no one without a key, however wrong it is', async () => {
    for (const body of ['{"domain":', '', big]) {
      const answer = await call(`${app.url}/api/manifest-refs`, { body })
      expect(answer.status).toBe(401)
    }
  })

  test('the error for a body that is too large states the limit', async () => {
    const answer = await call(`${app.url}/api/manifest-refs`, { key, body: big })
    expect(answer.body).toEqual({ error: 'the body is too large: at most 1048576 bytes' })
  })

  test('a limit of the settings is kept', async () => {
    const small = await ownApp({ config: { bodyLimitBytes: 1_024 } })
    const { key: ownKey } = await small.organization()
    const answer = await call(`${small.url}/api/manifest-refs`, {
      key: ownKey,
      body: { x: 'x'.repeat(1_024) },
    })
    expect(answer.status).toBe(413)
  })

  test.each([
    ['bytes that are not HTTP', 'GARBAGE\r\n\r\n'],
    ['headers that are too long', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('4xx for %s', async (_what, bytes) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(bytes)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 4\d\d/)
    expect(answer.toString()).toContain('application/json')
    socket.destroy()
  })
})

describe('every answer', () => {
  test('carries an id of its own that is in the log', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await call(`${app.url}/nowhere`)).headers.get('x-request-id')),
    )
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(app.logged.join()).toContain(id)
  })

  test('does not take its id from the caller', async () => {
    const answer = await call(`${app.url}/healthz`, { headers: { 'x-request-id': 'forged' } })
    expect(answer.headers.get('x-request-id')).not.toBe('forged')
  })

  test('forbids whatever a page could do', async () => {
    for (const path of ['/healthz', LOOKUP, '/nowhere', '/openapi.json']) {
      const { headers } = await call(app.url + path)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })

  test('under a public https address asks browsers to stay with https', async () => {
    const own = await ownApp({ config: { publicUrl: 'https://registry.example' } })
    const { headers } = await call(`${own.url}/healthz`)
    expect(headers.get('strict-transport-security')).toContain('max-age=')
  })
})

test('the log holds no key of a caller', async () => {
  await call(`${app.url}/api/me/agents`, { key })
  await call(`${app.url}/api/me/agents`, { key: 'sk_wrong-wrong-wrong' })
  expect(app.logged.join()).not.toContain(key)
  expect(app.logged.join()).not.toContain('sk_wrong')
})

describe('a fault of ours', () => {
  test('is a 500 without a trace, and its id leads to the log', async () => {
    const own = await ownApp({ config: { registryVerifyConcurrency: 0 } })
    await own.storage.database.transact((tx) =>
      tx.run('ALTER TABLE manifest_references RENAME TO elsewhere'),
    )
    const answer = await call(`${own.url}/api/manifest-refs`)
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({
      error: 'internal error',
      request_id: answer.headers.get('x-request-id'),
    })
    const line = own.logged.find((one) => one.includes('request failed'))
    expect(line).toContain(answer.headers.get('x-request-id'))
    expect(line).toContain('manifest_references')
  })

  test('a SQLite that cannot be written is 503 and accepts nothing', async () => {
    const own = await ownApp({ config: { registryVerifyConcurrency: 0 } })
    const { key } = await own.organization()
    await own.storage.database.transact((tx) => tx.get('PRAGMA query_only = ON'))
    const answer = await call(`${own.url}/api/manifest-refs`, {
      key,
      body: {
        domain: 'acme.example',
        reference_type: 'url',
        manifest_url: 'https://acme.example/brand.json',
      },
    })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.body).toEqual({
      error: 'the database is unavailable and nothing was changed: retry',
      request_id: expect.any(String),
    })
    expect(await own.count('manifest_references')).toBe(0)
    expect((await call(own.url + LOOKUP)).status).toBe(200)
  })

  test('a PostgreSQL that is away is 503, and comes back without a restart', async () => {
    const { url, drop } = await emptyPostgres()
    const proxy = await startTcpProxy(url)
    const own = await startApp({ config: { databaseUrl: proxy.url } })
    onTestFinished(async () => {
      await own.stop()
      await proxy.close()
      await drop()
    })
    expect((await call(own.url + LOOKUP)).status).toBe(200)
    await proxy.cut()
    const answer = await eventually(async () => {
      const away = await call(own.url + LOOKUP)
      expect(away.status).toBe(503)
      return away
    })
    expect(answer.headers.get('retry-after')).toBe('5')
    expect((await call(`${own.url}/readyz`)).status).toBe(503)
    expect((await call(`${own.url}/readyz`)).body).toMatchObject({
      error: 'not ready: the PostgreSQL database cannot be reached',
    })
    expect((await call(`${own.url}/healthz`)).status).toBe(200)
    await proxy.fix()
    await eventually(async () => expect((await call(own.url + LOOKUP)).status).toBe(200))
    expect((await call(`${own.url}/readyz`)).status).toBe(200)
  })
})

test('a stop lets the requests under way end and takes no more', async () => {
  const own = await startApp({ config: { registryVerifyConcurrency: 0 } })
  const { key } = await own.organization()
  const file = (await own.storage.database.read.all<{ file: string }>('PRAGMA database_list'))[0]
    ?.file as string
  expect(file.endsWith(join('/', SQLITE_FILE))).toBe(true)
  const other = new DatabaseSync(file, { timeout: 0 })
  // The server's own first rounds of background work may be in the middle of a commit.
  await eventually(() => other.exec('BEGIN IMMEDIATE'))
  const underWay = call(`${own.url}/api/manifest-refs`, {
    key,
    body: {
      domain: 'acme.example',
      reference_type: 'url',
      manifest_url: 'https://acme.example/brand.json',
    },
  })
  await new Promise((resolve) => setTimeout(resolve, 150))
  const stopped = own.stop()
  await new Promise((resolve) => setTimeout(resolve, 50))
  other.exec('COMMIT')
  other.close()
  expect((await underWay).status).toBe(201)
  await stopped
  await expect(fetch(`${own.url}/healthz`)).rejects.toThrow()
})

test('a stop does not wait for connections that have sent nothing', async () => {
  const own = await startApp({ config: { registryVerifyConcurrency: 0 } })
  const silent = connect(Number(new URL(own.url).port), '127.0.0.1')
  await once(silent, 'connect')
  const started = Date.now()
  const closed = once(silent, 'close')
  await Promise.all([own.stop(), closed])
  // Before such a connection times out by itself, after ten seconds.
  expect(Date.now() - started).toBeLessThan(8_000)
})

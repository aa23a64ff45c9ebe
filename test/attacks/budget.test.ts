// What third parties and callers send to hold a server up: each is refused or done in time, and the process
// is alive and answers others meanwhile (F21, F22).

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { call, startApp, type TestApp, type TestAppOptions } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { chunked, headOf, openRaw, writeForever } from '../support/raw-http.ts'

const MIB = 1_024 * 1_024
/** So wide that only a fault trips it: the attacker has the same thread. */
const PROMPT_MS = 10_000

let app: TestApp
let key: string
beforeAll(async () => {
  app = await startApp({ config: { registryVerifyConcurrency: 0 } })
  key = await app.principal()
})
afterAll(() => app.stop())

async function ownApp(options: TestAppOptions): Promise<TestApp> {
  const own = await startApp(options)
  onTestFinished(() => own.stop())
  return own
}

/** Runs the attack, and asks all the while whether the server is alive. */
async function whileAlive<T>(attack: Promise<T>, url = app.url): Promise<T> {
  let isOver = false
  const over = attack.finally(() => {
    isOver = true
  })
  let longest = 0
  do {
    const requested = performance.now()
    expect((await call(`${url}/healthz`)).status).toBe(200)
    longest = Math.max(longest, performance.now() - requested)
    await new Promise((resolve) => setTimeout(resolve, 20))
  } while (!isOver)
  expect(longest).toBeLessThan(PROMPT_MS)
  return over
}

const rpc = (method: string, params: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const tool = (name: string, args: unknown) => rpc('tools/call', { name, arguments: args })
const skill = (name: string, parameters: unknown, configuration = {}) => {
  const parts = [{ kind: 'data', data: { skill: name, parameters } }]
  const message = { kind: 'message', role: 'user', messageId: 'm', parts }
  return rpc('message/send', { message, configuration })
}

/** The same request over every transport. */
const TRANSPORTS = [
  {
    transport: 'HTTP',
    path: '/v3/get_signals',
    body: (request: object) => JSON.stringify(request),
  },
  { transport: 'MCP', path: '/mcp', body: (request: object) => tool('get_signals', request) },
  { transport: 'A2A', path: '/a2a', body: (request: object) => skill('get_signals', request) },
] as const

describe.each(TRANSPORTS)('without a key, over $transport', ({ path, body }) => {
  const large = Buffer.from(body({ signal_spec: 'x'.repeat(10 * MIB) }))
  const inChunks = chunked(large)

  test('twelve bodies of ten megabytes at once are refused unread, declared or in chunks', async () => {
    const send = async (isChunked: boolean) => {
      const { socket, status, closed } = openRaw(app.url)
      socket.write(headOf({ path, body: isChunked ? 'chunked' : large.length }))
      socket.write(isChunked ? inChunks : large)
      expect(await status).toBe(413)
      await closed
    }
    await whileAlive(Promise.all(Array.from({ length: 12 }, (_, n) => send(n % 2 === 0))))
  })

  test.each([
    ['deep', `{"a":${'['.repeat(30_000)}`],
    ['of many values', `[${'1,'.repeat(30_000)}1]`],
  ])('a body that is %s is refused while it is read', async (_what, text) => {
    const answer = await whileAlive(call(app.url + path, { body: text }))
    expect(answer.status).toBe(400)
    expect(answer.text.length).toBeLessThan(2_000)
  })
})

test.each([
  ...TRANSPORTS.map(({ transport, path }) => [transport, path] as const),
  ['a task that needs a key', '/v3/build_creative'] as const,
])('a bad key is refused by its headers: %s waits for no body', async (_transport, path) => {
  const { socket, status, received } = openRaw(app.url)
  socket.write(headOf({ path, key: 'adw_0123456789abcdef0123', body: 10 * MIB }))
  expect(await status).toBe(401)
  expect(received()).toContain('AUTH_INVALID')
  socket.destroy()
})

test('an upload without end under a bad key hears why, and is cut', async () => {
  const { socket, received, closed } = openRaw(app.url)
  socket.write(headOf({ path: '/mcp', key: 'adw_0123456789abcdef0123', body: 'chunked' }))
  writeForever(socket, `10000\r\n${' '.repeat(65_536)}\r\n`)
  await whileAlive(closed)
  expect(received()).toContain('401 Unauthorized')
})

test.each(TRANSPORTS)(
  'with a key, over $wire, ten megabytes of values are refused while they are read',
  async ({ path, body }) => {
    const whole = Buffer.from(body({ values: Array(3_000_000).fill(1) }))
    const { socket, status, received } = openRaw(app.url)
    socket.write(headOf({ path, key, body: 'chunked' }))
    socket.write(chunked(whole))
    expect(await whileAlive(status)).toBe(400)
    expect(received()).toContain('too many values')
    socket.destroy()
  },
)

test('a body of a hundred thousand chunks costs what its bytes cost', async () => {
  const text = Buffer.from(JSON.stringify({ signal_spec: 'x'.repeat(60_000) }))
  const { socket, status } = openRaw(app.url)
  socket.write(headOf({ path: '/v3/get_signals', body: 'chunked' }))
  socket.write(chunked(text, 1))
  expect(await whileAlive(status)).toBe(400)
  socket.destroy()
})

describe('what is refused stays small', () => {
  const context = { large: 'x'.repeat(50_000) }

  test.each([
    ['no key', () => undefined, 401],
    ['a bad key', () => 'adw_0123456789abcdef0123', 401],
  ])('%s: nothing of the request is sent back', async (_what, given, status) => {
    const requested = given()
    for (const { path, body } of [
      { path: '/v3/list_tasks', body: JSON.stringify({ context }) },
      { path: '/mcp', body: tool('list_tasks', { context }) },
      { path: '/a2a', body: skill('list_tasks', { context }) },
    ]) {
      const answer = await call(app.url + path, { body, ...(requested ? { key: requested } : {}) })
      expect([path, answer.status]).toEqual([path, status])
      expect(answer.text.length).toBeLessThan(3_000)
    }
  })

  test('of fifteen thousand errors a hundred are reported', async () => {
    const asset = { asset_type: 'webhook', supported_macros: Array(15_000).fill(1) }
    const request = { message: 'x', creative_manifest: { assets: { hook: asset } } }
    for (const { path, body } of [
      { path: '/v3/build_creative', body: JSON.stringify(request) },
      { path: '/mcp', body: tool('build_creative', request) },
      { path: '/a2a', body: skill('build_creative', request) },
    ]) {
      const answer = await whileAlive(call(app.url + path, { key, body }))
      expect(answer.text).toContain('more errors not shown')
      expect(answer.text.length).toBeLessThan(100_000)
    }
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'a format called %s is an unknown one',
    async (format) => {
      const url = 'https://cdn.example/a'
      const image = { asset_type: 'image', url, width: 300, height: 250, format }
      const format_id = { agent_url: app.url, id: 'display_300x250_image' }
      const creative_manifest = { format_id, assets: { banner_image: image, [format]: image } }
      const answer = await call(`${app.url}/v3/preview_creative`, {
        key,
        body: { request_type: 'single', format_id, creative_manifest },
      })
      expect(answer.status).toBeGreaterThanOrEqual(200)
      expect(answer.status).toBeLessThan(500)
    },
  )
})

describe('a caller who has no calls left', () => {
  const LIMIT = 20
  let limited: TestApp
  beforeAll(async () => {
    limited = await startApp({ config: { tasksPerMinute: LIMIT, registryVerifyConcurrency: 0 } })
  })
  afterAll(() => limited.stop())

  test('has no more messages accepted that it does not wait for', async () => {
    const own = await limited.principal()
    const body = skill('get_agent_capabilities', {}, { blocking: false })
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => call(`${limited.url}/a2a`, { key: own, body })),
    )
    const accepted = answers.filter(({ status }) => status === 200).length
    // The bucket fills a little meanwhile.
    expect(accepted).toBeGreaterThanOrEqual(LIMIT)
    expect(accepted).toBeLessThan(LIMIT * 3)
    const [refused] = answers.filter(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test.each([
    ['a body that is too large', '/v3/get_signals', 'x'.repeat(2 * MIB), 413],
    ['a body that is no JSON', '/v3/get_signals', '{"no":', 400],
    ['a request that is wrong', '/v3/get_signals', '{"signal_spec":7}', 400],
    ['an unknown skill', '/a2a', skill('sing', {}), 200],
    ['an unknown tool', '/mcp', tool('sing', {}), 200],
    ['a message that is refused', '/a2a', rpc('message/send', {}), 200],
    ['a poll', '/v3/tasks', undefined, 200],
  ])('took one for each request: %s', async (_what, path, body, status) => {
    const own = await limited.principal()
    const send = () =>
      call(limited.url + path, { key: own, ...(body === undefined ? {} : { body }) })
    expect((await send()).status).toBe(status)
    const answers = await Promise.all(Array.from({ length: LIMIT * 3 }, send))
    const taken = 1 + answers.filter((answer) => answer.status === status).length
    expect(taken).toBeGreaterThanOrEqual(LIMIT)
    expect(taken).toBeLessThan(LIMIT * 3)
  })
})

test('unknown skills and refused requests store nothing of what was sent', async () => {
  const own = await app.principal()
  const before = await app.count('a2a_tasks')
  const filler = 'x'.repeat(900_000)
  const unknown = skill('sing', { filler })
  await whileAlive(
    Promise.all(
      Array.from({ length: 15 }, () => call(`${app.url}/a2a`, { key: own, body: unknown })),
    ),
  )
  expect(await app.count('a2a_tasks')).toBe(before)
  const refused = skill('get_signals', { signal_spec: 7, context: { filler } })
  for (let n = 0; n < 5; n++) await call(`${app.url}/a2a`, { key: own, body: refused })
  const kept = await app.storage.database.read.get<{ bytes: number }>(
    'SELECT coalesce(sum(body_bytes), 0) AS bytes FROM a2a_tasks',
  )
  expect(kept?.bytes).toBeLessThan(100_000)
})

test('JSON in a text of a message is measured like a body', async () => {
  const text = `{"skill":"get_signals","parameters":${'['.repeat(400_000)}`
  const message = { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'text', text }] }
  const answer = await whileAlive(
    call(`${app.url}/a2a`, { key, body: rpc('message/send', { message }) }),
  )
  expect(answer.text).toContain('no part of the message is a call')
})

test('every route without a key is counted by address; probes are not', async () => {
  const limited = await ownApp({
    config: { requestsPerMinute: 1, lookupsPerMinute: 3, registryVerifyConcurrency: 0 },
  })
  expect((await call(`${limited.url}/openapi.json`)).status).toBe(200)
  for (const path of [
    '/api/manifest-refs',
    '/api/manifest-refs/stats',
    '/api/search?q=acme',
    '/openapi.json',
    '/schemas/v3/index.json',
    '/.well-known/jwks.json',
    '/.well-known/agent-card.json',
    '/previews/none',
    '/assets/none.png',
    '/metrics',
    '/api/me/agents',
    '/nowhere',
    '/v3/sing',
  ]) {
    const answer = await call(limited.url + path)
    expect([path, answer.status]).toEqual([path, 429])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  for (const path of ['/healthz', '/readyz']) {
    expect((await call(limited.url + path)).status).toBe(200)
  }
  const lookup = (domain: string) =>
    call(`${limited.url}/api/manifest-refs/lookup?domain=${domain}`)
  // The quick path and the route share what an address has.
  const requested = ['acme.example', 'xn--', 'acme.example', 'acme.example', 'b%C3%BCcher.example']
  const statuses: number[] = []
  for (const domain of requested) statuses.push((await lookup(domain)).status)
  expect(statuses).toEqual([200, 400, 200, 429, 429])
})

test('pages of the registry continue by a cursor; an offset that would be read in vain is refused', async () => {
  const answer = await call(`${app.url}/api/manifest-refs?offset=1001`)
  expect(answer.status).toBe(400)
  expect(answer.body.error).toContain('cursor')
})

test('a client that does not read its answers is cut off', async () => {
  const own = await ownApp({ config: { answerTimeoutSeconds: 1, registryVerifyConcurrency: 0 } })
  const cut = () => own.logged.filter((line) => line.includes('did not read')).length
  const { socket } = openRaw(own.url)
  socket.pause()
  const request = `${headOf({ path: '/v3/list_creative_formats', body: 2 })}{}`
  for (let n = 0; n < 200; n++) socket.write(request)
  await whileAlive(
    eventually(() => expect(cut()).toBeGreaterThan(0)),
    own.url,
  )
  socket.destroy()
})

test('more connections than there may be are closed, and there is room again when some end', async () => {
  const own = await ownApp({ config: { maxConnections: 20, registryVerifyConcurrency: 0 } })
  const open = Array.from({ length: 40 }, () => openRaw(own.url))
  let closed = 0
  for (const one of open) void one.closed.then(() => closed++)
  await eventually(() => expect(closed).toBeGreaterThanOrEqual(20))
  for (const { socket } of open) socket.destroy()
  await eventually(async () => expect((await call(`${own.url}/healthz`)).status).toBe(200))
})

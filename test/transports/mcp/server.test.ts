import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { dispatchBatch } from '../../../src/transports/mcp/batch.ts'
import type { Dispatch } from '../../../src/transports/mcp/dispatch.ts'
import { mcpRoutes } from '../../../src/transports/mcp/server.ts'
import { type TestDatabase, testDatabase } from '../../support/databases.ts'
import {
  ALICE_KEY,
  SECRET_MESSAGE,
  serveRoutes,
  type TestServer,
  testAgent,
} from '../../support/test-agent.ts'

let opened: TestDatabase
let server: TestServer

beforeAll(async () => {
  opened = await testDatabase('sqlite')
  const agent = testAgent({ database: opened.database })
  server = await serveRoutes([mcpRoutes(agent, { name: 'adwire', version: '1.2.3' })])
})
afterAll(async () => {
  await server.close()
  await opened.drop()
})

const post = async (body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { response, status: response.status, text, body: text ? JSON.parse(text) : undefined }
}
const rpc = (method: string, params?: unknown, id: unknown = 7) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
})
const call = (name: string, args: unknown = {}) => rpc('tools/call', { name, arguments: args })

test('a lone JSON request is answered with JSON, without a handshake', async () => {
  const { status, body, response } = await post(call('greet', { who: 'curl' }))
  expect(status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(body).toMatchObject({ jsonrpc: '2.0', id: 7 })
  expect(body.result.structuredContent).toMatchObject({ greeting: 'hello curl' })
  expect(body.result.isError).toBe(false)
})

test('tools describe what they return, unless the operator wants the list short', async () => {
  const agent = testAgent({ database: opened.database })
  const identity = { name: 'adwire', version: '1.2.3', outputSchemas: false }
  const brief = await serveRoutes([mcpRoutes(agent, identity)])
  onTestFinished(() => brief.close())
  const toolsAt = async (url: string) => {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rpc('tools/list', {})),
    })
    const { result } = (await answer.json()) as { result: { tools: Record<string, unknown>[] } }
    return result.tools
  }
  const whole = await toolsAt(server.url)
  const short = await toolsAt(brief.url)
  for (const tool of whole) expect(tool).toHaveProperty('outputSchema')
  expect(short).toEqual(whole.map(({ outputSchema: _left, ...tool }) => tool))
})

test('an id comes back as it was sent', async () => {
  expect((await post(rpc('ping', {}, 'a"b'))).body).toEqual({
    jsonrpc: '2.0',
    id: 'a"b',
    result: {},
  })
})

test('text and structured content of an error are the same body', async () => {
  const { body } = await post(call('refuse', { context: { trace: 1 } }))
  expect(body.result.isError).toBe(true)
  expect(JSON.parse(body.result.content[0].text)).toEqual(body.result.structuredContent)
  expect(body.result.structuredContent).toMatchObject({
    status: 'failed',
    proto_error: { code: 'FORMAT_NOT_SUPPORTED' },
    context: { trace: 1 },
  })
})

test('no key is 401 with a challenge, and the body says so without what was sent', async () => {
  const { status, body, response } = await post(call('whoami', { context: { a: 1 } }))
  expect(status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
  expect(body.result.structuredContent).toMatchObject({ proto_error: { code: 'AUTH_MISSING' } })
  expect(body.result.structuredContent).not.toHaveProperty('context')
})

test('a bad key is 401 whatever the message says, before it is read', async () => {
  for (const message of [call('whoami'), rpc('tools/list', {}), '{"no":']) {
    const { status, body, response } = await post(message, {
      authorization: 'Bearer adw_0000000000000000000',
    })
    expect(status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(body).toMatchObject({
      id: null,
      error: { code: -32028, data: { status: 'failed', proto_error: { code: 'AUTH_INVALID' } } },
    })
  }
})

test('a key is looked at', async () => {
  const { body } = await post(call('whoami'), { authorization: `Bearer ${ALICE_KEY}` })
  expect(body.result.structuredContent).toMatchObject({
    principal_id: 'prn_alice',
    transport: 'mcp',
  })
})

test('arguments that are no object are refused by the task', async () => {
  const { body } = await post(call('greet', ['you']))
  expect(body.result.structuredContent).toMatchObject({ proto_error: { code: 'INVALID_REQUEST' } })
})

test('what a task threw is never in the answer', async () => {
  expect((await post(call('break_down'))).text).not.toContain(SECRET_MESSAGE)
})

test('an unknown tool is an error of the protocol that names the tools', async () => {
  const { status, body } = await post(call('constructor'))
  expect(status).toBe(200)
  expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('greet') })
})

test.each([
  ['broken JSON', '{"jsonrpc":', 400, -32700],
  ['nothing', '', 400, -32700],
  ['a number', '7', 400, -32600],
  ['no version', '{"id":1,"method":"ping"}', 400, -32600],
  ['no method', '{"jsonrpc":"2.0","id":1}', 400, -32600],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
  ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"prompts/list"}', 200, -32601],
  ['no tool name', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 200, -32602],
  [
    'a foreign cursor',
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}',
    200,
    -32602,
  ],
])('%s is reported as JSON-RPC', async (_what, text, status, code) => {
  const answered = await post(text)
  expect(answered.status).toBe(status)
  expect(answered.body).toMatchObject({ jsonrpc: '2.0', error: { code } })
})

test('a notification and a posted response are accepted without an answer', async () => {
  for (const message of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]) {
    const { status, text } = await post(message)
    expect([status, text]).toEqual([202, ''])
  }
})

test('a batch is answered message by message', async () => {
  const { status, body } = await post([
    rpc('ping', {}, 1),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    call('greet'),
    { nonsense: true },
  ])
  expect(status).toBe(200)
  expect(body).toHaveLength(3)
  expect(body[0]).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  expect(body[1].result.structuredContent.greeting).toBe('hello world')
  expect(body[2].error.code).toBe(-32600)
})

const WITH_KEY = { authorization: `Bearer ${ALICE_KEY}` }

test('a batch of nothing, of too much, or of notifications alone', async () => {
  const pings = (count: number) => Array.from({ length: count }, () => rpc('ping'))
  expect((await post([])).status).toBe(400)
  expect((await post(pings(51), WITH_KEY)).status).toBe(400)
  expect((await post(pings(50), WITH_KEY)).status).toBe(200)
  expect((await post(pings(10))).status).toBe(200)
  const refused = await post(pings(11))
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toBe(
    'a batch must have 1 to 10 messages without a key, 50 with one (got 11)',
  )
  expect((await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202)
})

test('a batch in which a key is missing is 401', async () => {
  expect((await post([rpc('ping'), call('whoami')])).status).toBe(401)
})

test.each(['GET', 'DELETE'])('%s is 405 in JSON', async (method) => {
  const response = await fetch(`${server.url}/mcp`, { method })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST')
  expect(await response.json()).toHaveProperty('error')
})

test('a request beyond the limit is 413; a task with a larger one has it here too', async () => {
  const filler = 'x'.repeat(100 * 1_024)
  const refused = await post(call('greet', { filler }))
  expect(refused.status).toBe(413)
  expect(refused.body.error.message).toContain('65536')
  expect((await post(call('large', { filler }))).status).toBe(200)
  expect((await post(call('large', { filler: filler.repeat(3) }))).status).toBe(413)
})

test('another content type is 415', async () => {
  expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415)
})

test('initialize agrees on the requested revision, or on the newest that has a handshake', async () => {
  const agreed = async (protocolVersion: string) =>
    (await post(rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: {} }))).body
      .result.protocolVersion
  expect(await agreed('2025-03-26')).toBe('2025-03-26')
  expect(await agreed('1999-01-01')).toBe('2025-11-25')
})

test.each([
  [50, WITH_KEY],
  [10, {}],
])(
  'a batch of %i whose answers are as long as they may be is not done further, and says so',
  async (count, headers) => {
    const { body } = await post(
      Array.from({ length: count }, (_, id) => rpc('tools/call', { name: 'large' }, id)),
      headers,
    )
    const answers = body as { id: number; result?: object; error?: { message: string } }[]
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, id) => id))
    const done = answers.filter(({ result }) => result).length
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(count)
    expect(
      answers.slice(done).every(({ error }) => error?.message.startsWith('not processed')),
    ).toBe(true)
  },
)

test('a batch does not run in one turn of the event loop', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  const dispatched: number[] = []
  const dispatch: Dispatch = async () => {
    dispatched.push(turns)
    return { status: 200, pieces: ['{}'] }
  }
  setImmediate(count)
  const source = { admitted: { principal: undefined } } as never
  await dispatchBatch(dispatch, [1, 2, 3], { headers: {}, source })
  isOver = true
  expect(new Set(dispatched).size).toBe(3)
})

test('an id that is longer than an id is not sent back', async () => {
  const { status, text, body } = await post(rpc('ping', {}, 'x'.repeat(10_000)))
  expect([status, body.id, body.error.code]).toEqual([400, null, -32600])
  expect(text.length).toBeLessThan(500)
})

describe('the rate', () => {
  const limitedTo = async (callsPerMinute: number) => {
    const agent = testAgent({ database: opened.database, callsPerMinute })
    const limited = await serveRoutes([mcpRoutes(agent, { name: 'a', version: '1' })])
    onTestFinished(() => limited.close())
    return async (body: string) => {
      const response = await fetch(`${limited.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return { response, body: (await response.json()) as { error?: object } }
    }
  }
  const one = JSON.stringify(call('greet'))

  test('is reported by 429 with Retry-After, and the answer is in the error', async () => {
    const send = await limitedTo(0)
    const { response, body } = await send(one)
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
    expect(body.error).toMatchObject({
      code: -32029,
      data: { status: 'failed', proto_error: { code: 'RATE_LIMITED', retry_after: 7 } },
    })
  })

  test.each([
    ['a call', one],
    ['broken JSON', '{"no":'],
    ['an unknown tool', JSON.stringify(call('sing'))],
    ['an unknown method', JSON.stringify(rpc('prompts/list', {}))],
    ['a body that is too large', JSON.stringify(call('greet', { filler: 'x'.repeat(300_000) }))],
  ])('takes exactly one for %s', async (_what, body) => {
    const send = await limitedTo(2)
    expect((await send(body)).response.status).not.toBe(429)
    expect((await send(one)).response.status).toBe(200)
    expect((await send(one)).response.status).toBe(429)
  })

  test('takes one for each message of a batch, and refuses a batch as a whole', async () => {
    const batch = (count: number) => JSON.stringify(Array(count).fill(call('greet')))
    const send = await limitedTo(5)
    expect((await send(batch(3))).response.status).toBe(200)
    expect((await send(batch(3))).response.status).toBe(429)
    expect((await send(one)).response.status).toBe(200)
    expect((await send(one)).response.status).toBe(429)
  })
})

describe('messages of the current revision are checked as the public server checks them:', () => {
  const META = 'io.modelcontextprotocol/'
  const meta = (over: Record<string, unknown> = {}) => ({
    [`${META}protocolVersion`]: '2026-07-28',
    [`${META}clientInfo`]: { name: 'c', version: '1' },
    [`${META}clientCapabilities`]: {},
    ...over,
  })
  const message = (over: Record<string, unknown> = {}, _meta: unknown = meta()) =>
    rpc('tools/call', { name: 'greet', arguments: {}, _meta, ...over })
  const headers = (over: Record<string, string | undefined> = {}) =>
    Object.fromEntries(
      Object.entries({
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'greet',
        ...over,
      }).filter((entry): entry is [string, string] => entry[1] !== undefined),
    )
  const list = rpc('tools/list', { _meta: meta() })

  const reference = createMcpHandler(() => {
    const made = new Server({ name: 'r', version: '1' }, { capabilities: { tools: {} } })
    made.setRequestHandler('tools/list', () => ({ tools: [] }))
    made.setRequestHandler('tools/call', () => ({ content: [] }))
    return made
  })

  test.each<[string, unknown, Record<string, string>]>([
    ['a correct call', message(), headers()],
    ['a correct list', list, headers({ 'mcp-method': 'tools/list', 'mcp-name': undefined })],
    ['no version header', message(), headers({ 'mcp-protocol-version': undefined })],
    ['no method header', message(), headers({ 'mcp-method': undefined })],
    ['no name header', message(), headers({ 'mcp-name': undefined })],
    ['another version in the header', message(), headers({ 'mcp-protocol-version': '2025-06-18' })],
    ['another method in the header', message(), headers({ 'mcp-method': 'tools/list' })],
    ['another name in the header', message(), headers({ 'mcp-name': 'other' })],
    ['a name in Base64', message(), headers({ 'mcp-name': '=?base64?Z3JlZXQ=?=' })],
    ['no capabilities', message({}, meta({ [`${META}clientCapabilities`]: undefined })), headers()],
    ['no client info', message({}, meta({ [`${META}clientInfo`]: undefined })), headers()],
    ['broken client info', message({}, meta({ [`${META}clientInfo`]: { name: 1 } })), headers()],
    [
      'a version that is no string',
      message({}, meta({ [`${META}protocolVersion`]: 3 })),
      headers(),
    ],
    [
      'a revision to come',
      message({}, meta({ [`${META}protocolVersion`]: '2030-01-01' })),
      headers({ 'mcp-protocol-version': '2030-01-01' }),
    ],
    ['a header over a bare body', message({}, undefined), headers()],
    [
      'initialize under a new header',
      rpc('initialize', {}),
      headers({ 'mcp-method': 'initialize' }),
    ],
    [
      'ping, which is no more',
      rpc('ping', { _meta: meta() }),
      headers({ 'mcp-method': 'ping', 'mcp-name': undefined }),
    ],
    [
      'prompts, which we do not have',
      rpc('prompts/list', { _meta: meta() }),
      headers({ 'mcp-method': 'prompts/list', 'mcp-name': undefined }),
    ],
    [
      'discovery',
      rpc('server/discover', { _meta: meta() }),
      headers({ 'mcp-method': 'server/discover', 'mcp-name': undefined }),
    ],
    [
      'a notification',
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, _meta: meta() },
      },
      headers({ 'mcp-method': 'notifications/cancelled', 'mcp-name': undefined }),
    ],
    [
      'a notification under another method',
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, _meta: meta() },
      },
      headers(),
    ],
    ['a batch with one of them', [message()], headers()],
    [
      'an old request under an unknown revision',
      call('greet'),
      { 'mcp-protocol-version': '2020-01-01' },
    ],
  ])('%s', async (_what, body, sent) => {
    const ours = await post(body, sent)
    const theirs = await reference.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...sent,
        },
        body: JSON.stringify(body),
      }),
    )
    const text = await theirs.text()
    const expected = text ? JSON.parse(text) : undefined
    expect(ours.status).toBe(theirs.status)
    expect(ours.body?.error?.code).toBe(expected?.error?.code)
    expect(Object.keys(ours.body ?? {}).sort()).toEqual(Object.keys(expected ?? {}).sort())
  })
})

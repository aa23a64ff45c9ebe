import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createA2aClient } from '../../src/transports/a2a/client.ts'
import { readTask } from '../../src/transports/a2a/read-task.ts'
import { throughEgress } from '../../src/transports/client.ts'
import { createHttpClient } from '../../src/transports/http/client.ts'
import { createMcpClient } from '../../src/transports/mcp/client.ts'
import { type A2aServer, a2aServer } from '../support/a2a-server.ts'
import { ALICE_KEY, SECRET_MESSAGE } from '../support/test-agent.ts'

let server: A2aServer
const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
const fetch = throughEgress(egress)

beforeAll(async () => {
  server = await a2aServer()
})
afterAll(async () => {
  await server.close()
  await egress.close()
})

describe.each([
  ['HTTP', (key?: string) => createHttpClient(at('', key))],
  ['MCP', (key?: string) => createMcpClient(at('/mcp', key))],
  ['A2A', (key?: string) => createA2aClient(at('', key))],
] as const)('our %s client at our server', (transport, client) => {
  test('lists the tasks', async () => {
    const listed = await client().listTasks()
    expect(listed).toMatchObject({ ok: true })
    const tasks = listed.ok ? listed.tasks : []
    expect(tasks.map(({ name }) => name)).toEqual([
      'greet',
      'say_hello',
      'whoami',
      'refuse',
      'break_down',
      'submit',
      'large',
      'wait',
    ])
    expect(tasks[0]?.description).toBe('Greets whoever is named.')
  })

  test('calls a task, with its context and a key', async () => {
    const context = { trace: 1 }
    expect(await client().call('greet', { who: 'you', context })).toEqual({
      ok: true,
      status: 'completed',
      body: { status: 'completed', greeting: 'hello you', proto_version: '3.1', context },
    })
    expect(await client(ALICE_KEY).call('whoami', {})).toMatchObject({
      ok: true,
      body: { principal_id: 'prn_alice', transport: transport.toLowerCase() },
    })
  })

  test('hears that work was accepted', async () => {
    expect(await client(ALICE_KEY).call('submit', {})).toMatchObject({
      ok: true,
      status: 'submitted',
      body: { task_id: 'task_later' },
    })
  })

  test('gets a large answer whole', async () => {
    const result = await client().call('large', {})
    expect(result.ok && (result.body.rows as unknown[]).length).toBe(1_000)
  })

  test.each([
    ['refuse', {}, 'FORMAT_NOT_SUPPORTED', 'there is no such format'],
    ['greet', { who: 7 }, 'INVALID_REQUEST', '/who'],
    ['whoami', {}, 'AUTH_MISSING', 'requires a key'],
    ['break_down', {}, 'SERVICE_UNAVAILABLE', 'a server error'],
  ])('receives the reason why %s failed', async (task, request, code, message) => {
    const result = await client().call(task, request)
    expect(result).toMatchObject({
      ok: false,
      code,
      message: expect.stringContaining(message),
      body: { status: 'failed' },
    })
    expect(JSON.stringify(result)).not.toContain(SECRET_MESSAGE)
  })

  test('is informed that a task does not exist', async () => {
    expect(await client().call('nothing', {})).toMatchObject({ ok: false })
  })

  test('can be stopped', async () => {
    const signal = AbortSignal.abort()
    expect(await client(ALICE_KEY).call('wait', {}, { signal })).toMatchObject({ ok: false })
  })
})

test('an agent that is not there is a value, not an exception', async () => {
  for (const create of [createHttpClient, createMcpClient, createA2aClient]) {
    const result = await create({ url: 'http://127.0.0.1:1/', fetch }).call('greet', {})
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('reached') })
  }
})

describe('our MCP client at servers of others:', () => {
  const tool = { name: 'greet', description: 'Greets.', inputSchema: { type: 'object' as const } }
  const answer = (body: object) => ({
    content: [{ type: 'text' as const, text: JSON.stringify(body) }],
  })
  const publicServer = () => {
    const made = new Server({ name: 'other', version: '1' }, { capabilities: { tools: {} } })
    made.setRequestHandler('tools/list', () => ({ tools: [tool] }))
    made.setRequestHandler('tools/call', ({ params }) => answer({ echo: params.arguments }))
    return made
  }

  test.each(['stateless', 'reject'] as const)(
    'the public server, older callers: %s',
    async (legacy) => {
      const handler = createMcpHandler(publicServer, { legacy })
      const { url, close } = await listen(async (headers, body) => {
        const init = { method: 'POST', headers: headers as Record<string, string>, body }
        const response = await handler.fetch(new Request('http://localhost/mcp', init))
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: await response.text(),
        }
      })
      const client = createMcpClient({ url, fetch })
      expect(await client.call('greet', { a: 1 })).toMatchObject({
        ok: true,
        body: { echo: { a: 1 } },
      })
      expect(await client.listTasks()).toMatchObject({ ok: true, tasks: [tool] })
      await close()
    },
  )

  test('one that wants a handshake, and forgets its session once', async () => {
    const methods: string[] = []
    let session = 0
    const { url, close } = await listen(async (headers, body) => {
      const { id, method } = JSON.parse(body)
      methods.push(method)
      const answered = (result: unknown, more = {}) => ({
        status: 200,
        headers: { 'content-type': 'text/event-stream', ...more },
        body: `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`,
      })
      if (method === 'initialize') {
        session++
        return answered({ protocolVersion: '2025-06-18' }, { 'mcp-session-id': `s${session}` })
      }
      if (id === undefined) return { status: 202, headers: {}, body: '' }
      const error = { code: -32000, message: 'Bad Request: Server not initialized' }
      const refused = { status: 400, headers: {}, body: JSON.stringify({ jsonrpc: '2.0', error }) }
      if (headers['mcp-session-id'] === undefined) return refused
      if (headers['mcp-session-id'] !== `s${session}`) return { ...refused, status: 404 }
      return answered(answer({ greeting: headers['mcp-protocol-version'] }))
    })
    const client = createMcpClient({ url, fetch })
    const expected = { ok: true, body: { greeting: '2025-06-18' } }
    expect(await client.call('greet', {})).toMatchObject(expected)
    session++
    expect(await client.call('greet', {})).toMatchObject(expected)
    const shake = ['initialize', 'notifications/initialized', 'tools/call']
    expect(methods).toEqual(['tools/call', ...shake, 'tools/call', ...shake])
    await close()
  })

  test.each([
    ['text that is no JSON', { content: [{ type: 'text', text: 'hello' }] }, 'no JSON object'],
    ['an error in words', { isError: true, content: [{ type: 'text', text: 'boom' }] }, 'boom'],
    ['no tool result', 7, 'no tool result'],
  ])('%s is a failure', async (_what, result, message) => {
    const { url, close } = await listen(async (_headers, body) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result }),
    }))
    const called = await createMcpClient({ url, fetch }).call('greet', {})
    expect(called).toMatchObject({ ok: false, message: expect.stringContaining(message) })
    await close()
  })

  test('a 401 without an answer says that a key is wanted', async () => {
    const { url, close } = await listen(async () => ({ status: 401, headers: {}, body: 'no' }))
    expect(await createMcpClient({ url, fetch }).call('greet', {})).toMatchObject({
      ok: false,
      code: 'AUTH_MISSING',
      httpStatus: 401,
    })
    await close()
  })
})

describe('our A2A client', () => {
  const cardServer = (card: (url: string) => object) => {
    const seen: { method: string; authorization: string | undefined }[] = []
    let own = ''
    const made = listen(async (headers, body) => {
      if (body === '') {
        return { status: 200, headers: {}, body: JSON.stringify(card(own)) }
      }
      const { id, method } = JSON.parse(body)
      seen.push({ method, authorization: headers.authorization })
      const parts = [{ data: { status: 'completed', seen: method } }]
      const task = { id: 't', status: { state: 'completed' }, artifacts: [{ parts }] }
      return {
        status: 200,
        headers: {},
        body: JSON.stringify({ jsonrpc: '2.0', id, result: task }),
      }
    })
    return made.then(({ url, close }) => {
      own = url
      return { url, close, seen }
    })
  }

  test('speaks 0.3 to a card of 0.3', async () => {
    const { url, close } = await cardServer((own) => ({ url: `${own}/rpc`, skills: [] }))
    const client = createA2aClient({ url, key: 'k', fetch })
    expect(await client.call('greet', {})).toMatchObject({
      ok: true,
      body: { seen: 'message/send' },
    })
    await close()
  })

  test('does not carry its key to another origin', async () => {
    const { url, close, seen } = await cardServer((own) => ({
      supportedInterfaces: [
        {
          url: own.replace('127.0.0.1', '127.0.0.2'),
          protocolBinding: 'JSONRPC',
          protocolVersion: '1.0',
        },
      ],
    }))
    const client = createA2aClient({ url, key: 'k', fetch })
    expect(await client.call('greet', {})).toMatchObject({
      ok: false,
      message: expect.stringContaining('another origin'),
    })
    expect(seen).toEqual([])
    await close()
  })
})

describe('spec 2.9: the body of a foreign A2A answer', () => {
  const part = (data: unknown) => ({ data })
  const done = (parts: unknown[], state = 'completed') => ({
    id: 't',
    status: { state },
    artifacts: [{ parts }],
  })

  test.each<[string, unknown, object]>([
    ['the last data part', done([part({ a: 1 }), part({ a: 2 })]), { body: { a: 2 } }],
    ['in capitals', done([part({ a: 1 })], 'TASK_STATE_COMPLETED'), { body: { a: 1 } }],
    ['unwrapped once', { task: done([part({ a: 1 })]) }, { body: { a: 1 } }],
    [
      'the first part of an unfinished status',
      { status: { state: 'input-required', message: { parts: [part({ a: 1 }), part({ a: 2 })] } } },
      { state: 'input-required', body: { a: 1 } },
    ],
    [
      'the status message of a failed task without artifacts',
      { status: { state: 'failed', message: { parts: [part({ e: 1 })] } } },
      { state: 'failed', body: { e: 1 } },
    ],
    ['nothing in text alone', done([{ text: 'hi' }]), { ok: true, body: undefined }],
    ['no array', done([part([1])]), { ok: true, body: undefined }],
    ['no wrapper around it', done([part({ response: { a: 1 } })]), { ok: false }],
    ['no wrapper in a wrapper', { task: { message: {} } }, { ok: false }],
    ['no unknown state', done([part({})], 'resting'), { ok: false }],
    ['no message', 'hello', { ok: false }],
  ])('%s', (_what, answer, expected) => {
    expect(readTask(answer)).toMatchObject(expected)
  })
})

function at(path: string, key?: string) {
  return { url: `${server.url}${path}`, fetch, ...(key === undefined ? {} : { key }) }
}

interface Answered {
  status: number
  headers: Record<string, string>
  body: string
}

/** A server that answers as instructed. */
async function listen(
  handle: (headers: IncomingHttpHeaders, body: string) => Promise<Answered>,
): Promise<{ url: string; close(): Promise<void> }> {
  const made = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { status, headers, body } = await handle(
      request.headers,
      Buffer.concat(chunks).toString('utf8'),
    )
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  const { port } = made.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      made.closeAllConnections()
      await new Promise((resolve) => made.close(resolve))
    },
  }
}

// The same calls over HTTP, MCP and A2A, at one server with tasks that only this test has: whatever
// the transport, the body is the same.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createA2aClient } from '../../src/transports/a2a/client.ts'
import {
  type CallResult,
  type ClientOptions,
  type TaskClient,
  throughEgress,
} from '../../src/transports/client.ts'
import { createHttpClient } from '../../src/transports/http/client.ts'
import { createMcpClient } from '../../src/transports/mcp/client.ts'
import { type Answer, call, startApp, type TestApp } from '../support/app.ts'
import { type ExtraTasks, extraTasks, SECRET_MESSAGE } from '../support/extra-tasks.ts'

type Json = Record<string, unknown>
type Transport = 'HTTP' | 'MCP' | 'A2A'

interface Driver {
  transport: Transport
  create(options: ClientOptions): TaskClient
  /** Added to the server's address, for the client. */
  path: string
  /** The same call as a raw request. */
  raw(task: string, request: Json): { path: string; body: Json }
  /** Where the body is in the answer to a raw request. */
  bodyIn(answer: Json): unknown
}

const drivers: readonly Driver[] = [
  {
    transport: 'HTTP',
    create: createHttpClient,
    path: '',
    raw: (task, request) => ({ path: `/v3/${task}`, body: request }),
    bodyIn: (answer) => answer,
  },
  {
    transport: 'MCP',
    create: createMcpClient,
    path: '/mcp',
    raw: (name, request) => ({
      path: '/mcp',
      body: rpc('tools/call', { name, arguments: request }),
    }),
    bodyIn: ({ result }) => (result as { structuredContent: unknown }).structuredContent,
  },
  {
    transport: 'A2A',
    create: createA2aClient,
    path: '',
    raw: (skill, parameters) => {
      const parts = [{ kind: 'data', data: { skill, parameters } }]
      const message = { kind: 'message', role: 'user', messageId: 'm1', parts }
      return { path: '/a2a', body: rpc('message/send', { message }) }
    },
    bodyIn: ({ result }) => {
      const { artifacts } = result as { artifacts: { parts: { data: unknown }[] }[] }
      return artifacts[0]?.parts[0]?.data
    },
  },
]

function rpc(method: string, params: Json): Json {
  return { jsonrpc: '2.0', id: 1, method, params }
}

const BODY_LIMIT_BYTES = 64 * 1_024
const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
const fetch = throughEgress(egress)
const order = { sku: 'shoes', quantity: 2 }
const context = { trace: 'a1', nested: { list: [1, null, 'é'] } }
const EXTRA = ['count_words', 'tally_words', 'place_order', 'audit', 'break_down']

let app: TestApp
let extra: ExtraTasks
let key: string
let operatorKey: string

beforeAll(async () => {
  extra = extraTasks()
  app = await startApp({
    moreTasks: extra.tasks,
    config: { bodyLimitBytes: BODY_LIMIT_BYTES, mcpOutputSchemas: true },
  })
  key = await app.principal('tasks')
  operatorKey = await app.principal('operator')
})
afterAll(async () => {
  await app.stop()
  await egress.close()
})

function clientOf({ create, path }: Driver, given?: string, url = app.url): TaskClient {
  return create({ url: `${url}${path}`, fetch, ...(given === undefined ? {} : { key: given }) })
}

/** Calls over every transport; finds the same outcome on each and returns it. */
async function onEveryTransport(task: string, request: Json, given?: string): Promise<CallResult> {
  const results: CallResult[] = []
  for (const driver of drivers) results.push(await clientOf(driver, given).call(task, request))
  const [first, ...others] = results.map(withoutHttpStatus)
  for (const other of others) expect(other).toEqual(first)
  return first as CallResult
}

/** Each transport has its own use of HTTP's statuses. */
function withoutHttpStatus(result: CallResult): CallResult {
  if (result.ok) return result
  const { httpStatus: _httpStatus, ...rest } = result
  return rest
}

function send(driver: Driver, task: string, request: Json, given?: string): Promise<Answer> {
  const { path, body } = driver.raw(task, request)
  return call(`${app.url}${path}`, { body, ...(given === undefined ? {} : { key: given }) })
}

describe('spec 4.2: a good call is answered alike over every transport:', () => {
  test('list_creative_formats with filters', async () => {
    const result = await onEveryTransport('list_creative_formats', {
      type: 'display',
      max_width: 300,
      asset_types: ['image'],
      name_search: '250',
      pagination: { max_results: 2 },
      context,
    })
    expect(result).toMatchObject({
      ok: true,
      status: 'completed',
      body: { status: 'completed', proto_version: '3.1', context, pagination: {} },
    })
    const formats = result.ok ? (result.body.formats as unknown[]) : []
    expect(formats.length).toBeGreaterThan(0)
  })

  test('list_creative_formats without any', async () => {
    const result = await onEveryTransport('list_creative_formats', {})
    expect(result.ok && (result.body.formats as unknown[]).length).toBeGreaterThan(20)
  })

  test.each(['get_agent_capabilities', 'get_proto_capabilities'])('%s', async (task) => {
    const result = await onEveryTransport(task, { context_id: 'c1' })
    expect(result).toMatchObject({ ok: true, body: { context_id: 'c1', proto: {} } })
  })

  test('a task of the test, by both of its names', async () => {
    for (const task of ['count_words', 'tally_words']) {
      expect(await onEveryTransport(task, { words: ['a', 'b', 'a'], context })).toEqual({
        ok: true,
        status: 'completed',
        body: { status: 'completed', proto_version: '3.1', context, total: 3, different: 2 },
      })
    }
  })

  test('a task for operators', async () => {
    expect(await onEveryTransport('audit', {}, operatorKey)).toMatchObject({ ok: true })
  })
})

describe('spec 7: a bad call is refused alike over every transport:', () => {
  test('all failures of its shape are reported together, by their pointers', async () => {
    const request = { sku: '', quantity: 0, ship_to: { zip: 'x' }, kind: {}, context }
    const result = await onEveryTransport('place_order', request, key)
    expect(result).toMatchObject({ ok: false, code: 'INVALID_REQUEST' })
    const { body = {} } = result
    const [error] = body.errors as [{ field: string; issues: { pointer: string }[] }]
    expect(error.issues.map(({ pointer }) => pointer)).toEqual([
      '/sku',
      '/quantity',
      '/ship_to/city',
      '/ship_to/zip',
      '/kind/days',
    ])
    expect(error.field).toBe('/sku')
    expect(body).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_REQUEST' },
      proto_error: error,
      context,
    })
  })

  test('a format id that is none has the code of its own', async () => {
    const request = { format_ids: [{ agent_url: 'no url', id: 'x' }] }
    expect(await onEveryTransport('list_creative_formats', request)).toMatchObject({
      code: 'INVALID_FORMAT_ID',
    })
  })

  test('a version that is not served', async () => {
    const request = { words: [], proto_version: '2.0', context }
    expect(await onEveryTransport('count_words', request)).toMatchObject({
      code: 'VERSION_UNSUPPORTED',
      body: { context },
    })
  })

  test('nesting that no request has, and then without its context', async () => {
    const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) as unknown
    const result = await onEveryTransport('count_words', { words: [], context: { deep } })
    expect(result).toMatchObject({ ok: false, code: 'INVALID_REQUEST' })
    expect(result.body).not.toHaveProperty('context')
  })

  test.each([
    ['without a key', undefined, 'AUTH_MISSING'],
    ['with a key that nobody has', 'adw_nobody_0123456789abcdef', 'AUTH_INVALID'],
    ['with a key that is none', 'hello', 'AUTH_INVALID'],
  ])('spec 5: unauthenticated, %s', async (_how, given, code) => {
    const request = { ...order, context }
    const result = await onEveryTransport('place_order', request, given)
    expect(result).toMatchObject({
      ok: false,
      code,
      body: { status: 'failed', error: { code }, proto_error: { code } },
    })
    expect(result.body).not.toHaveProperty('context')
    for (const driver of drivers) {
      const { status, headers } = await send(driver, 'place_order', request, given)
      expect([driver.transport, status, headers.get('www-authenticate')]).toEqual([
        driver.transport,
        401,
        'Bearer',
      ])
    }
  })

  test('spec 5: forbidden, for want of the scope', async () => {
    const code = 'PERMISSION_DENIED'
    expect(await onEveryTransport('audit', { context }, key)).toMatchObject({
      code,
      body: { context },
    })
    expect(await onEveryTransport('place_order', order, operatorKey)).toMatchObject({ code })
    expect(extra.orders).toHaveLength(0)
  })

  test('what a handler throws is not returned', async () => {
    const result = await onEveryTransport('break_down', { context })
    expect(result).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      body: { error: { code: 'SERVICE_UNAVAILABLE' }, context },
    })
    expect(JSON.stringify(result)).not.toContain(SECRET_MESSAGE)
  })

  test('a request that is too large, before it is read', async () => {
    const request = { words: ['x'.repeat(BODY_LIMIT_BYTES)] }
    for (const driver of drivers) {
      expect(await clientOf(driver).call('count_words', request)).toMatchObject({
        ok: false,
        httpStatus: 413,
        message: `the body is too large: at most ${BODY_LIMIT_BYTES} bytes`,
      })
    }
  })

  test('a task that there is not, in the words of the transport', async () => {
    const answers = await Promise.all(drivers.map((driver) => send(driver, 'fly', { context })))
    const [http, mcp, a2a] = answers as [Answer, Answer, Answer]
    expect(http.status).toBe(404)
    expect(http.body).toMatchObject({
      status: 'failed',
      errors: [{ code: 'INVALID_REQUEST', message: expect.stringContaining('count_words') }],
    })
    expect(mcp.body.error).toMatchObject({ code: -32_602 })
    expect(mcp.text).toContain('count_words')
    expect(drivers[2]?.bodyIn(a2a.body)).toMatchObject({
      status: 'failed',
      errors: [{ code: 'INVALID_REQUEST', message: expect.stringContaining('count_words') }],
      context,
    })
    for (const driver of drivers) {
      expect(await clientOf(driver, key).call('fly', {})).toMatchObject({ ok: false })
    }
  })
})

describe('spec 7.3: a key that makes repeating safe holds over every transport', () => {
  test.each(drivers.map((driver) => [driver.transport, driver] as const))(
    'what %s did first, every transport repeats and none does again',
    async (transport, driver) => {
      const request = { ...order, idempotency_key: `first-${transport}-0123456789abcdef` }
      const before = extra.orders.length
      const first = await clientOf(driver, key).call('place_order', request)
      expect(first).toMatchObject({ ok: true, body: { sku: 'shoes' } })
      expect(first.body).not.toHaveProperty('replayed')

      // The context is the caller's own, of this call.
      const again = await onEveryTransport('place_order', { ...request, context }, key)
      expect(again.body).toEqual({ ...first.body, context, replayed: true })
      expect(extra.orders).toHaveLength(before + 1)

      expect(
        await onEveryTransport('place_order', { ...request, quantity: 3, context }, key),
      ).toMatchObject({
        ok: false,
        code: 'IDEMPOTENCY_CONFLICT',
        body: { error: { code: 'IDEMPOTENCY_CONFLICT' }, context },
      })
      expect(extra.orders).toHaveLength(before + 1)
    },
  )
})

test('spec 7.3: a caller that calls too often is informed when to retry, on every transport alike', async () => {
  // At one call a second the wait is one second, however long the calls took.
  const limited = await startApp({ moreTasks: extra.tasks, config: { tasksPerMinute: 60 } })
  onTestFinished(() => limited.stop())
  const results: unknown[] = []
  for (const driver of drivers) {
    const ownKey = await limited.principal()
    const client = clientOf(driver, ownKey, limited.url)
    const refused = async (): Promise<CallResult> => {
      for (let calls = 0; calls < 1_000; calls++) {
        const result = await client.call('place_order', { ...order, context })
        if (!result.ok) return result
      }
      throw new Error('a thousand calls were let through')
    }
    results.push(withoutHttpStatus(await refused()))
    const { path, body } = driver.raw('place_order', order)
    const { status, headers } = await call(`${limited.url}${path}`, { key: ownKey, body })
    expect([driver.transport, status, headers.get('retry-after')]).toEqual([
      driver.transport,
      429,
      '1',
    ])
  }
  expect(results[0]).toMatchObject({
    code: 'RATE_LIMITED',
    body: { errors: [{ recovery: 'transient', retry_after: 1 }] },
  })
  for (const other of results) expect(other).toEqual(results[0])
})

describe('spec 4.5, 9: a task that is in the table is', () => {
  test.each(drivers.map((driver) => [driver.transport, driver] as const))(
    'listed to %s callers',
    async (_transport, driver) => {
      const listed = await clientOf(driver).listTasks()
      const names = listed.ok ? listed.tasks.map(({ name }) => name) : []
      expect(names).toEqual(expect.arrayContaining([...EXTRA, 'list_creative_formats']))
    },
  )

  test('claimed by get_agent_capabilities', async () => {
    const result = await onEveryTransport('get_agent_capabilities', {})
    expect(result.body?.tasks).toEqual([
      'list_creative_formats',
      'build_creative',
      'preview_creative',
      'validate_input',
      'sync_creatives',
      'list_creatives',
      'get_signals',
      'activate_signal',
      'get_products',
      'create_media_buy',
      'update_media_buy',
      'get_media_buys',
      'get_media_buy_delivery',
      'get_reporting_status',
      'get_creative_delivery',
      'provide_performance_feedback',
      'report_usage',
      'list_accounts',
      'sync_accounts',
      'list_tasks',
      'get_task_status',
      'cancel_task',
      'provide_task_input',
      'count_words',
      'place_order',
      'audit',
      'break_down',
      'get_agent_capabilities',
    ])
    expect(result.body?.supported_protocols).toEqual(['creative', 'signals', 'media_buy'])
  })

  test('described under /schemas/v3, as its MCP tool is', async () => {
    const { body: index } = await call(`${app.url}/schemas/v3/index.json`)
    const { body: listed } = await call(`${app.url}/mcp`, { body: rpc('tools/list', {}) })
    const { tools } = listed.result as { tools: Json[] }
    for (const task of EXTRA) {
      const tool = tools.find(({ name }) => name === task)
      for (const [side, member] of [
        ['request', 'inputSchema'],
        ['response', 'outputSchema'],
      ] as const) {
        const file = `${task.replaceAll('_', '-')}-${side}.json`
        const url = (index.schemas as Record<string, string>)[file] ?? ''
        expect(url).toBe(`${app.url}/schemas/v3/${file}`)
        const { $schema, $id, title, ...schema } = (await call(url)).body
        expect([$schema, $id]).toEqual(['https://json-schema.org/draft/2020-12/schema', url])
        expect(title).toBe(file.replace('.json', '').replaceAll('-', ' '))
        // The tool has the same members, in less detail, and says where the whole is.
        const returned = tool?.[member] as { properties: Json; required?: string[] }
        const whole = schema as typeof returned
        expect(returned).toMatchObject({
          type: 'object',
          description: `In full: /schemas/v3/${file}`,
        })
        expect(returned.required).toEqual(whole.required)
        expect(Object.keys(whole.properties)).toEqual(
          expect.arrayContaining(Object.keys(returned.properties)),
        )
        if (side === 'request') {
          expect(Object.keys(returned.properties)).toEqual(Object.keys(whole.properties))
        }
      }
    }
  })

  test('described in /openapi.json', async () => {
    const { body } = await call(`${app.url}/openapi.json`)
    const paths = body.paths as Record<string, { post?: Json }>
    for (const task of EXTRA) {
      expect(paths[`/v3/${task}`]?.post).toMatchObject({ operationId: task, tags: ['Tasks'] })
    }
    expect(paths['/v3/count_words']?.post?.security).toEqual([])
    expect(paths['/v3/place_order']?.post?.security).toEqual([{ bearerAuth: [] }])
    const name = 'count_words.request'
    expect(paths['/v3/count_words']?.post).toMatchObject({
      requestBody: {
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
      },
    })
    const { schemas } = body.components as { schemas: Record<string, Json> }
    expect(schemas[name]).toMatchObject({ required: ['words'] })
  })
})

test('spec 4.2: curl is a client of every transport', async () => {
  const run = promisify(execFile)
  const request = { ...order, idempotency_key: 'curl-0123456789abcdef', context }
  const bodies: unknown[] = []
  for (const driver of drivers) {
    const { path, body } = driver.raw('place_order', request)
    const { stdout } = await run('curl', [
      '--silent',
      '--show-error',
      '--fail',
      `${app.url}${path}`,
      '--header',
      'content-type: application/json',
      '--header',
      `authorization: Bearer ${key}`,
      '--data',
      JSON.stringify(body),
    ])
    bodies.push(driver.bodyIn(JSON.parse(stdout) as Json))
  }
  const [first] = bodies as Json[]
  expect(first).toMatchObject({ status: 'completed', sku: 'shoes', context })
  expect(bodies).toEqual([first, { ...first, replayed: true }, { ...first, replayed: true }])
})

// A NUL or half a surrogate pair at every place where a caller may put a text: PostgreSQL can store
// neither, and no caller may notice which database there is.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVERY_TASK } from '../protocol/schemas/every-task.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { type Json, textPlaces, withText } from '../support/text-places.ts'

const TEXTS = ['a\0b', 'a\ud800b']
const NO_LIMIT = 1_000_000
const TASK_KEY = 'unstorable-0123456789'

interface Server {
  app: TestApp
  key: string
  organizationKey: string
}

let servers: Server[]
let api: { paths: Record<string, Record<string, Json>>; components: { schemas: Json } }

beforeAll(async () => {
  const config = {
    demo: true,
    console: false,
    requestsPerMinute: NO_LIMIT,
    tasksPerMinute: NO_LIMIT,
    lookupsPerMinute: NO_LIMIT,
    registryWritesPerMinute: NO_LIMIT,
  }
  servers = await Promise.all(
    (['sqlite', 'postgres'] as const).map(async (store) => {
      const app = await startApp({ store, config })
      const { key: organizationKey } = await app.organization()
      return { app, key: await app.principal('tasks', 'operator'), organizationKey }
    }),
  )
  api = (await call(`${servers[0]?.app.url}/openapi.json`)).body as unknown as typeof api
})
afterAll(() => Promise.all(servers.map(({ app }) => app.stop())))

const resolve = (ref: string) => {
  const steps = ref.replace('#/', '').split('/')
  return steps.reduce((at, step) => at[step] as Json, api as unknown as Json)
}

/** So that the answer is short, or soon there. */
const BRIEFLY: Partial<Record<string, Json>> = {
  simulate_task: { duration_seconds: 0, steps: 1 },
  get_signals: { max_results: 1 },
}

interface Requested {
  what: string
  path: string
  method?: string
  body?: unknown
  key?: 'key' | 'organizationKey'
}

/** The same from both servers, and no fault of either. */
async function askBoth(requested: Requested): Promise<void> {
  const { what, path, method, body, key = 'key' } = requested
  const sent = { ...(method ? { method } : {}), ...(body === undefined ? {} : { body }) }
  const [first, second] = await Promise.all(
    servers.map(async (server) => {
      const { status, text } = await call(`${server.app.url}${path}`, { key: server[key], ...sent })
      expect(status, `${what}: ${text}`).toBeLessThan(500)
      expect(text, what).not.toContain('SERVICE_UNAVAILABLE')
      expect(text, what).not.toContain('"code":-32603')
      return `${status} ${withoutChance(text)}`
    }),
  )
  expect(first, what).toBe(second)
}

/** Ids, times and ports differ from server to server, and so does what is made of them. */
function withoutChance(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, 'host')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"cursor":"[^"]+"/g, '"cursor":""')
    .replace(/"c(\d+)-a\d+"/g, '"c$1"')
    .replace(/\b(prn|org|tsk|key|req)_[A-Za-z0-9_-]+/g, '$1')
    .replace(/"(nextDue|duration|[a-z_]*_ms|seconds)":[\d.]+/g, '"$1":0')
}

/** Some at a time, or the sockets would be the test. */
async function askAll(all: readonly Requested[]): Promise<void> {
  const queue = [...all]
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await askBoth(next)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

const operations = (method: string) =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    methods[method] ? [{ path, operation: methods[method] as Json }] : [],
  )

const bodyOf = ({ requestBody }: Json): Json | undefined =>
  (requestBody as { content: Record<string, { schema: Json }> } | undefined)?.content[
    'application/json'
  ]?.schema

test('spec 3: no task behaves differently between the databases for a text that one of them cannot store', async () => {
  const requested = operations('post').flatMap(({ path, operation }) => {
    const schema = path.startsWith('/v3/') ? bodyOf(operation) : undefined
    if (!schema) return []
    const name = path.slice('/v3/'.length)
    const request = { ...EVERY_TASK[name]?.calls.at(-1), ...BRIEFLY[name] }
    return textPlaces(schema, resolve).flatMap((place, at) =>
      // Inside of members one of the two, in turn: they are many.
      TEXTS.filter((_, n) => place.length === 1 || n === at % 2).map((text, n): Requested => {
        const idempotency_key = `${TASK_KEY}-${place.join('-')}-${n}`.slice(0, 255)
        const body = withText({ ...request, idempotency_key }, place, text)
        return { what: `${name} /${place.join('/')}`, path, body }
      }),
    )
  })
  expect(requested.length).toBeGreaterThan(400)
  await askAll(requested)
})

test('spec 4: nor does a route, in its path or its query', async () => {
  const requested = ['get', 'post', 'patch', 'delete'].flatMap((method) =>
    operations(method).flatMap(({ path, operation }) => {
      const all = (operation.parameters ?? []) as { name: string; in: string }[]
      const isOurs = path !== '/api/registry/feed/stream'
      return (isOurs ? all : []).flatMap(({ name, in: where }) =>
        // Half a character has no form in a URL: what is in its place is not UTF-8.
        ['a%00b', 'acme%00.example', '%ED%A0%80'].map((text): Requested => {
          const filled = path.replaceAll(/\{(\w+)\}/g, (_, one) => (one === name ? text : 'x'))
          const url = where === 'query' ? `${filled}?${name}=${text}` : filled
          const key = path.startsWith('/api') ? 'organizationKey' : 'key'
          const body = method === 'get' || method === 'delete' ? {} : { body: {} }
          return { what: `${method} ${url}`, path: url, method: method.toUpperCase(), key, ...body }
        }),
      )
    }),
  )
  expect(requested.length).toBeGreaterThan(60)
  await askAll(requested)
})

test('spec 4: nor what is sent to the registry', async () => {
  const requested = operations('post').flatMap(({ path, operation }) => {
    const schema = path.startsWith('/api/') ? bodyOf(operation) : undefined
    if (!schema) return []
    const places = textPlaces(schema, resolve)
    const base = { domain: 'acme.example', agent_url: 'https://a.example', name: 'A' }
    return places.flatMap((place) =>
      TEXTS.map(
        (text): Requested => ({
          what: `${path} /${place.join('/')}`,
          path,
          body: withText(base, place, text),
          key: 'organizationKey',
        }),
      ),
    )
  })
  expect(requested.length).toBeGreaterThan(10)
  await askAll(requested)
})

test('spec 6.1: nor a name of a task, context or registration of A2A', async () => {
  const parameters = { duration_seconds: 0, steps: 1 }
  const parts = [{ kind: 'data', data: { skill: 'simulate_task', parameters } }]
  const message = { kind: 'message', role: 'user', messageId: 'm', parts }
  const requested = TEXTS.flatMap((text) =>
    [
      ['message/send', { message: { ...message, contextId: text } }],
      ['message/send', { message: { ...message, taskId: text } }],
      ['message/send', { message: { ...message, messageId: text } }],
      ['tasks/get', { id: text }],
      ['tasks/cancel', { id: text }],
      ['tasks/pushNotificationConfig/get', { id: text }],
      ['tasks/pushNotificationConfig/get', { id: 'x', pushNotificationConfigId: text }],
      ['tasks/pushNotificationConfig/list', { id: text }],
      ['tasks/pushNotificationConfig/delete', { id: text, pushNotificationConfigId: text }],
      [
        'tasks/pushNotificationConfig/set',
        { taskId: text, pushNotificationConfig: { id: text, url: 'https://a.example/' } },
      ],
    ].map(
      ([method, params]): Requested => ({
        what: `${method} ${JSON.stringify(params)}`,
        path: '/a2a',
        body: { jsonrpc: '2.0', id: 1, method, params },
      }),
    ),
  )
  await askAll(requested)
})

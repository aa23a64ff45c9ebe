// Every route of the registry, as the server describes it, with values that no one should send: the answer is a refusal
// or a result, in JSON with its text, and never a fault.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'
import { crawling } from '../support/crawl.ts'

interface Schema {
  type?: string
  properties?: Record<string, Schema>
}
interface Operation {
  parameters?: { name: string; in: string }[]
  responses?: Record<string, unknown>
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}

const HOSTILE: readonly string[] = [
  '',
  ' ',
  '%',
  '\u0000',
  '\ud800',
  '\u202egro.elpmaxe',
  'x'.repeat(3_000),
  '-1',
  '1e309',
  'NaN',
  '9007199254740993',
  '__proto__',
  'constructor',
  "' OR 1=1 --",
  '$1',
  '../../etc/passwd',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  'https://a.example/mcp?x=%00',
  'xn--a.example',
  'а.example',
  '00000000-0000-0000-0000-000000000000',
  '{"$gt":""}',
]
const VALUES: readonly unknown[] = [null, 0, -1, 1e308, true, [], {}, [[[]]], { __proto__: null }]
/** What a route may say of itself that is not there, or of a service that is not configured. */
const UNSERVED = [501, 503]
/** What routes that call an agent say when that does not answer; they describe it. */
const OF_AGENTS = [502, 504]
/** With these in the other places, a value reaches what is behind the first refusal. */
const PLAUSIBLE: ReadonlyMap<string, string> = new Map([
  ['encodedUrl', 'https://agent.example/mcp'],
  ['role', 'media-buy'],
  ['version', '3.1'],
])

describe.each(['sqlite', 'postgres'] as const)(
  'hostile input of every registry route [%s]',
  (store) => {
    let app: TestApp
    let key: string
    let operations: { method: string; path: string; operation: Operation }[] = []
    beforeAll(async () => {
      app = await startApp({
        store,
        config: {
          ...crawling([]),
          requestsPerMinute: 10_000_000,
          registryWritesPerMinute: 10_000_000,
        },
      })
      key = (await app.organization()).key
      const { paths } = (await call(`${app.url}/openapi.json`)).body as {
        paths: Record<string, Record<string, Operation>>
      }
      operations = Object.entries(paths)
        .filter(([path]) => path.startsWith('/api/') || path.startsWith('/v1/'))
        .flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
        )
        // It ends only when its reader does.
        .filter(({ path }) => !path.endsWith('/stream'))
    })
    afterAll(() => app.stop())

    async function send(
      { method, operation }: { method: string; operation: Operation },
      path: string,
      body?: string,
    ): Promise<void> {
      const response = await fetch(app.url + path, {
        method: method.toUpperCase(),
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      })
      const text = await response.text()
      const what = `${method} ${path.slice(0, 200)} ${body?.slice(0, 200) ?? ''}: ${text.slice(0, 200)}`
      const described = OF_AGENTS.filter((status) => operation.responses?.[status])
      const allowed = [...UNSERVED, ...described]
      expect(response.status < 500 || allowed.includes(response.status), what).toBe(true)
      if (response.status < 400 || text === '') return
      expect(typeof (JSON.parse(text) as { error: unknown }).error, what).toBe('string')
    }
    const encoded = (value: string) => encodeURIComponent(Buffer.from(value).toString())
    const fill = (path: string, value: string) =>
      path.replace(/\{\w+\}/g, encoded(value === '' ? 'x' : value))
    /** The value in each place in turn, and what is plausible in the others. */
    const fillEach = (path: string, value: string) => {
      const names = (path.match(/\{\w+\}/g) ?? []).map((name) => name.slice(1, -1))
      return names.map((name) =>
        path.replace(/\{(\w+)\}/g, (_, other: string) =>
          encoded(other === name && value !== '' ? value : (PLAUSIBLE.get(other) ?? 'x')),
        ),
      )
    }

    test('spec 4.5: in the path and in every parameter', async () => {
      expect(operations.length).toBeGreaterThan(60)
      for (const { method, path, operation } of operations) {
        if (method !== 'get') continue
        const described = { method, operation }
        const names = (operation.parameters ?? []).filter((one) => one.in === 'query')
        for (const value of HOSTILE) {
          const query = names.map(({ name }) => `${name}=${encoded(value)}`).join('&')
          await send(described, `${fill(path, value)}?${query}`)
          for (const filled of fillEach(path, value)) await send(described, filled)
        }
        const twice = names.map(({ name }) => `${name}=a.example&${name}=b.example`).join('&')
        await send(described, `${fill(path, 'x')}?${twice}`)
        await send(described, `${fill(path, 'x')}?%00=%zz`)
      }
    })

    test('spec 4.5: in the body, and in every member of it', async () => {
      for (const { method, path, operation } of operations) {
        if (method === 'get') continue
        const described = { method, operation }
        const schema = operation.requestBody?.content?.['application/json']?.schema
        const members = Object.keys(schema?.properties ?? {})
        const bodies = [...VALUES, ...HOSTILE].flatMap((value) => [
          value,
          Object.fromEntries(members.map((name) => [name, value])),
          Object.fromEntries(members.map((name) => [name, [value]])),
        ])
        for (const body of bodies) {
          await send(described, fill(path, 'a.example'), JSON.stringify(body))
        }
        for (const text of ['', '{', '[1,', 'null', `${'['.repeat(5_000)}`])
          await send(described, fill(path, 'a.example'), text)
        for (const value of HOSTILE) {
          for (const filled of fillEach(path, value)) await send(described, filled, '{}')
        }
      }
    })
  },
)

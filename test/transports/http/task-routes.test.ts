import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { bodyLimitBytes: 2_048, requireIdempotencyKey: true } })
})
afterAll(() => app.stop())

const post = async (path: string, body: string, type = 'application/json', key?: string) => {
  const answer = await fetch(app.url + path, {
    method: 'POST',
    headers: { 'content-type': type, ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body,
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test.each([
  ['a body that is not JSON', 400, '{bad', 'application/json'],
  ['an empty body', 400, '', 'application/json'],
  ['a body over the limit', 413, JSON.stringify({ ext: 'x'.repeat(3_000) }), 'application/json'],
  ['another content type', 415, '{}', 'text/plain'],
])(
  'spec 7.1: %s is refused with %i, in the form of a task’s errors',
  async (_what, status, text, type) => {
    const refused = await post('/v3/list_creative_formats', text, type)
    expect(refused.status).toBe(status)
    expect(refused.body).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_REQUEST' },
      errors: [{ code: 'INVALID_REQUEST', recovery: 'correctable', message: expect.any(String) }],
      proto_error: { code: 'INVALID_REQUEST' },
    })
  },
)

test('spec 4.2: a task is also at the path that has the name of the protocol', async () => {
  const named = await post('/proto/list_creative_formats', '{"name_search":"vast"}')
  expect(named).toEqual(await post('/v3/list_creative_formats', '{"name_search":"vast"}'))
  expect(named.status).toBe(200)
})

test('spec 9: a key may be demanded of calls that name no release and buy', async () => {
  const body = JSON.stringify({ packages: [] })
  const key = await app.principal()
  const refused = await post('/v3/create_media_buy', body, 'application/json', key)
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain('/idempotency_key')
})

test('the schemas of every request and response are served, and an index of them', async () => {
  const index = await (await fetch(`${app.url}/schemas/v3/index.json`)).json()
  const { schemas } = index as { schemas: Record<string, string> }
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining([
      'list-creative-formats-request.json',
      'list-creative-formats-response.json',
      'get-agent-capabilities-request.json',
      'get-proto-capabilities-response.json',
      'format-id.json',
      'webhook-envelope.json',
      'mcp-webhook-payload.json',
    ]),
  )
  for (const address of Object.values(schemas)) {
    const schema = (await (await fetch(address)).json()) as Record<string, unknown>
    expect(schema.$id).toBe(address)
  }
  expect((await fetch(`${app.url}/schemas/v3/nothing.json`)).status).toBe(404)
})

test('spec 9: the schemas of each release are served, of its tasks only', async () => {
  const namesOf = async (release: string) => {
    const index = await (await fetch(`${app.url}/schemas/${release}/index.json`)).json()
    const { version, schemas } = index as { version: string; schemas: Record<string, string> }
    expect(version).toBe(release)
    for (const address of Object.values(schemas)) {
      expect((await (await fetch(address)).json()) as object).toHaveProperty('$id', address)
    }
    return Object.keys(schemas)
  }
  const older = await namesOf('3.0')
  expect(older).toContain('get-signals-response.json')
  expect(older).not.toContain('buy-products-request.json')
  expect(await namesOf('3.2')).toContain('buy-products-request.json')
  const unknown = await fetch(`${app.url}/schemas/2.5/index.json`)
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toEqual({
    error: 'no schemas of release 2.5: use v3, 3.0, 3.1, 3.2',
  })
})

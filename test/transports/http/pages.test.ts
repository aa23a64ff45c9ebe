// What a person and a program find at the root of a server, and how much the descriptions of it weigh.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(app.url + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe.each(['/', '/docs'])('the page at %s', (path) => {
  test('is HTML that runs no script, loads nothing, and says so in its policy', async () => {
    const { status, headers, text } = await get(path, BROWSER)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; base-uri 'none'/)
    expect(policy).not.toContain('unsafe')
    expect(text).not.toMatch(/<script|<link|<img|src=|style="|https?:\/\//)
  })
})

test('the page at / says what this is and where the transports are, and its links lead somewhere', async () => {
  const { text } = await get('/', BROWSER)
  expect(text).toContain('advertising automation')
  for (const place of [
    '/v3/{task}',
    '/mcp',
    '/a2a',
    '/api/manifest-refs',
    '/previews/{preview_id}',
  ]) {
    expect(text).toContain(`<code>${place}</code>`)
  }
  // There is no console on this server.
  expect(text).not.toContain('/console/')
  for (const [, link = ''] of text.matchAll(/href="([^"]+)"/g)) {
    expect([link, (await get(link)).status]).not.toEqual([link, 404])
  }
})

test.each([{ accept: 'application/json' }, { accept: '*/*' }])(
  '%o gets a small index',
  async (headers) => {
    const { headers: answered, text } = await get('/', headers)
    expect(answered.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answered.get('vary')).toBe('accept')
    expect(text.length).toBeLessThan(1_000)
    expect(JSON.parse(text)).toMatchObject({
      name: 'adwire',
      links: { MCP: '/mcp', OpenAPI: '/openapi.json' },
    })
  },
)

test('the reference has every operation and every schema of /openapi.json, and no dead link', async () => {
  const { text } = await get('/docs', BROWSER)
  const { paths, components } = JSON.parse((await get('/openapi.json')).text) as {
    paths: Record<string, Record<string, { operationId: string }>>
    components: { schemas: object }
  }
  const ids = new Set([...text.matchAll(/<details id="([^"]+)"/g)].map(([, id]) => id))
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    expect(ids).toContain(operation.operationId)
  }
  for (const name of Object.keys(components.schemas)) expect(ids).toContain(name)
  for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
})

test('/openapi.json is under 450 kB, every reference in it is there, and it is sent once', async () => {
  const { headers, text } = await get('/openapi.json')
  expect(text.length).toBeLessThan(450_000)
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, object> } }
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(100)
  for (const [, name = ''] of references) expect(components.schemas).toHaveProperty([name])
  const again = await get('/openapi.json', { 'if-none-match': String(headers.get('etag')) })
  expect([again.status, again.text]).toEqual([304, ''])
})

test('spec 4.2: tools/list is under 1 kB a tool, with every member of every request', async () => {
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const text = await response.text()
  const { tools } = (JSON.parse(text) as { result: { tools: Tool[] } }).result
  expect(tools.length).toBeGreaterThan(10)
  expect(text.length / tools.length).toBeLessThan(1_000)
  for (const { name, inputSchema } of tools) {
    const whole = (await get(`/schemas/v3/${name.replaceAll('_', '-')}-request.json`)).text
    const { properties } = JSON.parse(whole) as Tool['inputSchema']
    expect(Object.keys(inputSchema.properties)).toEqual(Object.keys(properties))
    expect(inputSchema.description).toContain(
      `/schemas/v3/${name.replaceAll('_', '-')}-request.json`,
    )
  }
})

interface Tool {
  name: string
  inputSchema: { properties: object; description?: string }
}

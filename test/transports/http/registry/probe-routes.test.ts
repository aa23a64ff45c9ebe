import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../../../support/app.ts'

let app: TestApp
let agent: TestApp
beforeAll(async () => {
  agent = await startApp()
  app = await startApp({ config: { registryVerifyConcurrency: 0 } })
})
afterAll(async () => {
  await app.stop()
  await agent.stop()
})

const ask = (path: string, request?: Call) => call(app.url + path, request)
const probe = (what: string, url: string) =>
  ask(`/api/public/${what}?url=${encodeURIComponent(url)}`)

test('spec 4.5: an agent is what its tools say, over every transport that it has', async () => {
  const { status, body } = await probe('discover-agent', `${agent.url}/mcp`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ protocols: ['mcp', 'a2a'], type: 'sales' })
  const tools = body.tools as { name: string }[]
  expect(tools.map(({ name }) => name)).toContain('list_creative_formats')
  expect(body.tools_count).toBe(tools.length)
  expect((body.stats as { format_count: number }).format_count).toBeGreaterThan(10)
})

test('spec 4.5: its formats are those that it answers with', async () => {
  const { status, body } = await probe('agent-formats', `${agent.url}/mcp`)
  expect(status).toBe(200)
  expect(body.success).toBe(true)
  expect((body.formats as unknown[]).length).toBeGreaterThan(10)
})

test('spec 4.5: what needs a credential, or is no agent, cannot be called', async () => {
  const { status, body } = await probe('agent-formats', `${agent.url}/nothing`)
  expect([status, body.error]).toEqual([502, 'The agent could not be called'])
  const closed = await probe('discover-agent', 'http://127.0.0.1:9/mcp')
  expect(closed.status).toBe(502)
})

test('spec 8: an address that this server would not call is refused before anything is sent', async () => {
  expect((await ask('/api/public/discover-agent')).body).toMatchObject({
    error: 'URL is required',
  })
  for (const url of ['http://169.254.169.254/latest', 'ftp://a.example', 'https://u:p@a.example']) {
    for (const what of ['discover-agent', 'agent-formats', 'agent-products', 'agent-publishers']) {
      expect((await probe(what, url)).status).toBe(400)
    }
  }
})

test('one caller has a bounded number of agents called', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 40; n++) statuses.push((await probe('discover-agent', 'x')).status)
  expect(statuses.at(-1)).toBe(429)
})

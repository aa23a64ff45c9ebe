// Without --sandbox nothing knows of the test controller, over any transport.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPrincipal } from '../../src/agent/principals.ts'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { refuseRealPrincipals } from '../../src/sandbox/tenants.ts'
import { createA2aClient } from '../../src/transports/a2a/client.ts'
import { throughEgress } from '../../src/transports/client.ts'
import { createHttpClient } from '../../src/transports/http/client.ts'
import { createMcpClient } from '../../src/transports/mcp/client.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { onEveryTransport } from '../support/transports.ts'

const CONTROLLER = 'comply_test_controller'
const PLACES = [
  '/openapi.json',
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
  '/docs',
  '/',
  `/schemas/v3/${CONTROLLER.replaceAll('_', '-')}-request.json`,
]

let plain: TestApp
let sandbox: TestApp
beforeAll(async () => {
  plain = await startApp()
  sandbox = await startApp({ config: { sandbox: true } })
})
afterAll(() => Promise.all([plain.stop(), sandbox.stop()]))

const toolsOf = async ({ url }: TestApp, key: string) => {
  const answer = await call(`${url}/mcp`, {
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  })
  return JSON.stringify(answer.body)
}

test.each([
  ['HTTP', createHttpClient, ''],
  ['MCP', createMcpClient, '/mcp'],
  ['A2A', createA2aClient, ''],
] as const)(
  'over %s a call of the controller is one of an unknown task, word for word',
  async (_transport, create, path) => {
    const key = await plain.principal()
    const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
    const client = create({ url: `${plain.url}${path}`, fetch: throughEgress(egress), key })
    const unknown = await client.call('comply_test_controllex', { scenario: 'list_scenarios' })
    const requested = await client.call(CONTROLLER, { scenario: 'list_scenarios' })
    await egress.close()
    expect(requested.ok).toBe(false)
    const words = JSON.stringify(requested).replaceAll(CONTROLLER, 'comply_test_controllex')
    expect(words).toBe(JSON.stringify(unknown))
  },
)

test('no list, description or capability names it', async () => {
  const key = await plain.principal()
  expect(await toolsOf(plain, key)).not.toContain('comply')
  const capabilities = await onEveryTransport(plain.url, 'get_agent_capabilities', {}, key)
  expect(JSON.stringify(capabilities)).not.toMatch(/comply|compliance_testing|scenario/)
  for (const path of PLACES) {
    const answer = await fetch(`${plain.url}${path}`)
    expect(await answer.text(), path).not.toMatch(/comply_test|compliance_testing/)
  }
})

test('a sandbox has it in all of them', async () => {
  const key = await sandboxKey()
  expect(await toolsOf(sandbox, key)).toContain(CONTROLLER)
  const capabilities = await onEveryTransport(sandbox.url, 'get_agent_capabilities', {}, key)
  expect(capabilities.body?.compliance_testing).toMatchObject({
    scenarios: expect.arrayContaining(['force_media_buy_status', 'simulate_delivery']),
  })
  const card = await (await fetch(`${sandbox.url}/.well-known/agent-card.json`)).text()
  expect(card).toContain(CONTROLLER)
  const listed = await onEveryTransport(
    sandbox.url,
    CONTROLLER,
    { scenario: 'list_scenarios' },
    key,
  )
  expect(listed.body).toMatchObject({ success: true })
})

async function sandboxKey(): Promise<string> {
  const created = await createPrincipal(sandbox.storage, { name: 'Grader', isSandbox: true })
  if (!created.ok) throw new Error(created.message)
  return created.key
}

test('a sandbox knows no key of others, and no other server one of a sandbox', async () => {
  const real = await sandbox.principal()
  expect((await call(`${sandbox.url}/v3/list_accounts`, { key: real, body: {} })).status).toBe(401)
  const made = await createPrincipal(plain.storage, { name: 'Left behind', isSandbox: true })
  if (!made.ok) throw new Error(made.message)
  const answer = await call(`${plain.url}/v3/list_accounts`, { key: made.key, body: {} })
  expect(answer.status).toBe(401)
  expect(await plain.storage.principals.list()).toContainEqual(
    expect.objectContaining({ name: 'Left behind', is_sandbox: true }),
  )
})

test('a database with a principal that no sandbox made is refused, and it is said why', async () => {
  await expect(refuseRealPrincipals(plain.storage)).rejects.toThrow(
    /principals that no sandbox made .*--data or --database-url/,
  )
})

// Instances with different roles on one PostgreSQL, and a client whose every request reaches another one than the last.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { inRoles, ROLES, rolesFault } from '../../src/app/roles.ts'
import { decide } from '../../src/media-buys/approvals.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { ask, signIn } from '../support/console.ts'
import { migratedPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'
import { catchWebhooks } from '../support/webhook-catcher.ts'

type Json = Record<string, unknown>

let drop: () => Promise<void>
/** Serves, and does nothing else. */
let front: TestApp
/** Serves too, and runs tasks. */
let back: TestApp
/** Sends and verifies, and serves nothing. */
let sender: TestApp

beforeAll(async () => {
  const server = await migratedPostgres()
  drop = server.drop
  const start = (...roles: string[]) =>
    startApp({ config: { databaseUrl: server.url, roles, approveAbove: ['USD:5000'] } })
  front = await start('api')
  back = await start('api', 'worker')
  sender = await start('sender', 'verifier')
  await front.storage.transact((tx) => front.storage.products.put(tx, [catalogueProduct()]))
})

afterAll(async () => {
  for (const app of [front, back, sender]) await app.stop()
  await drop()
})

async function metric(app: TestApp, line: RegExp): Promise<string[]> {
  const text = await (await fetch(`${app.url}/metrics`)).text()
  return text.split('\n').filter((one) => line.test(one))
}

test('an instance without the role api serves its own state and nothing else', async () => {
  const key = await front.principal()
  const refused = await call(`${sender.url}/v3/list_accounts`, { key, body: {} })
  expect(refused.status).toBe(404)
  const ready = await ask(`${sender.url}/readyz`)
  expect([ready.status, ready.body.roles]).toEqual([200, ['sender', 'verifier']])
  expect(await metric(sender, /^adwire_instance_role/)).toEqual([
    'adwire_instance_role{role="sender"} 1',
    'adwire_instance_role{role="verifier"} 1',
  ])
})

test('spec 6.4: what one instance accepts, a second runs and a third delivers', async () => {
  const key = await front.principal()
  const catcher = await catchWebhooks()
  const { body } = await call(`${front.url}/v3/create_media_buy`, {
    key,
    body: {
      ...aBuy(),
      push_notification_config: { url: catcher.url },
    },
  })
  const task_id = String((body as Json).task_id)
  await eventually(async () => {
    const found = await call(`${back.url}/v3/tasks/${task_id}`, { key })
    expect((found.body as Json).status, JSON.stringify(body)).toBe('input-required')
  })
  await decide(back.storage, task_id, { approved: true, note: undefined, by: 'the test' })
  const message = await catcher.first
  const verified = await catcher.verify(message, front.url)
  expect(verified.ok).toBe(true)
  await eventually(async () =>
    expect(await metric(sender, /^adwire_webhook_attempts_total.*success.* 1$/)).toHaveLength(1),
  )
  for (const app of [front, back]) {
    expect(await metric(app, /^adwire_webhook_attempts_total\{.*[1-9]$/)).toEqual([])
  }
})

test('spec 7: an A2A task is read at another instance than it was sent to', async () => {
  const key = await front.principal()
  const rpc = async (app: TestApp, method: string, params: Json) => {
    const sent = { jsonrpc: '2.0', id: 1, method, params }
    return (await call(`${app.url}/a2a`, { key, body: sent })).body as Json
  }
  const data = { skill: 'create_media_buy', parameters: aBuy() }
  const message = { role: 'user', messageId: 'm1', parts: [{ data }] }
  const sent = (await rpc(front, 'message/send', { message })).result as Json
  const read = (await rpc(back, 'tasks/get', { id: sent.id })).result as Json
  expect([read.id, read.status]).toMatchObject([sent.id, { state: 'input-required' }])
})

test('spec 7: an MCP session goes on at another instance', async () => {
  const key = await front.principal()
  const rpc = (app: TestApp, method: string, params: Json) =>
    ask(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
      },
      body: { jsonrpc: '2.0', id: 1, method, params },
    })
  const begun = await rpc(front, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  expect(begun.status).toBe(200)
  // There is no session that only one instance knows.
  expect(begun.headers.get('mcp-session-id')).toBeNull()
  for (const app of [back, front, back]) {
    const called = await rpc(app, 'tools/call', { name: 'list_accounts', arguments: {} })
    expect([called.status, JSON.stringify(called.body)]).toEqual([
      200,
      expect.stringContaining('accounts'),
    ])
  }
})

test('a console session that one instance opened is good at the other, and its end too', async () => {
  const key = await front.principal('operator')
  const session = await signIn(front, key)
  const at = (app: TestApp, method = 'GET') =>
    ask(`${app.url}/console/api/session`, {
      method,
      headers: { cookie: session.cookie, 'x-adwire-csrf': session.csrf },
    })
  for (const app of [back, front, back]) expect((await at(app)).status).toBe(200)
  const ended = await at(back, 'DELETE')
  expect([200, 204]).toContain(ended.status)
  expect((await at(front)).status).toBe(401)
})

test('a key that is revoked at one instance is refused at the other at once', async () => {
  const { principal_id, key } = await front.named('Revoked')
  const list = (app: TestApp) => call(`${app.url}/v3/list_accounts`, { key, body: {} })
  expect([(await list(front)).status, (await list(back)).status]).toEqual([200, 200])
  await back.storage.transact((tx) => back.storage.principals.revoke(tx, principal_id))
  expect([(await list(front)).status, (await list(back)).status]).toEqual([401, 401])
})

test('a product that one instance gets is found by the other', async () => {
  const key = await front.principal()
  const products = async (app: TestApp) => {
    const body = { buying_mode: 'wholesale' }
    return JSON.stringify((await call(`${app.url}/v3/get_products`, { key, body })).body)
  }
  expect(await products(back)).not.toContain('"second"')
  const second = { ...catalogueProduct(), product_id: 'second' }
  await front.storage.transact((tx) => front.storage.products.put(tx, [second]))
  for (const app of [back, front]) expect(await products(app)).toContain('"second"')
})

test('roles are refused where nobody would do the rest', () => {
  const config = { roles: ['api'], databaseUrl: undefined, demo: false, sandbox: false }
  expect(rolesFault(config)).toMatch(/must list all roles with SQLite/)
  expect(rolesFault({ ...config, roles: [...ROLES] })).toBeUndefined()
  expect(rolesFault({ ...config, databaseUrl: 'postgres://a/b' })).toBeUndefined()
  expect(rolesFault({ ...config, databaseUrl: 'postgres://a/b', demo: true })).toMatch(/demo/)
  expect(rolesFault({ ...config, databaseUrl: 'postgres://a/b', roles: [] })).toMatch(/at least/)
  expect(inRoles({ roles: ['sender'], webhookConcurrency: 7, taskConcurrency: 7 })).toMatchObject({
    webhookConcurrency: 7,
    taskConcurrency: 0,
    registryVerifyConcurrency: 0,
    registryCrawlConcurrency: 0,
  })
})

let count = 0
/** One that waits for the seller. */
function aBuy(): Json {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  return {
    idempotency_key: `fleet-0123456789-${++count}`,
    start_time: inDays(1),
    end_time: inDays(3),
    packages: [{ product_id: 'homepage', pricing_option_id: 'cpm_usd', budget: 9_000 }],
  }
}

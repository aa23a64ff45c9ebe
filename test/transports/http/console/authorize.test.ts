// Whom the gate of the console lets in, for every route of the table: what is added there is tried here by itself,
// with ids of what there is, so that nothing but the gate stands between the request and its effect.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConsoleRoute } from '../../../../src/console/api/route.ts'
import { CONSOLE_ROUTES } from '../../../../src/console/api/routes.ts'
import type { Channel } from '../../../../src/webhooks/sender/store.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { ask, type ConsoleClient, signIn } from '../../../support/console.ts'
import { newChannel } from '../../../support/outbox-contract.ts'
import { tablesOf } from '../../../support/tables.ts'

let app: TestApp
let operator: ConsoleClient
let viewer: ConsoleClient
/** Of things that are there, by the name of the parameter; what is not listed is called by this word. */
const ids = new Map<string, string>()
const ANY_ID = '1'

beforeAll(async () => {
  // Nothing happens by itself: what changes was changed by a request.
  app = await startApp({
    config: { trustProxy: ['127.0.0.1'], webhookConcurrency: 0, taskConcurrency: 0 },
  })
  operator = await signIn(app, await app.principal('admin'))
  viewer = await signIn(app, await app.principal('viewer'))
  const owner = await app.named('Buyer')
  const task_id = await addTask(owner.principal_id)
  await addDelivery(owner.principal_id, task_id)
  const [delivery] = (await viewer.get('/deliveries')).body.items
  ids.set('delivery_id', String(delivery.delivery_id))
  ids.set('endpoint_id', delivery.endpoint_id)
  ids.set('task_id', task_id)
})
afterAll(() => app.stop())

async function addTask(owner: string): Promise<string> {
  const task_id = `task_${randomUUID()}`
  await app.storage.transact((tx) =>
    app.storage.tasks.add(tx, {
      task_id,
      owner,
      task_type: 'build_creative',
      domain: 'creative',
      status: 'submitted',
      context: undefined,
      context_id: undefined,
      is_told: true,
      has_webhook: true,
      state: undefined,
      request: {},
      idempotency_key: undefined,
      deadlineMs: 3_600_000,
    }),
  )
  return task_id
}

async function addDelivery(owner: string, task_id: string): Promise<void> {
  const channel = newChannel({ owner, subject: `task:${task_id}` })
  await app.storage.transact(async (tx) => {
    const to = (await app.storage.channels.put(tx, channel, 9)) as Channel
    const event = { task_id, operation_id: 'op-1', notification_type: 'working' }
    const body = Buffer.from('{"status":"working"}')
    const idempotency_key = randomUUID()
    const delivery = { channel: to, ...event, sequence_number: undefined, idempotency_key, body }
    await app.storage.outbox.add(tx, [delivery], 3_600_000)
  })
}

/**
 * Everything the database holds, except when a session was last used, which every request notes, and the record of
 * refused requests.
 */
async function everything(): Promise<string> {
  const { database } = app.storage
  const tables = [...(await tablesOf(database)).keys()]
  const rows = await Promise.all(
    tables.sort().map(async (name) => {
      const done = name === 'console_audit' ? " WHERE outcome = 'done'" : ''
      return [name, await database.read.all(`SELECT * FROM ${name}${done}`)]
    }),
  )
  return JSON.stringify(rows, (key, value) => {
    if (key === 'seen_at') return undefined
    return typeof value === 'bigint' ? `${value}` : value
  })
}

/** The audit log’s refused requests. */
const refused = async () =>
  (await app.storage.consoleAudit.list({ outcome: 'refused', limit: 1_000 })).rows

const send = ({ method, path }: ConsoleRoute, headers: object) =>
  ask(app.url + path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(ids.get(name) ?? ANY_ID)), {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: {} }),
  })

const all = Object.entries(CONSOLE_ROUTES) as [string, ConsoleRoute][]
/** Those of a buyer's link know no session: links.test.ts has their gate. */
const routes = all.filter(([, { role }]) => role !== 'link')
const guarded = routes.filter(([, { role }]) => role !== 'anyone')
const changing = guarded.filter(([, { method }]) => method !== 'GET')
/** The code of a refusal, by the role that is missing. */
const CODES = new Map<string, string>([
  ['operator', 'viewer'],
  ['approver', 'no_approver'],
  ['admin', 'no_admin'],
])
const operators = routes.filter(([, { role }]) => CODES.has(role))

describe('without a session', () => {
  test.each(guarded)('%s is 401 in the shape of the API, and does nothing', async (_, route) => {
    const before = await everything()
    for (const headers of [{}, { cookie: `adwire_console=${'A'.repeat(43)}` }]) {
      const answer = await send(route, { ...headers, 'x-adwire-csrf': operator.csrf })
      expect([answer.status, answer.body.error.code]).toEqual([401, 'no_session'])
    }
    expect(await everything()).toBe(before)
  })
})

describe('with a session', () => {
  test.each(changing)('%s without its token is 403, and does nothing', async (_, route) => {
    const before = await everything()
    const { cookie, csrf } = operator
    for (const token of [undefined, '', 'x', viewer.csrf, `${csrf}x`]) {
      const given = token === undefined ? {} : { 'x-adwire-csrf': token }
      const answer = await send(route, { cookie, ...given })
      expect([token, answer.status, answer.body.error.code]).toEqual([token, 403, 'csrf'])
    }
    expect(await everything()).toBe(before)
    const target = `${route.method} ${route.path}`
    // Five attempts of one kind are one entry.
    expect(
      (await refused()).filter((one) => one.target === target && /csrf/.test(one.detail ?? '')),
    ).toHaveLength(1)
  })
})

describe('a viewer', () => {
  test.each(operators)('may not %s, and nothing changes', async (_, route) => {
    const before = await everything()
    const answer = await send(route, { cookie: viewer.cookie, 'x-adwire-csrf': viewer.csrf })
    expect([answer.status, answer.body.error.code]).toEqual([403, CODES.get(route.role)])
    expect(await everything()).toBe(before)
    const [entry] = (await refused()).filter(
      ({ target, detail }) =>
        target === `${route.method} ${route.path}` && detail === answer.body.error.message,
    )
    expect(entry).toMatchObject({
      principal_name: 'Caller',
      key_id: expect.stringMatching(/^key_/),
      action: 'console.request',
      address: '127.0.0.1',
    })
  })

  test('is refused what the same request does for an operator', async () => {
    const before = await everything()
    const headers = { cookie: operator.cookie, 'x-adwire-csrf': operator.csrf }
    expect((await send(CONSOLE_ROUTES.pauseEndpoint, headers)).status).toBe(200)
    expect((await send(CONSOLE_ROUTES.cancelDelivery, headers)).status).toBe(200)
    expect(await everything()).not.toBe(before)
  })
})

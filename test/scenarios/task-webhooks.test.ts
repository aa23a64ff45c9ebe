// A seller's server and a buyer's receiver over loopback: what the buyer receives about its tasks.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import type { HttpMessage, Jwk } from '../../src/signing/ports.ts'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import { verifyHmac } from '../../src/webhooks/schemes/hmac.ts'
import { verifyWebhook } from '../../src/webhooks/schemes/rfc9421.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

type Json = Record<string, unknown>

interface Received {
  path: string
  headers: IncomingMessage['headers']
  raw: Buffer
  body: Json
}

const NAMES = identifiersFor('proto')
let app: TestApp
let key: string
let receiver: { url: string; received: Received[]; close(): Promise<void> }

beforeAll(async () => {
  app = await startApp({ config: { demo: true, console: false } })
  key = await app.principal()
  receiver = await startReceiver()
})

afterAll(async () => {
  await app.stop()
  await receiver.close()
})

async function startReceiver() {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const path = request.url ?? ''
    received.push({ path, headers: request.headers, raw, body: JSON.parse(String(raw)) as Json })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const at = (path: string) => receiver.received.filter((one) => one.path === path)
const task = (name: string, body: Json) => call(`${app.url}/v3/${name}`, { key, body })

async function verified({ path, headers, raw }: Received) {
  const { body } = await call(`${app.url}/.well-known/jwks.json`)
  const keys = body.keys as Jwk[]
  const message = { method: 'POST', url: `${receiver.url}${path}`, headers, body: raw }
  return verifyWebhook(message as HttpMessage, NAMES, {
    now: Math.floor(Date.now() / 1_000),
    findKey: (keyid) => {
      const jwk = keys.find(({ kid }) => kid === keyid)
      return jwk && { jwk, signer: app.url }
    },
    checkRevocation: () => 'current',
    replay: memoryReplayStore(),
  })
}

test('spec 2.9: tokens and credentials of registrations are nowhere in the database', async () => {
  const [token, a2aToken] = ['token-of-the-mcp-form-01', 'token-of-the-a2a-form-01']
  const credentials = 'credentials-of-thirty-two-characters'
  const authentication = { schemes: ['HMAC-SHA256'], credentials }
  await task('simulate_task', {
    duration_seconds: 0,
    steps: 2,
    idempotency_key: 'sealed-0123456789',
    push_notification_config: { url: `${receiver.url}/sealed`, token, authentication },
  })
  const parameters = { duration_seconds: 0, steps: 1 }
  await call(`${app.url}/a2a`, {
    key,
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: {
        configuration: {
          pushNotificationConfig: { url: `${receiver.url}/sealed-a2a`, token: a2aToken },
        },
        message: {
          kind: 'message',
          role: 'user',
          messageId: 'm-sealed',
          parts: [{ kind: 'data', data: { skill: 'simulate_task', parameters } }],
        },
      },
    },
  })
  await eventually(() => expect(at('/sealed').length).toBe(3))
  await eventually(() => expect(at('/sealed-a2a').length).toBe(2))
  for (const { body } of at('/sealed')) expect(body.token).toBe(token)
  const [update] = at('/sealed-a2a')
  expect(update?.headers['x-a2a-notification-token']).toBe(a2aToken)

  const { read } = app.storage.database
  const tables = await read.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table'",
  )
  for (const { name } of tables) {
    for (const row of await read.all<Record<string, unknown>>(`SELECT * FROM ${name}`)) {
      const values = Object.values(row).map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : String(value),
      )
      const found = [token, a2aToken, credentials].filter((one) => values.join().includes(one))
      expect([name, found]).toEqual([name, []])
    }
  }
})

describe('spec 6.1: a task with a push_notification_config', () => {
  test('is submitted, and each change arrives signed with what the request brought', async () => {
    const context = { campaign: 'spring', deep: [{ ok: true }] }
    const config = {
      url: `${receiver.url}/told?route=7`,
      operation_id: 'op:1',
      token: 't'.repeat(16),
    }
    const { status, body } = await task('simulate_task', {
      duration_seconds: 0.1,
      steps: 2,
      context,
      push_notification_config: config,
    })
    expect(status).toBe(202)
    expect(body).toMatchObject({ status: 'submitted', context })
    const { task_id } = body
    const reported = await eventually(() => {
      const all = at('/told?route=7')
      expect(all.map((one) => one.body.status)).toEqual(['working', 'working', 'completed'])
      return all
    })
    for (const one of reported) {
      expect(one.body).toMatchObject({
        task_id,
        operation_id: 'op:1',
        context,
        token: config.token,
        task_type: 'simulate_task',
      })
      expect(await verified(one)).toMatchObject({ ok: true })
    }
    expect(reported[0]?.body.result).toMatchObject({ percentage: 0, total_steps: 2 })
    expect(reported[2]?.body.result).toEqual({ simulated: { duration_seconds: 0.1, steps: 2 } })
    expect(new Set(reported.map((one) => one.body.idempotency_key)).size).toBe(3)

    const polled = await call(`${app.url}/v3/tasks/${task_id}?include_history=true`, { key })
    expect(polled.status).toBe(200)
    expect(polled.body).toMatchObject({
      task_id,
      status: 'completed',
      has_webhook: true,
      result: { simulated: { steps: 2 } },
    })
  })

  test('is signed with the shared secret instead when it registers one, and never shows it', async () => {
    const credentials = 'an-old-secret-of-32-characters-or-more'
    await task('simulate_task', {
      duration_seconds: 0,
      steps: 1,
      push_notification_config: {
        url: `${receiver.url}/hmac`,
        authentication: { schemes: ['HMAC-SHA256'], credentials },
      },
    })
    const [first] = await eventually(() => {
      expect(at('/hmac')).toHaveLength(2)
      return at('/hmac') as [Received]
    })
    const now = Math.floor(Date.now() / 1_000)
    const message = { headers: first.headers as never, body: first.raw }
    expect(verifyHmac(message, { current: credentials }, { names: NAMES, now })).toEqual({
      ok: true,
    })
    expect(first.headers).not.toHaveProperty('signature')
    expect(app.logged.join('')).toContain('legacy scheme')
    expect(app.logged.join('')).not.toContain(credentials)
    const rows = await app.storage.database.read.all<Json>('SELECT * FROM webhook_channels')
    expect(JSON.stringify(rows)).not.toContain(credentials)
  })

  test.each([
    ['an address that is not reachable from here', { url: 'http://10.0.0.1/x' }, '/url'],
    ['another scheme', { url: 'ftp://buyer.example/x' }, '/url'],
    [
      'a broken operation_id',
      { url: 'https://buyer.example/x', operation_id: 'a b' },
      '/operation_id',
    ],
    [
      'two legacy schemes',
      {
        url: 'https://buyer.example/x',
        authentication: { schemes: ['Bearer', 'HMAC-SHA256'], credentials: 'x'.repeat(40) },
      },
      '/authentication/schemes',
    ],
    [
      'a weak secret',
      {
        url: 'https://buyer.example/x',
        authentication: { schemes: ['HMAC-SHA256'], credentials: 'a'.repeat(40) },
      },
      '/authentication/credentials',
    ],
    [
      'Bearer, which is not served by default',
      {
        url: 'https://buyer.example/x',
        authentication: { schemes: ['Bearer'], credentials: 'Zx9'.repeat(20) },
      },
      '/authentication/schemes/0',
    ],
  ])('spec 7.3: is refused with %s, whatever the task', async (_fault, config, pointer) => {
    for (const name of ['simulate_task', 'list_creative_formats']) {
      const { status, body } = await task(name, { push_notification_config: config })
      expect(status).toBe(400)
      const [error] = body.errors as { code: string; issues: { pointer: string }[] }[]
      expect(error?.code).toBe('INVALID_REQUEST')
      expect(error?.issues.map((issue) => issue.pointer)).toContain(
        `/push_notification_config${pointer}`,
      )
    }
    expect(await app.count("webhook_channels WHERE url LIKE '%buyer.example%'")).toBe(0)
  })
})

describe('spec 3.2: an answer that is given at once', () => {
  test('has no task_id, is listed nowhere and causes no webhook', async () => {
    const before = receiver.received.length
    const { status, body } = await task('simulate_task', { duration_seconds: 0, steps: 1 })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'completed', simulated: { steps: 1 } })
    expect(body).not.toHaveProperty('task_id')
    const listed = await call(`${app.url}/v3/tasks?max_results=100`, { key })
    expect((listed.body.tasks as Json[]).every(({ has_webhook }) => has_webhook)).toBe(true)

    const formats = await task('list_creative_formats', {
      push_notification_config: { url: `${receiver.url}/never`, operation_id: 'op' },
    })
    expect(formats.body.status).toBe('completed')
    expect(await app.count('webhook_deliveries')).toBe(before)
    expect(at('/never')).toEqual([])
  })
})

describe('spec 6.1: an A2A registration', () => {
  test('is notified in the form of A2A, beside the protocol’s own when both are given', async () => {
    const message = (parameters: Json) => ({
      role: 'user',
      messageId: 'm1',
      contextId: 'ctx-1',
      parts: [{ kind: 'data', data: { skill: 'simulate_task', parameters } }],
    })
    const { body } = await call(`${app.url}/a2a`, {
      key,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: {
          configuration: { pushNotificationConfig: { url: `${receiver.url}/a2a`, token: 'mine' } },
          message: message({
            duration_seconds: 0,
            steps: 1,
            push_notification_config: { url: `${receiver.url}/both`, operation_id: 'op-2' },
          }),
        },
      },
    })
    const { id, status } = body.result as { id: string; status: Json }
    expect(status.state).toBe('submitted')
    const [update, final] = await eventually(() => {
      expect(at('/a2a')).toHaveLength(2)
      expect(at('/both')).toHaveLength(2)
      return at('/a2a') as [Received, Received]
    })
    expect(update.body).toMatchObject({
      taskId: id,
      contextId: 'ctx-1',
      status: { state: 'working', message: { parts: [{ kind: 'text' }, { kind: 'data' }] } },
    })
    expect(final.body).toMatchObject({
      id,
      contextId: 'ctx-1',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ kind: 'data', data: { simulated: { steps: 1 } } }] }],
    })
    expect(final.headers['x-a2a-notification-token']).toBe('mine')
    expect(await verified(final)).toMatchObject({ ok: true })
    expect(at('/both').map((one) => one.body.task_id)).toEqual([id, id])

    const got = await call(`${app.url}/a2a`, {
      key,
      body: { jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { id } },
    })
    expect(got.body.result).toMatchObject({ id, status: { state: 'completed' } })
  })

  test('a task that waits for input is answered by a further message', async () => {
    const rpc = (method: string, params: Json) =>
      call(`${app.url}/a2a`, { key, body: { jsonrpc: '2.0', id: 1, method, params } })
    const part = (data: Json) => ({ role: 'user', messageId: 'm', parts: [{ kind: 'data', data }] })
    const sent = await rpc('message/send', {
      message: part({
        skill: 'simulate_task',
        parameters: { duration_seconds: 0, steps: 1, outcome: 'input-required' },
      }),
    })
    const { id, status } = sent.body.result as { id: string; status: Json }
    expect(status.state).toBe('input-required')
    const answered = await rpc('message/send', { message: { ...part({ go: 'on' }), taskId: id } })
    expect(answered.body).toMatchObject({ result: { id } })
    await eventually(async () => {
      const { body } = await rpc('tasks/get', { id })
      expect(body.result).toMatchObject({
        status: { state: 'completed' },
        artifacts: [{ parts: [{ data: { simulated: { input: { input: { go: 'on' } } } } }] }],
      })
    })
    const late = await rpc('message/send', { message: { ...part({ go: 'on' }), taskId: id } })
    expect(late.body).toMatchObject({ error: { code: -32_004 } })
  })
})

describe('decisions 3: the context of a task that continues is as it was written', () => {
  const CONTEXT = '{ "id":12345678901234567890,"one":1.0,"__proto__":{"a":1},"s":"\\u00e9" }'
  const ECHO = `"context":${CONTEXT}`
  const post = (path: string, body: string) => call(`${app.url}${path}`, { key, body })

  test('in the first answer, in polls and in webhooks', async () => {
    const config = `{"url":"${receiver.url}/written","operation_id":"op","token":"${'t'.repeat(16)}"}`
    const first = await post(
      '/v3/simulate_task',
      `{"duration_seconds":0,"steps":1,"context":${CONTEXT},"push_notification_config":${config}}`,
    )
    expect(first.status).toBe(202)
    expect(first.text).toContain(ECHO)
    await eventually(() => expect(at('/written')).toHaveLength(2))
    for (const one of at('/written')) {
      expect(one.raw.toString()).toContain(ECHO)
      expect(one.body.token).toBe('t'.repeat(16))
      expect(await verified(one)).toMatchObject({ ok: true })
    }
    const { task_id } = first.body as { task_id: string }
    expect((await call(`${app.url}/v3/tasks/${task_id}`, { key })).text).toContain(ECHO)
    const own = await post('/v3/get_task_status', `{"task_id":"${task_id}","context":{"mine":2.0}}`)
    expect(own.text).toContain('"context":{"mine":2.0}')
    expect(own.text).not.toContain(CONTEXT)
  })

  test('over A2A, in its own form of a webhook too', async () => {
    const send = (parameters: string) =>
      post(
        '/a2a',
        `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"configuration":{"pushNotificationConfig":
          {"url":"${receiver.url}/written-a2a"}},"message":{"role":"user","messageId":"m","parts":[{"kind":"data",
          "data":{"skill":"simulate_task","parameters":${parameters}}}]}}}`,
      )
    const first = await send(`{"duration_seconds":0,"steps":1,"context":${CONTEXT}}`)
    expect(first.text).toContain(ECHO)
    await eventually(() => expect(at('/written-a2a')).toHaveLength(2))
    for (const { raw } of at('/written-a2a')) expect(raw.toString()).toContain(ECHO)
    const { id } = first.body.result as { id: string }
    const got = await post(
      '/a2a',
      `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"${id}"}}`,
    )
    expect(got.text).toContain('"state":"completed"')
    expect(got.text).toContain(ECHO)
  })
})

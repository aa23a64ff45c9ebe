// A task that its buyer is notified of by webhook, registered over each transport: it arrives once for each
// registration, in the form of the transport on which it was registered (spec 6.1).

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

type Json = Record<string, unknown>

let app: TestApp
let key: string
let hooks: string
const received: { path: string; body: Json }[] = []
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  received.push({
    path: request.url ?? '',
    body: JSON.parse(String(Buffer.concat(chunks))) as Json,
  })
  response.end()
})

beforeAll(async () => {
  app = await startApp({ config: { demo: true, console: false, signalsModel: false } })
  key = await app.principal()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(async () => {
  await app.stop()
  receiver.closeAllConnections()
  receiver.close()
})

const WORK = { duration_seconds: 0, steps: 1 }
const rpc = (method: string, params: Json) => ({ jsonrpc: '2.0', id: 1, method, params })
const post = (path: string, body: Json) => call(`${app.url}${path}`, { key, body })
let messages = 0

/** How a task is called over each transport, and in both generations of A2A. */
const TRANSPORTS = {
  HTTP: (request: Json) => post('/v3/simulate_task', request),
  MCP: (request: Json) =>
    post('/mcp', rpc('tools/call', { name: 'simulate_task', arguments: request })),
  'A2A 0.3': (parameters: Json, configuration?: Json) => {
    const parts = [{ kind: 'data', data: { skill: 'simulate_task', parameters } }]
    const message = { kind: 'message', role: 'user', messageId: `m-${++messages}`, parts }
    return post('/a2a', rpc('message/send', { message, ...(configuration && { configuration }) }))
  },
  'A2A 1.0': (input: Json, configuration?: Json) => {
    const parts = [{ data: { skill: 'simulate_task', input } }]
    const message = { role: 'ROLE_USER', messageId: `m-${++messages}`, parts }
    return post('/a2a', rpc('SendMessage', { message, ...(configuration && { configuration }) }))
  },
}
/** The generations of a request: as the specification shows it, and as 3.x has it. */
const GENERATIONS: readonly (readonly [string, () => Json])[] = [
  ['no release', () => ({})],
  ['3.0', () => ({ proto_version: '3.0', idempotency_key: `hooks-${++messages}-0123456789` })],
  ['3.2', () => ({ proto_version: '3.2', idempotency_key: `hooks-${++messages}-0123456789` })],
]

const at = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)

describe('a push_notification_config of the request is notified in the form of webhooks:', () => {
  const rows = Object.keys(TRANSPORTS).flatMap((transport) =>
    GENERATIONS.map(
      ([generation, pin]) => [transport as keyof typeof TRANSPORTS, generation, pin] as const,
    ),
  )
  test.each(rows)('%s, %s', async (transport, generation, pin) => {
    const path = `/${transport}-${generation}`.replaceAll(' ', '-')
    const push_notification_config = { url: `${hooks}${path}`, operation_id: 'op-1' }
    await TRANSPORTS[transport]({ ...WORK, ...pin(), push_notification_config })
    await eventually(() => {
      expect(at(path).map(({ status }) => status)).toEqual(['working', 'completed'])
    })
    for (const body of at(path)) {
      expect(body).toMatchObject({ operation_id: 'op-1', task_type: 'simulate_task' })
      expect(body.protocol).toBe(body.domain)
    }
    expect(new Set(at(path).map(({ idempotency_key }) => idempotency_key)).size).toBe(2)
  })
})

describe('a registration of A2A itself is notified in its own form:', () => {
  test('0.3: updates of a status, and the task when it has ended', async () => {
    const configuration = { pushNotificationConfig: { url: `${hooks}/own-03` } }
    await TRANSPORTS['A2A 0.3'](WORK, configuration)
    await eventually(() => expect(at('/own-03')).toHaveLength(2))
    expect(at('/own-03')).toMatchObject([
      { kind: 'status-update', status: { state: 'working' } },
      { kind: 'task', status: { state: 'completed' }, artifacts: [{}] },
    ])
  })

  test('1.0: the same, each in its wrapper', async () => {
    const configuration = { taskPushNotificationConfig: { id: 'mine', url: `${hooks}/own-10` } }
    await TRANSPORTS['A2A 1.0'](WORK, configuration)
    await eventually(() => expect(at('/own-10')).toHaveLength(2))
    expect(at('/own-10')).toMatchObject([
      { statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } },
      { task: { status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{}] } },
    ])
  })

  test('a caller that registers both ways is notified once by each', async () => {
    const push_notification_config = { url: `${hooks}/both-webhook`, operation_id: 'op-both' }
    const configuration = { pushNotificationConfig: { url: `${hooks}/both-a2a` } }
    await TRANSPORTS['A2A 0.3']({ ...WORK, push_notification_config }, configuration)
    await eventually(() => {
      expect(at('/both-webhook').map(({ status }) => status)).toEqual(['working', 'completed'])
      expect(at('/both-a2a').map(({ kind }) => kind)).toEqual(['status-update', 'task'])
    })
  })
})

test('nothing came twice', () => {
  const reported = received.map(({ path, body }) => `${path} ${JSON.stringify(body)}`)
  expect(new Set(reported).size).toBe(reported.length)
  expect(reported).toHaveLength(2 * (Object.keys(TRANSPORTS).length * GENERATIONS.length + 4))
})

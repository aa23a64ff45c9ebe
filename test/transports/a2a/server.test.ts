import { afterAll, beforeAll, expect, test } from 'vitest'
import { type A2aServer, a2aServer } from '../../support/a2a-server.ts'
import { eventually } from '../../support/eventually.ts'
import { ALICE_KEY, BOB_KEY, SECRET_MESSAGE } from '../../support/test-agent.ts'

let server: A2aServer
beforeAll(async () => {
  server = await a2aServer()
})
afterAll(() => server.close())

const post = async (body: unknown, key?: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/a2a`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { response, status: response.status, text, body: text ? JSON.parse(text) : undefined }
}
const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 'r-1', method, params })
const data = (value: unknown) => ({ kind: 'data', data: value })
const send = (part: unknown, configuration?: object, message: object = {}) =>
  rpc('message/send', {
    message: { kind: 'message', messageId: 'm', role: 'user', parts: [part], ...message },
    ...(configuration ? { configuration } : {}),
  })

test('the card serves readers of both generations, at both paths', async () => {
  for (const path of ['agent-card.json', 'agent.json']) {
    const response = await fetch(`${server.url}/.well-known/${path}`)
    expect(response.status).toBe(200)
    const url = `${server.url}/a2a`
    const card = (await response.json()) as { skills: { id: string }[] }
    expect(card).toMatchObject({
      protocolVersion: '0.3.0',
      url,
      preferredTransport: 'JSONRPC',
      supportedInterfaces: [
        { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      capabilities: { streaming: false, pushNotifications: true },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    })
    const [greet, , whoami] = card.skills
    expect(greet).toMatchObject({ id: 'greet', description: 'Greets whoever is named.' })
    expect(greet).not.toHaveProperty('security')
    expect(whoami).toMatchObject({ id: 'whoami', security: [{ bearer: [] }] })
  }
})

test('spec 4.2: a data part with a skill becomes a task with its answer in a data part', async () => {
  const { status, body } = await post(send(data({ skill: 'greet', parameters: { who: 'curl' } })))
  expect(status).toBe(200)
  expect(body).toMatchObject({ jsonrpc: '2.0', id: 'r-1' })
  expect(body.result).toEqual({
    kind: 'task',
    id: expect.any(String),
    contextId: expect.any(String),
    status: { state: 'completed', timestamp: expect.stringMatching(/^\d{4}-.*Z$/) },
    artifacts: [
      {
        artifactId: 'result',
        name: 'greet',
        parts: [data({ status: 'completed', proto_version: '3.1', greeting: 'hello curl' })],
      },
    ],
  })
})

test.each([
  ['input instead of parameters', data({ skill: 'greet', input: { who: 'you' } })],
  ['a part without its kind', { data: { skill: 'greet', parameters: { who: 'you' } } }],
  ['JSON in a text part', { kind: 'text', text: '{"skill":"greet","input":{"who":"you"}}' }],
])('%s is understood', async (_what, part) => {
  const { body } = await post(send(part))
  expect(body.result.artifacts[0].parts[0].data).toMatchObject({ greeting: 'hello you' })
})

test('1.0 has its own shapes, also without the version header', async () => {
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data: { skill: 'greet' } }] }
  const { body } = await post(rpc('SendMessage', { message }))
  expect(body.result.task).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ parts: [{ data: { greeting: 'hello world' } }] }],
  })
  expect(body.result.task.artifacts[0].parts[0]).not.toHaveProperty('kind')
})

test('the context of a conversation is kept, and one is made where there is none', async () => {
  const part = data({ skill: 'greet' })
  const { body } = await post(send(part, undefined, { contextId: 'ctx-9' }))
  expect(body.result.contextId).toBe('ctx-9')
})

test.each([
  ['text', { kind: 'text', text: 'please greet me' }, 'no part of the message is a call'],
  ['an unknown skill', data({ skill: 'sing' }), 'unknown skill \\"sing\\"'],
  ['a skill of the prototype', data({ skill: 'constructor' }), 'unknown skill'],
])('%s fails with the skills named', async (_what, part, fault) => {
  const { status, text, body } = await post(send(part))
  expect(status).toBe(200)
  expect(body.result.status.state).toBe('failed')
  expect(body.result.artifacts[0].parts[0].data).toMatchObject({
    status: 'failed',
    errors: [{ code: 'INVALID_REQUEST' }],
    proto_error: { code: 'INVALID_REQUEST' },
  })
  expect(text).toContain(fault)
  expect(text).toContain('the skills are greet, say_hello, whoami')
})

test('what a task threw is never in the answer', async () => {
  const { body, text } = await post(send(data({ skill: 'break_down' })))
  expect(body.result.status.state).toBe('failed')
  expect(text).not.toContain(SECRET_MESSAGE)
})

test('no key is 401 with a challenge, and the body says so without what was sent', async () => {
  const parameters = { context: { a: 1 } }
  const message = send(data({ skill: 'whoami', parameters }), { blocking: false })
  const { status, body, response } = await post(message)
  expect(status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
  expect(body.result.status.state).toBe('failed')
  const answer = body.result.artifacts[0].parts[0].data
  expect(answer).toMatchObject({ proto_error: { code: 'AUTH_MISSING' } })
  expect(answer).not.toHaveProperty('context')
})

test('a bad key is 401 whatever the message says, before it is read', async () => {
  for (const message of [
    send(data({ skill: 'whoami' })),
    rpc('tasks/get', { id: 'x' }),
    '{"no":',
  ]) {
    const { status, body, response } = await post(message, 'adw_0000000000000000000')
    expect(status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(body).toMatchObject({
      id: null,
      error: { code: -32028, data: { status: 'failed', proto_error: { code: 'AUTH_INVALID' } } },
    })
  }
})

test('spec 7: what cannot be called, or was refused, is not kept with what was sent', async () => {
  const context = { large: 'x'.repeat(50_000) }
  const unknown = await post(send(data({ skill: 'sing', parameters: { context } })), ALICE_KEY)
  expect(unknown.body.result.status.state).toBe('failed')
  const again = await post(rpc('tasks/get', { id: unknown.body.result.id }), ALICE_KEY)
  expect(again.body.error.code).toBe(-32001)

  const parameters = { who: 7, context }
  const refused = await post(send(data({ skill: 'greet', parameters })), ALICE_KEY)
  expect(refused.body.result.artifacts[0].parts[0].data).toMatchObject({ context })
  const kept = await server.tasks.get('prn_alice', refused.body.result.id)
  expect(kept?.body?.length).toBeLessThan(2_000)
})

test('what was accepted for later says so in its status message and can be requested', async () => {
  const { body } = await post(send(data({ skill: 'submit' })), ALICE_KEY)
  expect(body.result.status).toMatchObject({
    state: 'submitted',
    message: { role: 'agent', parts: [data({ status: 'submitted', task_id: 'task_later' })] },
  })
  const again = await post(rpc('tasks/get', { id: body.result.id }), ALICE_KEY)
  expect(again.body.result).toEqual(body.result)
  // There is no cancel_task in the table of this agent.
  const cancel = await post(rpc('tasks/cancel', { id: body.result.id }), ALICE_KEY)
  expect(cancel.body.error.code).toBe(-32002)
})

test('without a key nothing is kept', async () => {
  const { body } = await post(send(data({ skill: 'greet' }), { blocking: false }))
  expect(body.result.status.state).toBe('completed')
  const again = await post(rpc('tasks/get', { id: body.result.id }))
  expect(again.body.error).toMatchObject({ code: -32001, message: 'Task not found' })
})

test("someone else's task and a missing one look the same", async () => {
  const { body } = await post(send(data({ skill: 'whoami' })), ALICE_KEY)
  for (const method of ['tasks/get', 'tasks/cancel', 'GetTask', 'CancelTask']) {
    const foreign = await post(rpc(method, { id: body.result.id }), BOB_KEY)
    const missing = await post(rpc(method, { id: 'none' }), BOB_KEY)
    expect(foreign.text).toBe(missing.text)
    expect(foreign.body.error.code).toBe(-32001)
  }
})

test('a message that would continue a task is refused', async () => {
  const { body } = await post(send(data({ skill: 'whoami' })), ALICE_KEY)
  const part = data({ skill: 'greet' })
  const own = await post(send(part, undefined, { taskId: body.result.id }), ALICE_KEY)
  expect(own.body.error.code).toBe(-32004)
  const foreign = await post(send(part, undefined, { taskId: body.result.id }), BOB_KEY)
  expect(foreign.body.error.code).toBe(-32001)
})

test('spec 2.9: a push notification config of a message is registered for its task', async () => {
  const pushNotificationConfig = { url: 'https://buyer.example/hook', token: 'token-secret' }
  const { body, text } = await post(
    send(data({ skill: 'submit' }), { pushNotificationConfig }),
    ALICE_KEY,
  )
  expect(text).not.toContain('token-secret')
  const { id } = body.result
  const list = await post(rpc('tasks/pushNotificationConfig/list', { id }), ALICE_KEY)
  expect(list.body.result).toEqual([
    {
      taskId: id,
      pushNotificationConfig: { id: expect.any(String), url: pushNotificationConfig.url },
    },
  ])
  const unnamed = await post(rpc('tasks/pushNotificationConfig/get', { id }), ALICE_KEY)
  expect(unnamed.body.result).toEqual(list.body.result[0])
})

test.each([
  ['a private address', { url: 'https://127.0.0.1/hook' }],
  ['plain http', { url: 'http://buyer.example/hook' }],
  ['no url', {}],
  ['a token that is no string', { url: 'https://buyer.example/hook', token: { a: 1 } }],
])(
  'a push notification config with %s is refused before anything is called',
  async (_w, config) => {
    const { body } = await post(
      send(data({ skill: 'submit' }), { pushNotificationConfig: config }),
      ALICE_KEY,
    )
    expect(body.error.code).toBe(-32602)
  },
)

test('a push notification config without a key is refused', async () => {
  const pushNotificationConfig = { url: 'https://buyer.example/hook' }
  const { body } = await post(send(data({ skill: 'greet' }), { pushNotificationConfig }))
  expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('key') })
})

test('a task has at most ten push registrations', async () => {
  const { body } = await post(send(data({ skill: 'submit' })), ALICE_KEY)
  const taskId = body.result.id
  const set = (id: string) =>
    post(
      rpc('tasks/pushNotificationConfig/set', {
        taskId,
        pushNotificationConfig: { id, url: 'https://buyer.example/hook' },
      }),
      ALICE_KEY,
    )
  for (let index = 0; index < 10; index++) {
    expect((await set(`c${index}`)).body).toHaveProperty('result')
  }
  expect((await set('c10')).body.error.code).toBe(-32602)
})

test('a principal has a limited number of calls at once that it does not wait for, and then must wait', async () => {
  const busy = await a2aServer()
  const first = server
  server = busy
  try {
    const leave = () => post(send(data({ skill: 'wait' }), { blocking: false }), ALICE_KEY)
    // All at once, so that none has begun when the others are checked.
    const left = await Promise.all(Array.from({ length: 120 }, leave))
    expect(left.filter(({ status }) => status === 200)).toHaveLength(100)
    const refused = await leave()
    expect([refused.status, refused.response.headers.get('retry-after')]).toEqual([429, '5'])
    expect(refused.body.error.data).toMatchObject({ proto_error: { code: 'RATE_LIMITED' } })
    const other = await post(send(data({ skill: 'wait' }), { blocking: false }), BOB_KEY)
    expect(other.status).toBe(200)
    busy.gate.open()
    await eventually(async () => expect((await leave()).status).toBe(200))
  } finally {
    server = first
    await busy.close()
  }
})

test('a task that was lost with its instance is returned as failed', async () => {
  const lost = await a2aServer()
  const first = server
  server = lost
  try {
    const { body } = await post(send(data({ skill: 'wait' }), { blocking: false }), ALICE_KEY)
    const poll = () => post(rpc('tasks/get', { id: body.result.id }), ALICE_KEY)
    expect((await poll()).body.result.status.state).toBe('working')
    lost.clock.advance(80_000)
    expect((await poll()).body.result).toMatchObject({
      status: { state: 'failed' },
      artifacts: [{ parts: [{ data: { proto_error: { code: 'SERVICE_UNAVAILABLE' } } }] }],
    })
    const cancel = await post(rpc('tasks/cancel', { id: body.result.id }), ALICE_KEY)
    expect(cancel.body.error.code).toBe(-32002)
  } finally {
    server = first
    await lost.close()
  }
})

test('an answer that comes after a cancellation does not undo it', async () => {
  const other = await a2aServer()
  const first = server
  server = other
  try {
    const { body } = await post(send(data({ skill: 'wait' }), { blocking: false }), ALICE_KEY)
    await post(rpc('tasks/cancel', { id: body.result.id }), ALICE_KEY)
    other.gate.open()
    await eventually(async () => {
      const stored = await other.tasks.get('prn_alice', body.result.id)
      expect(stored).toMatchObject({ state: 'canceled', body: undefined })
    })
    expect(other.faults).toEqual([])
  } finally {
    server = first
    await other.close()
  }
})

test.each([
  ['broken JSON', '{"jsonrpc":', 400, -32700],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tasks/get"}]', 200, -32600],
  ['no version', '{"id":1,"method":"tasks/get"}', 200, -32600],
  ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"toString"}', 200, -32601],
  ['no message', '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}', 200, -32602],
  ['no params', '{"jsonrpc":"2.0","id":1,"method":"SendMessage"}', 200, -32602],
  [
    'parts that are no list',
    '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"parts":{}}}}',
    200,
    -32602,
  ],
  [
    'a context that is no string',
    '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"contextId":{},"parts":[]}}}',
    200,
    -32602,
  ],
  ['a stream', '{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{}}', 200, -32004],
  ['the extended card', '{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard"}', 200, -32007],
])('%s is reported as JSON-RPC', async (_what, text, status, code) => {
  const answered = await post(text)
  expect(answered.status).toBe(status)
  expect(answered.body).toMatchObject({ jsonrpc: '2.0', error: { code } })
})

test('another version of A2A is refused', async () => {
  const { body } = await post(send(data({ skill: 'greet' })), undefined, { 'a2a-version': '2.0' })
  expect(body.error.code).toBe(-32009)
})

test('a request beyond the limit is 413; a task with a larger one has it here too', async () => {
  const filler = 'x'.repeat(100 * 1_024)
  const refused = await post(send(data({ skill: 'greet', parameters: { filler } })))
  expect(refused.status).toBe(413)
  expect(refused.body.error.message).toContain('65536')
  expect((await post(send(data({ skill: 'large', parameters: { filler } })))).status).toBe(200)
  const { status } = await post(
    send(data({ skill: 'large', parameters: { filler: filler.repeat(3) } })),
  )
  expect(status).toBe(413)
})

test('GET is 405 in JSON', async () => {
  const response = await fetch(`${server.url}/a2a`)
  expect(response.status).toBe(405)
  expect(await response.json()).toHaveProperty('error')
})

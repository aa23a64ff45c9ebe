import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type A2aServer, a2aServer } from '../../support/a2a-server.ts'
import { ALICE_KEY, IDENTIFIERS } from '../../support/test-agent.ts'

let server: A2aServer
beforeAll(async () => {
  server = await a2aServer()
})
afterAll(() => server.close())

const PROFILE = IDENTIFIERS.a2aProfile
const ACTIVE = { 'a2a-version': '1.0', 'a2a-extensions': `https://x.example/trace, ${PROFILE}` }

const post = async (
  { path = '/a2a', method, params }: { path?: string; method: string; params: unknown },
  headers: Record<string, string> = {},
) => {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${ALICE_KEY}`,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return { response, body: JSON.parse(await response.text()) }
}
const message = (parts: unknown[], more: object = {}) => ({
  message: { messageId: 'm-1', role: 'ROLE_USER', parts, ...more },
})
const invoke = (data: unknown, more: object = {}) => message([{ data }], more)
const greet = { skill: 'greet', input: { who: 'you' } }
const send = (params: unknown, headers: Record<string, string> = ACTIVE, path = '/a2a/v3') =>
  post({ path, method: 'SendMessage', params }, headers)
const old = (skill: string, parameters: object, more: object = {}) =>
  post({
    method: 'message/send',
    params: {
      message: {
        kind: 'message',
        messageId: 'm',
        role: 'user',
        ...more,
        parts: [{ kind: 'data', data: { skill, parameters } }],
      },
    },
  })
interface Returned {
  artifacts: [{ parts: [{ data: object }] }]
}
const bodyOf = (task: Returned) => task.artifacts[0].parts[0].data

test('A2A profile: cards name the extension under capabilities, without parameters, and every task by its id', async () => {
  for (const [path, required] of [
    ['/.well-known/agent-card.json', false],
    ['/a2a/v3/.well-known/agent-card.json', true],
  ] as const) {
    const card = JSON.parse(await (await fetch(`${server.url}${path}`)).text())
    expect(card).not.toHaveProperty('extensions')
    expect(card.capabilities.extensions).toEqual([
      { uri: PROFILE, description: expect.any(String), required },
    ])
    expect(card.skills.map(({ id }: { id: string }) => id)).toContain('greet')
    if (!required) continue
    const url = `${server.url}/a2a/v3`
    expect(card.supportedInterfaces).toEqual([
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ])
    expect(card.defaultInputModes).toEqual(['application/json'])
  }
})

test('A2A profile: an invocation is answered in a completed task, and the header is echoed', async () => {
  for (const path of ['/a2a', '/a2a/v3']) {
    const parts = [{ text: 'greets' }, { data: greet }]
    const { response, body } = await send(message(parts), ACTIVE, path)
    expect(response.headers.get('a2a-extensions')).toBe(PROFILE)
    expect(body.result.task.status.state).toBe('TASK_STATE_COMPLETED')
    expect(bodyOf(body.result.task)).toMatchObject({ greeting: 'hello you' })
  }
})

test.each([
  ['the extension is not named', {}, invoke(greet), -32008],
  ['another extension is named', { 'a2a-extensions': `${PROFILE}.1` }, invoke(greet), -32008],
  [
    'there is no messageId',
    ACTIVE,
    { message: { role: 'ROLE_USER', parts: [{ data: greet }] } },
    -32602,
  ],
  ['parameters stand for input', ACTIVE, invoke({ skill: 'greet', parameters: {} }), -32602],
  ['there is no input', ACTIVE, invoke({ skill: 'greet' }), -32602],
  ['there is a third member', ACTIVE, invoke({ ...greet, version: 3 }), -32602],
  ['there are two data parts', ACTIVE, message([{ data: greet }, { data: greet }]), -32602],
  ['there is text alone', ACTIVE, message([{ text: JSON.stringify(greet) }]), -32602],
  [
    'a text looks like the call',
    ACTIVE,
    message([{ text: JSON.stringify(greet) }, { data: greet }]),
    -32602,
  ],
  [
    'a file is sent',
    ACTIVE,
    message([{ data: greet }, { url: 'https://x.example/a.mp4' }]),
    -32005,
  ],
  ['the skill is not there', ACTIVE, invoke({ skill: 'sing', input: {} }), -32602],
  ['a number is no double', ACTIVE, invoke({ skill: 'greet', input: { n: 2 ** 53 } }), -32602],
])('A2A profile: it is refused as A2A refuses it when %s', async (_what, headers, params, code) => {
  const { response, body } = await send(params, headers)
  expect(response.status).toBe(200)
  expect(body.error.code).toBe(code)
})

test('A2A profile: 0.3 has no place on its interface, and 3.0 is 3', async () => {
  const params = message([{ kind: 'data', data: greet }])
  const { body } = await post({ path: '/a2a/v3', method: 'message/send', params }, ACTIVE)
  expect(body.error.code).toBe(-32009)
  const whole = await fetch(`${server.url}/a2a/v3`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ACTIVE },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: invoke({ skill: 'greet', input: { proto_major_version: 3 } }),
    }).replace(':3}', ':3.0}'),
  })
  expect(await whole.json()).toMatchObject({
    result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
  })
})

test('A2A profile: work that continues leaves a completed task whose id is in the answer alone', async () => {
  const { body } = await send(invoke({ skill: 'submit', input: {} }))
  const { task } = body.result
  expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  expect(bodyOf(task)).toMatchObject({ status: 'submitted', task_id: 'task_later' })
  expect(task.artifacts[0]).not.toHaveProperty('metadata')
  const again = await post({ method: 'GetTask', params: { id: task.id } }, ACTIVE)
  expect(again.body.result).toEqual(task)
  const on = { taskId: task.id, contextId: task.contextId }
  const further = await send(invoke({ skill: 'submit', input: {} }, on))
  expect(further.body.error.code).toBe(-32004)
})

test('spec 7: a refusal is an answer for who names a release, and what broke is none', async () => {
  const refused = await old('greet', { who: 7, proto_major_version: 3, context: { a: 1 } })
  expect(refused.body.result.status.state).toBe('completed')
  expect(bodyOf(refused.body.result)).toMatchObject({
    status: 'failed',
    proto_error: { code: 'INVALID_REQUEST' },
    context: { a: 1 },
  })
  const broken = await old('break_down', { proto_major_version: 3 })
  expect(broken.body.result.status.state).toBe('failed')
  const unknown = await old('sing', { proto_major_version: 3 })
  expect(unknown.body.result.status.state).toBe('failed')
  const unversioned = await old('greet', { who: 7 })
  expect(unversioned.body.result.status.state).toBe('failed')
})

test('spec 3.2: a caller that names a release is informed of work that continues in the answer and in the metadata', async () => {
  const { body } = await old('submit', { proto_version: '3.0', idempotency_key: randomUUID() })
  expect(body.result.status.state).toBe('completed')
  expect(bodyOf(body.result)).toMatchObject({ status: 'submitted', task_id: 'task_later' })
  expect(body.result.artifacts[0].metadata).toEqual({ proto_task_id: 'task_later' })
})

test('spec 3.2: a whole call that names an ended task is a call of its own in that conversation', async () => {
  const { body } = await old('submit', { proto_version: '3.0', idempotency_key: randomUUID() })
  const { id, contextId } = body.result
  const next = await old('greet', { proto_version: '3.0' }, { taskId: id })
  expect(next.body.result).toMatchObject({ contextId, status: { state: 'completed' } })
  expect(next.body.result.id).not.toBe(id)
  const none = await old('greet', { proto_version: '3.0' }, { taskId: 'none' })
  expect(none.body.error.code).toBe(-32001)
})

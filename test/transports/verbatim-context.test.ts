// The context of a request comes back as it was written, over every transport and in every form of the answer.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type A2aServer, a2aServer } from '../support/a2a-server.ts'
import { ALICE_KEY } from '../support/test-agent.ts'

let server: A2aServer
beforeAll(async () => {
  server = await a2aServer()
})
afterAll(() => server.close())

async function post(path: string, body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ALICE_KEY}` },
    body,
  })
  return { status: response.status, text: await response.text() }
}

const rpc = (method: string, params: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
const mcpCall = (task: string, request: string) =>
  rpc('tools/call', `{"name":"${task}","arguments":${request}}`)
const a2aPart = (part: string, role = '"kind":"message","role":"user"') =>
  rpc(
    'message/send',
    `{"message":{${role},"messageId":"m","parts":[{"kind":"text","text":"hi"},${part}]}}`,
  )

const TRANSPORTS: readonly [string, string, (task: string, request: string) => string][] = [
  ['HTTP', '', (_task, request) => request],
  ['MCP', '/mcp', mcpCall],
  [
    'an MCP batch',
    '/mcp',
    (task, request) => `[${mcpCall('greet', '{}')},${mcpCall(task, request)}]`,
  ],
  [
    'A2A',
    '/a2a',
    (task, request) => a2aPart(`{"data":{"skill":"${task}","parameters":${request}}}`),
  ],
  [
    'A2A’s other name',
    '/a2a',
    (task, request) => a2aPart(`{"data":{"skill":"${task}","input":${request}}}`),
  ],
  [
    'A2A as text',
    '/a2a',
    (task, request) =>
      a2aPart(`{"text":${JSON.stringify(`{"skill":"${task}","parameters":${request}}`)}}`),
  ],
]
const CONTEXT =
  '{ "id":12345678901234567890,"big":1e400,"one":1.0,"__proto__":{"a":1},"s":"\\u00e9\\ud800" }'

describe.each(TRANSPORTS)(
  'decisions 3: %s sends the context back as it was written',
  (_transport, path, wrap) => {
    test.each(['greet', 'refuse', 'break_down', 'submit', 'large'])('by %s', async (task) => {
      const request = `{"who":"x","context":${CONTEXT},"idempotency_key":"0123456789abcdef"}`
      const { text } = await post(path || `/v3/${task}`, wrap(task, request))
      expect(text).toContain(`"context":${CONTEXT}`)
      if (path === '/mcp') {
        // Also where the answer is quoted as text.
        expect(text).toContain(JSON.stringify(`"context":${CONTEXT}`).slice(1, -1))
      }
    })
  },
)

test('A2A gives the context of a kept task as it was written', async () => {
  const request = a2aPart(`{"data":{"skill":"whoami","parameters":{"context":${CONTEXT}}}}`)
  const sent = await post('/a2a', request)
  const { id } = (JSON.parse(sent.text) as { result: { id: string } }).result
  const got = await post('/a2a', rpc('tasks/get', `{"id":"${id}"}`))
  expect(got.text).toContain(`"context":${CONTEXT}`)
})

test('a name that changes prototypes is refused everywhere else, and the answer says which', async () => {
  const { status, text } = await post('/v3/greet', '{"ext":{"__proto__":{"a":1}}}')
  expect(status).toBe(400)
  expect(JSON.parse(text).errors[0]).toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'a member must not be called __proto__',
  })
})

test.each(['null', '[]', '"text"', '7'])(
  'the body %s is refused: a request is an object',
  async (body) => {
    const { status, text } = await post('/v3/greet', body)
    expect(status).toBe(400)
    expect(JSON.parse(text).errors[0]).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('must be a JSON object, not '),
      suggestion: expect.stringContaining('{}'),
    })
  },
)

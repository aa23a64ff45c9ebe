// What two readers of one body could read differently is refused on every transport: a key twice, text that is not UTF-8.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type A2aServer, a2aServer } from '../support/a2a-server.ts'
import { ALICE_KEY } from '../support/test-agent.ts'

let server: A2aServer
beforeAll(async () => {
  server = await a2aServer()
})
afterAll(() => server.close())

const JSON_TYPE = 'application/json'

async function post(path: string, body: string | Buffer, contentType = JSON_TYPE) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': contentType, authorization: `Bearer ${ALICE_KEY}` },
    body: Buffer.from(body),
  })
  return { status: response.status, text: await response.text() }
}

const rpc = (method: string, params: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
const mcp = (request: string) => rpc('tools/call', `{"name":"greet","arguments":${request}}`)
const a2a = (part: string) =>
  rpc(
    'message/send',
    `{"message":{"kind":"message","role":"user","messageId":"m","parts":[${part}]}}`,
  )

const TRANSPORTS: readonly [string, string, (request: string) => string][] = [
  ['HTTP', '/v3/greet', (request) => request],
  ['MCP', '/mcp', mcp],
  ['an MCP batch', '/mcp', (request) => `[${mcp('{"who":"x"}')},${mcp(request)}]`],
  ['A2A', '/a2a', (request) => a2a(`{"data":{"skill":"greet","parameters":${request}}}`)],
  [
    'A2A as text',
    '/a2a',
    (request) => a2a(`{"text":${JSON.stringify(`{"skill":"greet","parameters":${request}}`)}}`),
  ],
]

describe.each(TRANSPORTS)('over %s', (_transport, path, wrap) => {
  test.each([
    ['at the top', '{"who":"Ann","who":"Bob"}', 'who'],
    ['deep inside', '{"who":"Ann","ext":{"a":[{"sum":1,"sum":1}]}}', 'sum'],
    ['in the context', '{"who":"Ann","context":{"id":1,"id":2}}', 'id'],
    ['in another spelling', '{"who":"Ann","\\u0077ho":"Bob"}', 'who'],
  ])('a key twice %s is refused, and the answer names the key', async (_where, request, key) => {
    const { status, text } = await post(path, wrap(request))
    expect(text).toContain(`has a key twice: ${key}; send each key once`)
    // JSON-RPC answers a message that it could read with 200.
    expect([400, 200]).toContain(status)
    if (path !== '/a2a') expect(status).toBe(400)
  })

  test('the same key in different objects is none', async () => {
    const request = '{"who":"Ann","ext":{"who":"Bob","list":[{"who":1},{"who":2}]}}'
    const { status, text } = await post(path, wrap(request))
    expect(status).toBe(200)
    expect(text).not.toContain('twice')
  })

  test.each(['iso-8859-1', 'UTF-16', '"windows-1252"'])(
    'the charset %s is refused, and UTF-8 is what is accepted',
    async (charset) => {
      const type = `${JSON_TYPE}; charset=${charset}`
      const { status, text } = await post(path, wrap('{"who":"Ann"}'), type)
      expect(status).toBe(400)
      expect(text).toContain(
        `the charset must be UTF-8 (got ${charset.replaceAll('"', '').toLowerCase()})`.slice(0, 30),
      )
    },
  )

  test.each(['utf-8', 'UTF-8', '"utf-8"', 'us-ascii'])(
    'the charset %s is accepted',
    async (charset) => {
      const type = `${JSON_TYPE}; charset=${charset}`
      expect((await post(path, wrap('{"who":"Ann"}'), type)).status).toBe(200)
    },
  )

  test('bytes that are not UTF-8 are refused', async () => {
    const { status, text } = await post(path, Buffer.from(wrap('{"who":"é"}'), 'latin1'))
    expect(status).toBe(400)
    expect(text).toContain('the body is not valid UTF-8')
  })
})

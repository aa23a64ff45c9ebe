// What a caller learns of a call that is wrong, or only nearly right, over every transport.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boundedErrors } from '../../src/protocol/error-limits.ts'
import { ERROR_CODES, type ErrorCode, taskError } from '../../src/protocol/errors.ts'
import { type A2aServer, a2aServer } from '../support/a2a-server.ts'

let server: A2aServer
beforeAll(async () => {
  server = await a2aServer()
})
afterAll(() => server.close())

type Json = Record<string, unknown>

async function send(path: string, body: unknown, method = 'POST') {
  const response = await fetch(server.url + path, {
    method,
    ...(method === 'GET'
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}
const rpc = (method: string, params: Json) => ({ jsonrpc: '2.0', id: 1, method, params })

/** The same request over each transport, and where its answer stands. */
const TRANSPORTS: readonly [string, (task: string, request: Json) => Promise<Json>][] = [
  ['HTTP', async (task, request) => (await send(`/v3/${task}`, request)).body],
  [
    'MCP',
    async (name, request) => {
      const { body } = await send('/mcp', rpc('tools/call', { name, arguments: request }))
      return (body.result as { structuredContent: Json }).structuredContent
    },
  ],
  [
    'A2A',
    async (skill, parameters) => {
      const parts = [{ data: { skill, parameters } }]
      const { body } = await send(
        '/a2a',
        rpc('message/send', { message: { messageId: 'm', parts } }),
      )
      const { artifacts } = body.result as { artifacts: { parts: { data: Json }[] }[] }
      return artifacts[0]?.parts[0]?.data as Json
    },
  ],
]

describe.each(TRANSPORTS)('%s', (_transport, call) => {
  test('spec 7.2: a failed call has code, message, field and suggestion', async () => {
    expect(await call('large', { filler: 7 })).toMatchObject({
      status: 'failed',
      errors: [
        {
          code: 'INVALID_REQUEST',
          message: expect.any(String),
          field: '/filler',
          suggestion: expect.stringMatching(/\w/),
        },
      ],
    })
    expect(await call('break_down', {})).toMatchObject({
      errors: [{ code: 'SERVICE_UNAVAILABLE', suggestion: expect.stringMatching(/^Retry/) }],
    })
  })

  test('a misspelt member is reported beside the answer, also beside one kept ready', async () => {
    const notes = ['/fillr is not read: did you mean filler?']
    const large = await call('large', { fillr: 'x' })
    expect(large).toMatchObject({ status: 'completed', ext: { request_notes: notes } })
    expect(large.rows).toHaveLength(1_000)
    expect(await call('large', { filler: 'x' })).not.toHaveProperty('ext')
    expect(await call('refuse', { contxt: {} })).toMatchObject({
      status: 'failed',
      ext: { request_notes: ['/contxt is not read: did you mean context?'] },
    })
  })

  test('a misspelt member is what to do about a request that is refused', async () => {
    expect(await call('large', { fillr: 'x', filler: 7 })).toMatchObject({
      errors: [{ suggestion: '/fillr is not read: did you mean filler?' }],
    })
  })
})

/** A conflict says nothing that could help to guess the first request. */
const WITHOUT_ADVICE: readonly ErrorCode[] = ['IDEMPOTENCY_CONFLICT']
const ADVISED = (Object.keys(ERROR_CODES) as ErrorCode[]).filter(
  (code) => !WITHOUT_ADVICE.includes(code),
)
test('spec 7: a conflict of keys has no suggestion', () => {
  expect(taskError('IDEMPOTENCY_CONFLICT', 'it failed').suggestion).toBeUndefined()
})

test.each(ADVISED)('%s says what to do', (code) => {
  expect(taskError(code, 'it failed').suggestion).toMatch(/^[A-Z].*\.$/)
  expect(taskError(code, 'it failed', { suggestion: 'do that' }).suggestion).toBe('do that')
})

test('the error that counts the others says what to do as well', () => {
  const errors = Array.from({ length: 200 }, () => taskError('INVALID_REQUEST', 'it is wrong'))
  const [first, ...others] = errors
  for (const error of boundedErrors([first as (typeof errors)[0], ...others])) {
    expect(error.suggestion).toMatch(/\w/)
  }
})

describe('a task that there is not', () => {
  test.each([
    ['whoam', 'whoami'],
    ['say_helo', 'say_hello'],
    ['say-hello', 'say_hello'],
    ['Break_Down', 'break_down'],
  ])(
    '%s: over HTTP it is 404 in the form of a task’s answer, and %s is named',
    async (name, meant) => {
      const { status, body } = await send(`/v3/${name}`, {})
      expect(status).toBe(404)
      expect(body).toMatchObject({
        status: 'failed',
        error: { code: 'INVALID_REQUEST' },
        errors: [
          {
            code: 'INVALID_REQUEST',
            message: expect.stringContaining(`unknown task "${name}": did you mean ${meant}?`),
            suggestion: `Call ${meant}.`,
          },
        ],
        proto_error: { code: 'INVALID_REQUEST' },
      })
    },
  )

  test('with a name that is like none gets the list of all of them', async () => {
    const { status, body } = await send('/v3/nothing_like_it', {}, 'GET')
    expect(status).toBe(404)
    expect(body.errors).toMatchObject([
      { message: expect.stringContaining('the tasks are greet, say_hello, whoami') },
    ])
  })

  test('a task that there is has only POST', async () => {
    expect((await send('/v3/greet', {}, 'GET')).status).toBe(405)
  })

  test('MCP and A2A name the near ones too', async () => {
    const mcp = await send('/mcp', rpc('tools/call', { name: 'whoam', arguments: {} }))
    expect(mcp.body.error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('unknown tool "whoam": did you mean whoami?'),
    })
    const parts = [{ data: { skill: 'whoam' } }]
    const a2a = await send('/a2a', rpc('message/send', { message: { messageId: 'm', parts } }))
    expect(JSON.stringify(a2a.body)).toContain('did you mean whoami?')
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { callAgent } from '../../src/client/call-agent.ts'
import { openAgent } from '../../src/client/open-agent.ts'
import { pauseBeforeRepeat } from '../../src/client/repeat.ts'
import type { RequestSigner } from '../../src/transports/client.ts'
import { type Said, scriptedAgent } from './scripted-agent.ts'

const TRANSPORTS = [
  ['http', '/v3'],
  ['mcp', '/mcp'],
  ['a2a', '/a2a'],
] as const
const LOCAL = { allowPrivate: true, auth: 'adw_key', attempts: 1 }
const failed = (error: object): Said => ({ body: { status: 'failed', errors: [error] } })

describe.each(TRANSPORTS)('over %s', (transport, path) => {
  const RATE = { code: 'RATE_LIMITED', message: 'slowly', recovery: 'transient', retry_after: 7 }
  test.each<[string, Said, object]>([
    ['401 without an answer', { http: 401 }, { kind: 'unauthorized', httpStatus: 401 }],
    [
      'a key that is not in force',
      failed({ code: 'AUTH_INVALID', message: 'no' }),
      {
        kind: 'unauthorized',
        code: 'AUTH_INVALID',
        recovery: 'terminal',
      },
    ],
    ['a rate limit', failed(RATE), { kind: 'refused', ...RATE }],
    [
      'a rate limit of its proxy',
      { http: 429, headers: { 'retry-after': '9' } },
      {
        kind: 'invalid-answer',
        recovery: 'transient',
        retry_after: 9,
        httpStatus: 429,
      },
    ],
    [
      'a refusal',
      failed({ code: 'INVALID_REQUEST', message: 'bad\nline', field: '/a' }),
      {
        kind: 'refused',
        code: 'INVALID_REQUEST',
        message: 'bad line',
        field: '/a',
        recovery: 'correctable',
      },
    ],
    [
      'a task that ended at once',
      { body: { status: 'canceled', message: 'stopped' } },
      {
        kind: 'failed',
      },
    ],
    ['no JSON', { http: 200, text: '<html>' }, { kind: 'invalid-answer', httpStatus: 200 }],
    [
      'JSON that is too deep',
      { http: 200, text: `{"a":${'['.repeat(5_000)}` },
      {
        kind: 'invalid-answer',
      },
    ],
    ['a status that is none', { body: { status: 'resting' } }, { kind: 'invalid-answer' }],
    [
      'a redirect',
      { http: 307, headers: { location: 'http://127.0.0.1:1/' } },
      {
        kind: 'invalid-answer',
        message: expect.stringContaining('redirect'),
      },
    ],
  ])('%s is reported', async (_what, said, error) => {
    const agent = await scriptedAgent({ say: () => said })
    const outcome = await callAgent({ ...LOCAL, agentUrl: agent.url + path, task: 'do_it' })
    expect(outcome).toMatchObject({ ok: false, transport, error })
    expect(outcome.idempotencyKey).toBeDefined()
  })

  test('an agent that is not there is unreachable', async () => {
    const agentUrl = `http://127.0.0.1:1${path}`
    expect(await callAgent({ ...LOCAL, agentUrl, task: 'get_signals' })).toMatchObject({
      ok: false,
      error: { kind: 'unreachable', recovery: 'transient' },
    })
  })

  test('a private address is not reached, unless it is allowed', async () => {
    const agent = await scriptedAgent({ say: () => ({ body: {} }) })
    const outcome = await callAgent({ agentUrl: agent.url + path, task: 'do_it' })
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
    expect(agent.seen).toEqual([])
  })

  test('the time of a call ends it, and so does its caller', async () => {
    const agent = await scriptedAgent({ say: () => new Promise(() => {}) })
    const options = { ...LOCAL, agentUrl: agent.url + path, task: 'do_it' }
    expect(await callAgent({ ...options, timeoutMs: 50 })).toMatchObject({
      ok: false,
      error: { kind: 'timeout' },
    })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    expect(await callAgent({ ...options, signal: stop.signal })).toMatchObject({
      ok: false,
      error: { kind: 'cancelled' },
    })
    expect(await callAgent({ ...options, signal: AbortSignal.abort() })).toMatchObject({
      ok: false,
      error: { kind: 'cancelled' },
    })
  })

  test('also while a task is followed, with what it can be resumed by', async () => {
    const agent = await scriptedAgent({
      say: (task) =>
        task === 'do_it'
          ? { body: { status: 'submitted', task_id: 'task-1' } }
          : { body: { status: 'working', task_id: 'task-1' } },
    })
    const options = { ...LOCAL, agentUrl: agent.url + path, task: 'do_it', pollIntervalMs: 5 }
    expect(await callAgent({ ...options, timeoutMs: 200 })).toMatchObject({
      ok: false,
      taskId: 'task-1',
      error: { kind: 'timeout' },
    })
    const stop = new AbortController()
    const onProgress = () => stop.abort()
    expect(await callAgent({ ...options, signal: stop.signal, onProgress })).toMatchObject({
      ok: false,
      taskId: 'task-1',
      error: { kind: 'cancelled' },
    })
  })

  test('a task that is not there any more ends the polls', async () => {
    const agent = await scriptedAgent({
      say: (task) =>
        task === 'do_it'
          ? { body: { status: 'submitted', task_id: 'task-1' } }
          : failed({ code: 'TASK_NOT_FOUND', message: 'there is no such task' }),
    })
    const options = { ...LOCAL, agentUrl: agent.url + path, task: 'do_it', pollIntervalMs: 5 }
    expect(await callAgent(options)).toMatchObject({
      ok: false,
      taskId: 'task-1',
      error: { code: 'TASK_NOT_FOUND' },
    })
    expect(agent.requests('get_task_status')).toHaveLength(1)
  })

  test('a transient failure is retried under the same idempotency key, and a poll continues', async () => {
    const busy = failed({ code: 'SERVICE_UNAVAILABLE', message: 'not now', recovery: 'transient' })
    const agent = await scriptedAgent({
      say: (task, _request, attempt) => {
        if (task === 'do_it') {
          return attempt < 2 ? busy : { body: { status: 'submitted', task_id: 'task-1' } }
        }
        if (attempt < 3) return attempt < 2 ? { http: 503 } : busy
        return { body: { status: 'completed', task_id: 'task-1', result: { made: 1 } } }
      },
    })
    const options = { ...LOCAL, attempts: 3, agentUrl: agent.url + path, pollIntervalMs: 5 }
    expect(await callAgent({ ...options, task: 'do_it' })).toMatchObject({ ok: true })
    const keys = agent.requests('do_it').map((request) => request.idempotency_key)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  test('every request can be signed, over the bytes that are sent', async () => {
    const agent = await scriptedAgent({ say: () => ({ body: { status: 'completed' } }) })
    const signed: string[] = []
    const signer: RequestSigner = async ({ method, url, headers, body }) => {
      expect(headers['content-type'] ?? 'application/json').toBe('application/json')
      signed.push(`${method} ${new URL(url).pathname} ${body?.byteLength}`)
      return { signature: `sig:${body?.byteLength}` }
    }
    const options = { ...LOCAL, agentUrl: agent.url + path, signer }
    await callAgent({ ...options, task: 'do_it', params: { text: 'größer' } })
    const calls = agent.seen.filter(({ task }) => task === 'do_it')
    expect(calls).toHaveLength(1)
    for (const { headers } of calls) {
      expect(headers.signature).toBe(`sig:${headers['content-length']}`)
    }
    expect(signed.length).toBeGreaterThan(0)

    const broken = async () => Promise.reject(new Error('the key is away'))
    expect(await callAgent({ ...options, signer: broken, task: 'get_x' })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('the key is away') },
    })
  })
})

test('what changes something is not repeated without an idempotency key that can be the same', () => {
  const error = { kind: 'unreachable' as const, message: 'gone', recovery: 'transient' as const }
  const tried = { attempt: 1, attempts: 3, isSafe: true, remainingMs: 60_000 }
  const half = () => 0.5
  expect(pauseBeforeRepeat(error, tried, half)).toBe(375)
  expect(pauseBeforeRepeat(error, { ...tried, attempt: 2 }, half)).toBe(750)
  expect(pauseBeforeRepeat(error, { ...tried, isSafe: false }, half)).toBeUndefined()
  expect(pauseBeforeRepeat(error, { ...tried, attempt: 3 }, half)).toBeUndefined()
  expect(pauseBeforeRepeat({ ...error, retry_after: 4 }, tried, half)).toBe(4_000)
  expect(pauseBeforeRepeat({ ...error, retry_after: 90 }, tried, half)).toBeUndefined()
  expect(pauseBeforeRepeat({ ...error, recovery: 'terminal' }, tried, half)).toBeUndefined()
  expect(pauseBeforeRepeat({ ...error, code: 'CONFLICT' }, tried, half)).toBeUndefined()
  expect(pauseBeforeRepeat({ ...error, kind: 'failed' }, tried, half)).toBeUndefined()
})

describe('answers are held against the schema of their task:', () => {
  const say = (body: Record<string, unknown>) =>
    scriptedAgent({ say: () => ({ body: { status: 'completed', ...body } }) })
  const good = { formats: [], pagination: { has_more: false } }

  test('the first error is reported as a readable message, and the response is available', async () => {
    const agent = await say({ signals: 'none' })
    const opened = openAgent({ ...LOCAL, agentUrl: `${agent.url}/v3` })
    const outcome = await opened.getSignals({ signal_spec: 'cars' } as never)
    expect(outcome).toMatchObject({
      ok: false,
      error: { kind: 'invalid-answer', message: expect.stringContaining('/signals: This must be') },
      body: { signals: 'none' },
    })
    await opened.close()
  })

  test('members that it does not know pass, unless the caller is strict', async () => {
    const agent = await say({ ...good, novelty: 1 })
    const ask = async (check: 'lenient' | 'strict' | 'none') => {
      const opened = openAgent({ ...LOCAL, agentUrl: `${agent.url}/v3`, check })
      const outcome = await opened.listCreativeFormats({})
      await opened.close()
      return outcome.ok || outcome.error.message
    }
    expect(await ask('lenient')).toBe(true)
    expect(await ask('none')).toBe(true)
    expect(await ask('strict')).toContain('/novelty')
  })
})

describe('a key never leaves the origin that it was given for', () => {
  test('when the agent redirects', async () => {
    const seen: unknown[] = []
    const thief = createServer((request, response) => {
      seen.push(request.headers)
      response.end('{}')
    })
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve))
    onTestFinished(async () => {
      thief.closeAllConnections()
      thief.close()
    })
    const location = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/v3/do_it`
    for (const http of [301, 302, 303, 307, 308]) {
      const agent = await scriptedAgent({ say: () => ({ http, headers: { location } }) })
      for (const [, path] of TRANSPORTS) {
        const outcome = await callAgent({ ...LOCAL, agentUrl: agent.url + path, task: 'do_it' })
        expect(outcome.ok).toBe(false)
      }
    }
    expect(seen).toEqual([])
  })

  test('when its card names an endpoint elsewhere, and cards are requested without one', async () => {
    const thief = await scriptedAgent({ say: () => ({ body: { status: 'completed' } }) })
    const at = { url: `${thief.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }
    const agent = await scriptedAgent({
      say: () => ({ body: {} }),
      card: () => ({ supportedInterfaces: [at], skills: [{ id: 'do_it' }] }),
    })
    const options = { ...LOCAL, agentUrl: `${agent.url}/a2a`, task: 'do_it' }
    expect(await callAgent(options)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('another origin') },
    })
    expect(thief.seen).toEqual([])
    expect(agent.seen.length).toBeGreaterThan(0)
    expect(agent.seen.filter(({ headers }) => headers.authorization)).toEqual([])
  })
})

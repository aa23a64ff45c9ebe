import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import type { ActivationRun, Connector } from '../../../src/signals/connectors/connector.ts'
import { createHttpConnector } from '../../../src/signals/connectors/http.ts'
import { readConnectors } from '../../../src/signals/connectors/read-connectors.ts'

interface Seen {
  method: string | undefined
  path: string | undefined
  headers: IncomingMessage['headers']
  body: unknown
}

const seen: Seen[] = []
let answer: { status: number; body: string } = { status: 200, body: '{}' }
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const { method, url: path, headers } = request
  seen.push({ method, path, headers, body: text === '' ? undefined : JSON.parse(text) })
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
})
const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
let url: string
let connector: Connector

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dsp`
  const headers = { authorization: 'Bearer hush' }
  connector = createHttpConnector({ url: `${url}/`, headers, egress })
})
afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  seen.length = 0
})

const run: ActivationRun = {
  activation_id: 'a/1',
  signal_agent_segment_id: 'ev-intenders',
  principal_id: 'prn_a',
  target: { type: 'platform', platform: 'my-dsp', account: 'seat' },
  started_at: 5,
  handle: { job: 7 },
}
const details = {
  signal: {
    name: 'EV',
    description: 'people',
    signal_type: 'marketplace' as const,
    data_provider: 'Motor Minds',
  },
  principal_name: 'Acme',
}
const abort = new AbortController().signal
const says = (status: number, body: unknown) => {
  answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
}
const KEY = { type: 'segment_id', segment_id: 's-1' } as const

test('begins, asks and takes off at the addresses of its contract', async () => {
  says(200, { status: 'live', activation_key: KEY })
  expect(await connector.activate({ ...run, ...details }, abort)).toEqual({
    status: 'live',
    key: KEY,
  })
  expect(await connector.poll?.(run, abort)).toEqual({ status: 'live', key: KEY })
  expect(await connector.deactivate(run, abort)).toEqual({ status: 'off' })
  expect(seen.map(({ method, path }) => [method, path])).toEqual([
    ['POST', '/dsp/activations'],
    ['GET', '/dsp/activations/a%2F1'],
    ['DELETE', '/dsp/activations/a%2F1'],
  ])
  expect(seen[0]?.body).toEqual({ ...run, ...details })
  for (const { headers } of seen) expect(headers.authorization).toBe('Bearer hush')
})

test('what is pending says when to ask again', async () => {
  says(202, { status: 'pending', eta_minutes: 90, poll_after_seconds: 30, handle: 'job-7' })
  expect(await connector.activate({ ...run, ...details }, abort)).toEqual({
    status: 'pending',
    etaMinutes: 90,
    pollAfterMs: 30_000,
    handle: 'job-7',
  })
})

describe('a failure', () => {
  test.each<[string, number, unknown, boolean, string]>([
    [
      'that the service says will pass',
      200,
      { status: 'failed', reason: 'busy', retryable: true },
      true,
      'busy',
    ],
    ['that it says will not', 200, { status: 'failed', reason: 'no seat' }, false, 'no seat'],
    ['by a status that passes', 503, 'oops', true, 'the platform answered 503'],
    ['for calling too often', 429, {}, true, 'the platform answered 429'],
    ['by a refusal', 404, { reason: 'no seat' }, false, 'the platform answered 404: no seat'],
    ['by a redirect, which is not followed', 302, '', true, 'the platform answered 302'],
    ['by what cannot be read', 200, '<html>', true, 'cannot be read'],
    [
      'by a key that is none',
      200,
      { status: 'live', activation_key: { type: 'x' } },
      true,
      'cannot be read',
    ],
  ])('%s', async (_what, status, body, retryable, reason) => {
    says(status, body)
    expect(await connector.activate({ ...run, ...details }, abort)).toEqual({
      status: 'failed',
      retryable,
      reason: expect.stringContaining(reason),
    })
  })

  test('because the guard lets no one there', async () => {
    const guarded = createEgress()
    const kept = createHttpConnector({ url, egress: guarded })
    expect(await kept.activate({ ...run, ...details }, abort)).toMatchObject({
      status: 'failed',
      retryable: true,
    })
    expect(seen).toEqual([])
    await guarded.close()
  })
})

test.each([
  [200, { status: 'off' }],
  [204, { status: 'off' }],
  [404, { status: 'off' }],
  [410, { status: 'off' }],
  [500, { status: 'failed', retryable: true }],
  [403, { status: 'failed', retryable: false }],
])('%s to a takedown is read as %j', async (status, read) => {
  says(status, '')
  expect(await connector.deactivate(run, abort)).toMatchObject(read)
})

describe('ADWIRE_CONNECTORS', () => {
  test('names a service or a module for each platform', () => {
    const json = JSON.stringify({
      dsp: { url: 'https://dsp.example/api', headers: { 'x-key': 'k' }, bearer_file: '/run/key' },
      own: { module: './own.mjs', options: { a: 1 } },
      plain: { url: 'http://10.0.0.1' },
    })
    const read = readConnectors(json)
    expect(read.ok && Object.fromEntries(read.sources)).toEqual({
      dsp: {
        url: 'https://dsp.example/api',
        headers: { 'x-key': 'k' },
        bearerFile: '/run/key',
      },
      own: { module: './own.mjs', options: { a: 1 } },
      plain: { url: 'http://10.0.0.1', headers: {}, bearerFile: undefined },
    })
  })

  test.each([
    ['hush', 'must be JSON'],
    ['[]', 'must be JSON'],
    ['{"dsp": {"url": "ftp://hush"}}', 'wrong entry for "dsp"'],
    ['{"dsp": {"url": "https://a.example", "token": "hush"}}', 'wrong entry for "dsp"'],
    ['{"dsp": {"module": ""}}', 'wrong entry for "dsp"'],
    ['{"": {"url": "https://a.example"}}', 'wrong entry for ""'],
  ])('%s is refused without repeating a value', (json, part) => {
    const read = readConnectors(json)
    expect(read).toEqual({ ok: false, error: expect.stringContaining(part) })
    expect(JSON.stringify(read)).not.toContain('hush')
  })
})

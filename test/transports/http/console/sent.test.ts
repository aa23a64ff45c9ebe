import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Channel } from '../../../../src/webhooks/sender/store.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'
import { eventually } from '../../../support/eventually.ts'
import { newChannel } from '../../../support/outbox-contract.ts'

let app: TestApp
let operator: ConsoleClient
let receiver: Server
let hook: string
const came: { headers: Record<string, string>; body: string; url: string }[] = []
const CODE = 'webhook_signature_key_unknown'

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const body = await text(request)
    const pairs = Array.from({ length: request.rawHeaders.length / 2 }, (_, n) => [
      request.rawHeaders[2 * n],
      request.rawHeaders[2 * n + 1],
    ])
    came.push({ headers: Object.fromEntries(pairs), body, url: request.url ?? '' })
    response
      .writeHead(401, { 'www-authenticate': `Signature error="${CODE}"` })
      .end('<b>who are you?</b>')
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  app = await startApp({ config: { trustProxy: ['127.0.0.1'] } })
  operator = await signIn(app, await app.principal('operator'))
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await app.stop()
})

const register = (over: object = {}) =>
  app.storage.transact((tx) =>
    app.storage.channels.put(tx, newChannel({ url: hook, ...over }), 9),
  ) as Promise<Channel>

async function tested(to: Channel) {
  const id = Buffer.from(JSON.stringify(['endpoint', to.owner, to.endpoint])).toString('base64url')
  const { body } = await operator.post(`/endpoints/${id}/test`)
  return eventually(async () => {
    const returned = (await operator.get(`/deliveries/${body.delivery_id}`)).body
    expect(returned.history[0]?.completed_at).toBeDefined()
    return returned
  })
}

test('spec 5: an attempt shows the request exactly as it came, the answer, and why it was refused', async () => {
  const returned = await tested(await register())
  const sent = came.at(-1)
  expect(returned.body.text).toBe(sent?.body)
  const [attempt] = returned.history
  expect(attempt).toMatchObject({
    status: 'failed',
    http_status_code: 401,
    response_head: '<b>who are you?</b>',
    fault: { kind: 'signature_refused', code: CODE, message: `the receiver answered 401: ${CODE}` },
  })
  for (const { name, value } of attempt.request.headers) {
    expect([name, value]).toEqual([
      name,
      Object.entries(sent?.headers ?? {}).find(
        ([key]) => key.toLowerCase() === name.toLowerCase(),
      )?.[1],
    ])
  }
  const parts = attempt.request.signature.map(({ name }: { name: string }) => name)
  expect(parts).toEqual([
    'components',
    'keyid',
    'alg',
    'created',
    'expires',
    'nonce',
    'tag',
    'signature',
  ])
  expect(returned).toMatchObject({ state: 'pending', next_attempt_at: expect.any(String) })
  const [endpoint] = (await operator.get('/endpoints?q=127.0.0.1')).body.items
  expect(endpoint).toMatchObject({
    state: 'failing',
    health: { success_share: 0, faults: [{ kind: 'signature_refused' }] },
  })
})

test('a message that was sent passes every step of the checklist with the keys of its sender', async () => {
  await tested(await register({ url: `${hook}?n=2` }))
  const sent = came.at(-1)
  const lines = Object.entries(sent?.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const request = [`POST ${sent?.url} HTTP/1.1`, ...lines, '', sent?.body].join('\r\n')
  const jwks = await (await fetch(`${app.url}/.well-known/jwks.json`)).text()
  const url = new URL(hook).origin
  const right = await operator.post('/verify', { request, jwks, url })
  expect(right.body.steps.filter(({ state }: { state: string }) => state !== 'passed')).toEqual([])
  expect(right.body).toMatchObject({ ok: true, keyid: expect.any(String) })
  expect(right.body.signature_base).toContain('"@method": POST')

  const changed = { request: request.replace('working', 'completed'), jwks, url }
  const wrong = await operator.post('/verify', changed)
  expect(wrong.body).toMatchObject({ ok: false, code: 'webhook_signature_digest_mismatch' })
  const states = wrong.body.steps.map(({ step, state }: { step: string; state: string }) => [
    step,
    state,
  ])
  expect(states.slice(-4)).toEqual([
    ['11', 'failed'],
    ['12', 'not_reached'],
    ['13', 'not_reached'],
    ['14', 'not_reached'],
  ])

  const later = { request, jwks, url, now: new Date(Date.now() + 3_600_000).toISOString() }
  expect((await operator.post('/verify', later)).body.code).toBe('webhook_signature_window_invalid')
  const signed = await operator.post('/verify', { ...later, now: 'signed' })
  expect(signed.body.ok).toBe(true)
  const none = await operator.post('/verify', { request, url, jwks: '{"keys":[]}' })
  expect(none.body.code).toBe('webhook_signature_key_unknown')
})

test('a seller’s keys are looked up by its URL, and what went wrong is reported', async () => {
  await tested(await register({ url: `${hook}?n=3` }))
  const sent = came.at(-1)
  const lines = Object.entries(sent?.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const request = [`POST ${sent?.url} HTTP/1.1`, ...lines, '', sent?.body].join('\n')
  const url = new URL(hook).origin
  const found = await operator.post('/verify', { request, url, seller_url: app.url })
  expect([found.body.ok, found.body.notes[0]]).toEqual([
    true,
    expect.stringContaining('published keys'),
  ])
  const lost = await operator.post('/verify', { request, url, seller_url: `${url}/nobody` })
  expect(lost.body).toMatchObject({ ok: false, code: 'webhook_signature_key_unknown' })
  expect(lost.body.notes.length).toBeGreaterThan(1)
  const bad = await operator.post('/verify', { request, url, seller_url: 'not a url' })
  expect(bad.body.notes.join(' ')).toContain('no URL of a seller')
})

test.each([
  ['neither keys nor a seller', { request: 'POST / HTTP/1.1\nHost: a\n\n' }],
  ['keys that are none', { request: 'POST / HTTP/1.1\nHost: a\n\n', jwks: '[]' }],
  ['a request that is none', { request: 'hello', jwks: '{"keys":[]}' }],
])('%s is refused with what would be right', async (_what, body) => {
  const answer = await operator.post('/verify', body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
})

test('the query of a URL, which may be a secret, is not returned', async () => {
  const returned = await tested(await register({ url: `${hook}?secret=tomato` }))
  expect(JSON.stringify(returned)).not.toContain('tomato')
})

test('open screens are notified that something changed', async () => {
  const stop = new AbortController()
  const stream = await fetch(`${app.url}/console/api/events`, {
    headers: { cookie: operator.cookie },
    signal: stop.signal,
  })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  expect(stream.headers.get('x-frame-options')).toBe('DENY')
  let received = ''
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) received += Buffer.from(chunk).toString()
  })().catch(() => {})
  await eventually(() => expect(received).toContain('retry: 2000'))
  await tested(await register({ url: `${hook}?n=5` }))
  await eventually(() =>
    expect(received).toMatch(/event: changed\ndata: \{"topics":\[.*"deliveries"/),
  )
  stop.abort()
  await reading
})

test('one session has a limited number of streams, and no more', async () => {
  const client = await signIn(app, await app.principal('viewer'))
  const stop = new AbortController()
  const open = () =>
    fetch(`${app.url}/console/api/events`, {
      headers: { cookie: client.cookie },
      signal: stop.signal,
    })
  const streams = await Promise.all(Array.from({ length: 9 }, open))
  expect(streams.map(({ status }) => status).sort()).toEqual([...Array(8).fill(200), 429])
  stop.abort()
  await eventually(async () => {
    const again = new AbortController()
    const { status } = await fetch(`${app.url}/console/api/events`, {
      headers: { cookie: client.cookie },
      signal: again.signal,
    })
    again.abort()
    expect(status).toBe(200)
  })
  const nobody = await fetch(`${app.url}/console/api/events`)
  expect(nobody.status).toBe(401)
})

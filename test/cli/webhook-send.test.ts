import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { sampleBody } from '../../src/cli/webhook-samples.ts'
import { SEND_KINDS } from '../../src/cli/webhook-send.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { deliveryReport } from '../../src/protocol/schemas/delivery-report.ts'
import { webhookEnvelope } from '../../src/protocol/schemas/webhook-envelope.ts'
import { FAMILY_BODIES } from '../../src/protocol/schemas/webhook-families.ts'
import { publicJwkOf } from '../../src/signing/keys.ts'
import type { HttpMessage, Jwk } from '../../src/signing/ports.ts'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import { classify } from '../../src/webhooks/receiver/classify.ts'
import { verifyHmac } from '../../src/webhooks/schemes/hmac.ts'
import { verifyWebhook } from '../../src/webhooks/schemes/rfc9421.ts'
import { adwire, folder } from '../support/cli.ts'

const NAMES = identifiersFor('proto')
const SECRET = '0123456789abcdef0123456789abcdefXY'

interface Receiver {
  url: string
  got: HttpMessage[]
}

/** Keeps the requests it receives, and responds as configured. */
async function receiver(
  answer: (time: number) => [status: number, headers?: Record<string, string>] = () => [200],
  onGot: () => Promise<void> = async () => {},
): Promise<Receiver> {
  const got: HttpMessage[] = []
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request
    got.push({ method, url: `${url}`, headers, body: await buffer(request) })
    await onGot()
    const [status, more = {}] = answer(got.length)
    response.writeHead(status, more).end('{"status":"seen\u001b[2J"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/acme?x=1`
  return { url, got }
}

const send = (url: string, ...args: string[]) =>
  adwire(['webhook', 'send', '--to', url, '--allow-private', ...args])

function verified(message: HttpMessage, jwk: Jwk) {
  return verifyWebhook(message, NAMES, {
    now: Date.now() / 1_000,
    findKey: () => ({ jwk, signer: 'https://seller.example' }),
    checkRevocation: () => 'current',
    replay: memoryReplayStore(),
  })
}

test('spec 5: a test webhook is signed by a new key, whose public half is printed', async () => {
  const { url, got } = await receiver()
  const args = ['--status', 'working', '--task-id', 't-1', '--operation-id', 'op-1']
  const done = await send(url, ...args, '--idempotency-key', 'key-0123456789abcdef')
  expect([done.code, done.stderr]).toEqual([0, ''])
  const jwk = JSON.parse(/public key \(new\): (.*)/.exec(done.stdout)?.[1] as string) as Jwk
  expect(jwk.d).toBeUndefined()
  expect(await verified(got[0] as HttpMessage, jwk)).toMatchObject({ ok: true })
  expect(JSON.parse(String(Buffer.from(got[0]?.body as Uint8Array)))).toMatchObject({
    idempotency_key: 'key-0123456789abcdef',
    operation_id: 'op-1',
    task_id: 't-1',
    status: 'working',
    result: { percentage: 50 },
  })
  expect(done.stdout).toMatch(/^< 200 in \d+ ms\n< \{"status":"seen"\}\naccepted: /m)
})

test('spec 6.4: --repeat sends the same bytes under a new signature', async () => {
  const { url, got } = await receiver()
  const key = join(folder(), 'key.json')
  const done = await send(url, '--key', key, '--make-key', '--repeat', '2', '--json')
  expect(done.code).toBe(0)
  expect(statSync(key).mode & 0o777).toBe(0o600)
  const jwk = publicJwkOf(JSON.parse(readFileSync(key, 'utf8')) as Jwk)
  expect(new Set(got.map(({ body }) => String(body))).size).toBe(1)
  expect(new Set(got.map(({ headers }) => headers.signature)).size).toBe(3)
  for (const one of got) expect(await verified(one, jwk)).toMatchObject({ ok: true })
  const lines = done.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ ok, time }) => [ok, time])).toEqual([
    [true, 1],
    [true, 2],
    [true, 3],
  ])
  expect(lines[1].meaning).toMatch(/^accepted again/)
  expect((await send(url, '--key', key, '--make-key')).code).toBe(0)
  expect(await verified(got[3] as HttpMessage, jwk)).toMatchObject({ ok: true })
})

test('spec 5: --serve-keys publishes brand.json and the key while it runs', async () => {
  interface Brand {
    agents: { url: string; jwks_uri: string }[]
  }
  let brand: Brand | undefined
  let keys: Jwk[] = []
  const port = await freePort()
  const { url, got } = await receiver(undefined, async () => {
    const found = await fetch(`http://127.0.0.1:${port}/.well-known/brand.json`)
    brand = (await found.json()) as Brand
    const set = await fetch(brand.agents[0]?.jwks_uri as string)
    keys = ((await set.json()) as { keys: Jwk[] }).keys
  })
  expect((await send(url, '--serve-keys', String(port))).code).toBe(0)
  expect(brand?.agents[0]?.url).toBe(`http://127.0.0.1:${port}`)
  expect(await verified(got[0] as HttpMessage, keys[0] as Jwk)).toMatchObject({ ok: true })
  await expect(fetch(`http://127.0.0.1:${port}/.well-known/jwks.json`)).rejects.toThrow()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('spec 5: the legacy schemes, whose secrets are not printed', async () => {
  const { url, got } = await receiver()
  const hmac = await send(
    url,
    '--hmac',
    SECRET,
    '--transport',
    'a2a',
    '--token',
    'token-0123456789',
  )
  expect(
    verifyHmac(
      got[0] as HttpMessage,
      { current: SECRET },
      { names: NAMES, now: Date.now() / 1_000 },
    ),
  ).toEqual({ ok: true })
  expect(got[0]?.headers['x-a2a-notification-token']).toBe('token-0123456789')
  const bearer = await send(url, '--bearer', SECRET)
  expect(got[1]?.headers.authorization).toBe(`Bearer ${SECRET}`)
  for (const { stdout, stderr } of [hmac, bearer]) expect(stdout + stderr).not.toContain(SECRET)
  expect(hmac.stdout).not.toContain('token-0123456789')
})

test('the meaning of the response is printed, and each kind of refusal has its exit code', async () => {
  const challenge = { 'www-authenticate': 'Signature error="webhook_signature_key_unknown"' }
  const cases: [number, Record<string, string>, number, RegExp][] = [
    [
      401,
      challenge,
      4,
      /: webhook_signature_key_unknown \(use one --key.*; the sender retries in 1 s\n$/,
    ],
    [503, { 'retry-after': '30' }, 5, /returned 503; the sender retries in 30 s\n$/],
    [400, {}, 5, /returned 400; the sender does not retry/],
    [410, {}, 5, /returned 410; the sender stops sending to this URL/],
  ]
  for (const [status, headers, code, reported] of cases) {
    const { url } = await receiver(() => [status, headers])
    expect(await send(url)).toMatchObject({ code, stderr: expect.stringMatching(reported) })
  }
  expect(await send('http://127.0.0.1:1/')).toMatchObject({ code: 3 })
})

test('invalid arguments end with 2, and nothing is sent', async () => {
  const { url, got } = await receiver()
  const twice = join(folder(), 'twice.json')
  writeFileSync(twice, '{"a":1,"a":2}')
  const cases: [string[], RegExp][] = [
    [['--hmac', 'short'], /shorter than 32 bytes/],
    [['--hmac', SECRET, '--bearer', SECRET], /give one of --key, --hmac and --bearer/],
    [['--make-key'], /--make-key needs --key/],
    [['--body', `@${twice}`], /same key twice/],
    [['--kind', 'nothing'], /Allowed choices are status, report/],
    [['--repeat', 'x'], /--repeat must be a whole number/],
  ]
  for (const [args, reported] of cases) {
    expect(await send(url, ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(reported),
    })
  }
  const loopback = await adwire(['webhook', 'send', '--to', url])
  expect(loopback).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--allow-private permits it/),
  })
  expect(got).toEqual([])
})

test('--body sends one’s own bytes as they are', async () => {
  const { url, got } = await receiver()
  const file = join(folder(), 'body.json')
  writeFileSync(file, '{ "mine" : 1 }\n')
  await send(url, '--body', `@${file}`)
  expect(String(got[0]?.body)).toBe('{ "mine" : 1 }\n')
})

test('spec 2.10, 2.11, 6: the body of every kind, transport and status is a valid one', () => {
  const to = { idempotency_key: 'key-0123456789abcdef', operation_id: 'op', token: undefined }
  const shared = { to, mediaBuyId: 'mb', sequence_number: 1, scheme: 'RFC 9421', now: Date.now() }
  const statuses = [
    'submitted',
    'working',
    'input-required',
    'completed',
    'failed',
    'canceled',
  ] as const
  const notifications = ['scheduled', 'final', 'delayed', 'adjusted'] as const
  for (const kind of SEND_KINDS) {
    for (const notification of notifications) {
      for (const transport of ['mcp', 'a2a', 'a2a-1.0'] as const) {
        for (const status of statuses) {
          const body = sampleBody({ ...shared, kind, transport, status, notification })
          expect(classify(body, 'digest')).toMatchObject({
            ok: true,
            idempotency_key: to.idempotency_key,
          })
        }
      }
      const body = sampleBody({ ...shared, kind, transport: 'mcp', notification }) as {
        result?: unknown
      }
      const schema = new Map(Object.entries(FAMILY_BODIES)).get(kind) ?? webhookEnvelope
      expect([kind, schema.safeParse(body).error]).toEqual([kind, undefined])
      if (kind === 'report') expect(deliveryReport.safeParse(body.result).error).toBeUndefined()
    }
  }
})

// The server and the webhook libraries in programs that use them wrongly, or whose callers do: mistakes are named, and no
// request ends the process, gets past a check or stays unanswered.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type AppOptions, createApp } from '../../src/app/create-app.ts'
import { type ConfigOptions, makeConfig } from '../../src/app/make-config.ts'
import { createLog } from '../../src/lib/log.ts'
import { type AnyTask, defineTask } from '../../src/protocol/task.ts'
import { constantCost } from '../../src/protocol/task-cost.ts'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import { expressHandler } from '../../src/webhooks/receiver/adapters/express.ts'
import { fastifyReceiver } from '../../src/webhooks/receiver/adapters/fastify.ts'
import { honoHandler } from '../../src/webhooks/receiver/adapters/hono.ts'
import { nodeHandler, type Receiving } from '../../src/webhooks/receiver/adapters/node.ts'
import { createReceiver, type ReceiverOptions } from '../../src/webhooks/receiver/receiver.ts'
import { loopbackEgress } from '../lib/safe-fetch/loopback.ts'
import { call } from '../support/call.ts'
import { folder } from '../support/cli.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { memoryInbox } from '../support/memory-inbox.ts'
import {
  bytes,
  codeOf,
  envelope,
  JSON_TYPE,
  receiving,
} from '../webhooks/receiver/receive-harness.ts'

const log = createLog({ level: 'silent' })

async function started(parts: AppOptions = {}, options: ConfigOptions = {}) {
  const config = makeConfig({ port: 0, data: folder(), signalsModel: false, ...options })
  const app = await createApp(config, { log, ...parts })
  onTestFinished(app.stop)
  await app.start()
  const { key } = await app.createPrincipal({ name: 'Caller' })
  const post = (task: string, body: unknown = {}) => call(`${app.url()}/v3/${task}`, { key, body })
  return { app, key, post }
}

const taskOf = (name: string, handle: (request: never) => unknown): AnyTask =>
  defineTask({
    name,
    summary: name,
    area: 'protocol',
    access: 'tasks',
    changes: true,
    cost: constantCost(1, 'nothing'),
    request: z.looseObject({ nested: z.looseObject({}).optional() }),
    response: z.looseObject({}),
    handle: handle as AnyTask['handle'],
  })

describe('createApp with wrong arguments', () => {
  test.each([
    ['no config', undefined],
    ['an empty config', {}],
    ['options that makeConfig has not read', { port: 0, data: '/nonexistent/adwire' }],
    ['a config without a limit', { ...makeConfig({ port: 0 }), tasksPerMinute: undefined }],
  ])('%s: the missing settings are named, and nothing is opened', async (_what, config) => {
    const created = createApp(config as never, { log })
    await expect(created).rejects.toThrow(/tasksPerMinute is missing: build the config with make/)
  })

  test.each([
    [{ moreTask: [] }, 'no part named moreTask: did you mean moreTasks?'],
    [{ moreTasks: 5 }, 'moreTasks must be a list'],
    [{ moreTasks: [null] }, 'moreTasks at 0 must have the method handle'],
    [{ connectors: { dsp: null } }, 'connectors of dsp must have the methods activate, deactivate'],
    [{ connectors: [] as unknown, signers: [{}] }, 'signers at 0 must have a keyid'],
    [{ signers: [{ keyid: 'k' }] }, 'signers at 0 must have the method sign'],
    [{ routes: 5 }, 'routes must be a function'],
    [{ log: {} }, 'log must have the methods debug, info, warn, error'],
    [{ deliverySource: {} }, 'deliverySource must have the method deliveryOf'],
    [{ signalSearch: {} }, 'signalSearch must have the methods search, status'],
    [{ generator: 'gpt' }, 'generator must be an object'],
    [null, 'must be an object of parts'],
  ])('%j is refused, and the data folder stays free', async (parts, message) => {
    const config = makeConfig({ port: 0, data: folder(), signalsModel: false })
    const refused = createApp(config, parts as never)
    await expect(refused).rejects.toThrow(TypeError)
    await expect(refused).rejects.toThrow(message)
    const app = await createApp(config, { log })
    await app.stop()
  })
})

test('two apps in one process know nothing of each other, and one outlives the other', async () => {
  const [first, second] = [await started(), await started()]
  const list = (url: string, key: string) => call(`${url}/v3/list_tasks`, { key, body: {} })
  expect((await list(first.app.url(), first.key)).status).toBe(200)
  expect((await list(second.app.url(), first.key)).status).toBe(401)
  await first.app.stop()
  expect(await first.app.health()).toMatchObject({ ready: false })
  expect((await list(second.app.url(), second.key)).status).toBe(200)
})

const cycle: { self?: unknown } = {}
cycle.self = cycle
const thrower = () => {
  throw new Error('secret detail')
}
/** What handlers in plain JavaScript may return or throw by mistake. */
const ODD: Readonly<Record<string, () => unknown>> = {
  undefined: async () => undefined,
  null: async () => null,
  text: async () => 'secret detail',
  list: async () => ['secret detail'],
  function: async () => thrower,
  cycle: async () => ({ cycle }),
  bigint: async () => ({ value: 1n }),
  to_json: async () => ({ value: { toJSON: thrower } }),
  getter: async () => Object.defineProperty({}, 'value', { get: thrower, enumerable: true }),
  proxy: async () => new Proxy({}, { get: thrower, ownKeys: thrower }),
  sync_throw: thrower,
  throw_nothing: async () => Promise.reject(),
  throw_null: async () => Promise.reject(null),
  throw_text: async () => Promise.reject('secret detail'),
  throw_hostile: async () => Promise.reject(Object.defineProperty({}, 'message', { get: thrower })),
}

test('whatever a handler returns or throws by mistake is a 5xx without details, with a key and without', async () => {
  const moreTasks = Object.entries(ODD).map(([name, handle]) => taskOf(`odd_${name}`, handle))
  const { post, app } = await started({ moreTasks })
  for (const name of Object.keys(ODD)) {
    for (const body of [{}, { idempotency_key: `odd-0123456789-${name}` }]) {
      const { status, text } = await post(`odd_${name}`, body)
      expect([500, 503], `${name}: ${text}`).toContain(status)
      expect(text).not.toContain('secret')
      expect(JSON.parse(text)).toMatchObject({ status: 'failed' })
    }
  }
  expect(await app.health()).toMatchObject({ ready: true })
})

test('a stop ends although a handler never does, and its caller is answered', async () => {
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const never = taskOf('never', () => {
    begun()
    return new Promise(() => {})
  })
  const { post, app } = await started({ moreTasks: [never] }, { stopTimeoutSeconds: 1 })
  const answered = post('never').then(
    ({ status }) => status,
    () => 'connection closed',
  )
  await hasBegun
  await app.stop()
  expect([503, 504, 'connection closed']).toContain(await answered)
})

test('`__proto__` and `constructor` in a request change no prototype, and grant nothing', async () => {
  const seen: { admin: unknown; isPlain: boolean }[] = []
  const moreTasks = [
    taskOf('look', (request: { admin?: unknown; nested?: { admin?: unknown } }) => {
      for (const one of [request, request.nested ?? {}]) {
        const isPlain = Object.getPrototypeOf(one) === Object.prototype
        seen.push({ admin: (one as { admin?: unknown }).admin, isPlain })
      }
      return {}
    }),
  ]
  const { post, app, key } = await started({ moreTasks })
  const hostile = '"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}'
  const bodies = [`{${hostile}}`, `{"nested":{${hostile}}}`, `{"context":{${hostile}}}`]
  for (const body of bodies) {
    const answer = await post('look', body)
    expect([200, 400]).toContain(answer.status)
    await call(`${app.url()}/mcp`, {
      key,
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":${body}}}`,
    })
  }
  for (const { admin, isPlain } of seen) {
    expect(admin).toBeUndefined()
    expect(isPlain).toBe(true)
  }
  expect(({} as { admin?: unknown }).admin).toBeUndefined()
})

/** A receiver in each framework, where the application sets the route itself. */
const FRAMEWORKS: Record<string, (to: Receiving, route: () => string) => Promise<Server>> = {
  node: async (to, route) => createServer(nodeHandler(to, { route })).listen(0, '127.0.0.1'),
  express: async (to, route) =>
    express().post('/hooks/:route', expressHandler(to, { route })).listen(0, '127.0.0.1'),
  fastify: async (to, route) => {
    const app = fastify()
    app.register(fastifyReceiver(to, { path: '/hooks/:route', route }))
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },
  hono: async (to, route) => {
    const app = new Hono().all('/hooks/:route', honoHandler(to, { route }))
    return serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  },
}

async function listening(server: Server): Promise<string> {
  if (!server.listening) await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/signed`
}

async function delivered(url: string, { sign }: Pick<ReturnType<typeof receiving>, 'sign'>) {
  const body = bytes(envelope())
  const response = await fetch(url, { method: 'POST', headers: await sign(body, url), body })
  return { status: response.status, body: await response.text() }
}

describe.each(Object.entries(FRAMEWORKS))('a receiver in %s', (_name, start) => {
  test('whose route function throws answers 500, and takes the next delivery', async () => {
    const harness = receiving()
    let isBroken = true
    const route = () => (isBroken ? decodeURIComponent('%zz') : 'signed')
    const url = await listening(await start(harness.receiver, route))
    const failed = await delivered(url, harness)
    expect(failed.status).toBe(500)
    expect(failed.body).not.toContain('URI')
    expect(harness.events.at(-1)?.error).toBeInstanceOf(URIError)
    isBroken = false
    expect((await delivered(url, harness)).status).toBe(200)
  })

  test('whose route is no name answers 404', async () => {
    const harness = receiving()
    for (const route of [undefined, null, '__proto__', 'constructor', { name: 'signed' }]) {
      const url = await listening(await start(harness.receiver, () => route as string))
      expect((await delivered(url, harness)).status).toBe(404)
    }
  })
})

test('a response that a middleware has sent meanwhile ends nothing', async () => {
  const harness = receiving()
  const { receive, maxBodyBytes } = harness.receiver
  const faults: unknown[] = []
  const handled: Promise<void>[] = []
  const server = createServer((request, response) => {
    const late: Receiving['receive'] = async (delivery) => {
      const reply = await receive(delivery)
      // As a limit of time would.
      response.writeHead(504).end('too late')
      return reply
    }
    handled.push(
      nodeHandler({ receive: late, maxBodyBytes })(request, response).catch((error: unknown) => {
        faults.push(error)
      }),
    )
  })
  const url = await listening(server.listen(0, '127.0.0.1'))
  expect((await delivered(url, harness)).status).toBe(504)
  await Promise.all(handled)
  expect(faults).toEqual([])
})

test('spec 5: in Hono behind a middleware that read the body nothing is accepted, and the answer says why', async () => {
  const harness = receiving()
  const app = new Hono()
  app.use(async (context, next) => {
    await context.req.raw.text()
    await next()
  })
  app.post('/hooks/:route', honoHandler(harness.receiver))
  const body = bytes(envelope())
  const url = 'http://127.0.0.1/hooks/signed'
  const headers = await harness.sign(body, url)
  const reply = await app.request(url, { method: 'POST', headers, body })
  expect([reply.status, codeOf({ body: await reply.text() })]).toEqual([
    500,
    'raw_body_unavailable',
  ])
  expect(harness.inbox.kept).toEqual([])
})

describe('a receiver with wrong options', () => {
  const options = (): ReceiverOptions => ({
    transact: async () => Promise.reject(new Error('there is no database')),
    onWake: () => () => {},
    inbox: memoryInbox() as unknown as ReceiverOptions['inbox'],
    replay: memoryReplayStore({ clock: fakeClock() }),
    egress: loopbackEgress(),
    routes: [{ name: 'signed', mode: 'rfc9421' }],
    onFault: () => {},
  })

  test.each([
    ['maxBodyBytes', Number('1 MiB')],
    ['maxBodyBytes', 0],
    ['maxBodyBytes', '1048576'],
    ['maxKeysPerSender', Number.NaN],
    ['maxBytesPerSender', -1],
    ['concurrency', Number.NaN],
    ['maxTries', 0],
    ['leaseMs', Number.NaN],
    ['pollMs', null],
  ])('%s of %s would be no limit, and is refused', (name, value) => {
    expect(() => createReceiver({ ...options(), [name]: value })).toThrow(
      new RegExp(`^${name} must be a number of at least`),
    )
  })

  test('and right ones is created', () => {
    expect(createReceiver({ ...options(), maxBodyBytes: 10 }).maxBodyBytes).toBe(10)
  })
})

describe('a store that misbehaves acknowledges nothing', () => {
  const ACCEPTS: Record<string, () => unknown> = {
    'throws at once': thrower,
    'rejects with nothing': async () => Promise.reject(),
    'answers for no message': async () => [],
    'answers with nothing': async () => undefined,
    'answers with what it should not': async () => [{}],
  }
  test.each(Object.entries(ACCEPTS))('one that %s', async (_what, accept) => {
    const harness = receiving({ inbox: { accept: accept as never } })
    const reply = await harness.deliver(envelope())
    expect(reply.status).toBeGreaterThanOrEqual(500)
    expect(reply.body).not.toContain('secret')
  })
})

describe('hostile webhooks', () => {
  test('keys such as `__proto__` are kept as they came, and change no prototype', async () => {
    const harness = receiving()
    const { result: _result, ...members } = envelope()
    const hostile = '"__proto__":{"status":"failed"},"constructor":{"prototype":{"x":1}}'
    const text = JSON.stringify(members).replace(/}$/, `,${hostile},"result":{${hostile}}}`)
    expect((await harness.deliver(text)).status).toBe(200)
    expect(harness.inbox.kept).toHaveLength(1)
    expect(({} as { x?: unknown }).x).toBeUndefined()
    // A key that only a prototype has is a missing key.
    const inherited = `{"__proto__":${JSON.stringify(envelope())}}`
    expect((await harness.deliver(inherited)).status).toBe(400)
  })

  test('a flood of headers and of signatures is refused, and the next delivery is taken', async () => {
    const harness = receiving()
    const body = bytes(envelope())
    const signed = Object.entries(await harness.sign(body))
    const lines = signed.flat() as string[]
    const input = String(signed.find(([name]) => /^signature-input$/i.test(name))?.[1])
    const signature = String(signed.find(([name]) => /^signature$/i.test(name))?.[1])
    const others = Array.from({ length: 5_000 }, (_, n) => `s${n}`)
    const floods: (readonly string[])[] = [
      [...lines, ...others.flatMap((name) => ['signature', `${name}=:AAAA:`])],
      [...lines, ...others.flatMap(() => ['signature-input', input])],
      [...lines, ...others.flatMap(() => ['content-digest', 'sha-256=:AAAA:'])],
      lines.map((value) => (value === input ? others.map(() => input).join(', ') : value)),
      lines.map((value) => (value === signature ? `${others.join(', ')}, ${signature}` : value)),
      lines.map((value) => (value === input ? `sig1=(${'"@method" '.repeat(20_000)})` : value)),
    ]
    for (const headers of floods) {
      expect((await harness.send({ headers, body })).status).toBe(401)
    }
    // Other headers say nothing, however many there are.
    const harmless = others.flatMap((name) => [`x-${name}`, name])
    expect((await harness.send({ headers: [...lines, ...harmless], body })).status).toBe(200)
  })

  test.each([
    ['of another body', () => 'sha-256=:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=:'],
    ['that is empty', () => ''],
    ['of another algorithm', () => 'md5=:1B2M2Y8AsgTpgAmY7PhCfg==:'],
    ['with a second value', (right: string) => `${right}, sha-256=:AAAA:`],
    ['of the right value under two names', (right: string) => `${right}, sha-512=:AAAA:`],
  ])('a Content-Digest %s is refused', async (_what, digest) => {
    const harness = receiving()
    const body = bytes(envelope())
    const signed: Record<string, string> = await harness.sign(body)
    const name = Object.keys(signed).find((one) => /^content-digest$/i.test(one)) as string
    const headers = { ...signed, [name]: digest(String(signed[name])) }
    expect((await harness.send({ headers, body })).status).toBe(401)
    expect(harness.inbox.kept).toEqual([])
  })

  test.each([
    ['years ahead', 10 * 365 * 86_400_000],
    ['years behind', -10 * 365 * 86_400_000],
  ])(
    'a sender whose clock is %s is refused, and one whose clock is right is not',
    async (_what, offset) => {
      const senders = receiving({ clock: fakeClock(Date.UTC(2026, 0, 1) + offset) })
      const harness = receiving({ clock: fakeClock(Date.UTC(2026, 0, 1)) })
      const body = bytes(envelope())
      expect((await harness.send({ headers: await senders.sign(body), body })).status).toBe(401)
      expect((await harness.deliver(envelope())).status).toBe(200)
    },
  )

  test.each(['0', '-1', '999999999999999', '1e9', '1.5', '"1767225600"', '9'.repeat(16)])(
    'a signature created at %s is refused',
    async (created) => {
      const harness = receiving()
      const body = bytes(envelope())
      const headers = Object.fromEntries(
        Object.entries(await harness.sign(body)).map(([name, value]) => [
          name,
          String(value).replace(/created=\d+/, `created=${created}`),
        ]),
      )
      expect((await harness.send({ headers: { ...JSON_TYPE, ...headers }, body })).status).toBe(401)
    },
  )
})

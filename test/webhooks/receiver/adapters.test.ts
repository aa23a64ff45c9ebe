import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expressHandler } from '../../../src/webhooks/receiver/adapters/express.ts'
import { fastifyReceiver } from '../../../src/webhooks/receiver/adapters/fastify.ts'
import { honoHandler } from '../../../src/webhooks/receiver/adapters/hono.ts'
import { nodeHandler, type Receiving } from '../../../src/webhooks/receiver/adapters/node.ts'
import {
  asSigned,
  lastSegment,
  type UrlOptions,
} from '../../../src/webhooks/receiver/adapters/request-url.ts'
import { bytes, codeOf, envelope, JSON_TYPE, receiving } from './receive-harness.ts'

const MIB = 1_048_576

/** Each framework as its users would mount the receiver: at /hooks, beside a route with a parser. */
const FRAMEWORKS: Record<string, (to: Receiving, options?: UrlOptions) => Promise<Server>> = {
  node: async (to, options) => {
    const server = createServer(nodeHandler(to, options))
    return server.listen(0, '127.0.0.1')
  },
  express: async (to, options) => {
    const hooks = express.Router().all('/:route', expressHandler(to, options))
    const app = express().use('/hooks', hooks).use(express.json())
    return app.listen(0, '127.0.0.1')
  },
  fastify: async (to, options) => {
    const app = fastify({ bodyLimit: 1_000 })
    app.register(fastifyReceiver(to, options), { prefix: '/hooks' })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },
  hono: async (to, options) => {
    const app = new Hono()
    app.all('/hooks/:route', honoHandler(to, options))
    return serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  },
}

async function serving(start: (to: Receiving) => Promise<Server>) {
  const receiver = receiving()
  const server = await start(receiver.receiver)
  if (!server.listening) await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const deliver = async (body: Buffer, path = '/hooks/signed', as = origin + path) =>
    post(origin + path, { headers: await receiver.sign(body, as), chunks: [body] })
  return { ...receiver, origin, port, deliver }
}

interface Sent {
  method?: string
  headers: Record<string, string | number>
  /** Several are sent chunked, unless there is a length. */
  chunks: readonly Buffer[]
}

/** By node itself: `fetch` would write URL and headers again. */
async function post(
  url: string,
  { method = 'POST', headers, chunks }: Sent,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const { host, pathname } = new URL(url)
  const [, path = pathname] = url.split(host)
  const sent = request(url, { method, path, headers, agent: false })
  // The answer may come, and the connection end, while the body is still on its way.
  sent.on('error', () => {})
  const answered = once(sent, 'response')
  if (chunks.length === 1) sent.end(chunks[0])
  else {
    for (const chunk of chunks) sent.write(chunk)
    sent.end()
  }
  const [response] = await answered
  const received: Buffer[] = []
  for await (const chunk of response) received.push(chunk as Buffer)
  const body = Buffer.concat(received).toString()
  return { status: response.statusCode, headers: response.headers, body }
}

function sized(size: number): Buffer {
  const short = bytes(envelope({ message: '' })).byteLength
  return bytes(envelope({ message: 'x'.repeat(size - short) }))
}

describe.each(Object.entries(FRAMEWORKS))('spec 4.4: a receiver in %s', (_name, start) => {
  test('takes the bytes as they came, and knows them again', async () => {
    const { deliver, inbox } = await serving(start)
    const body = bytes(`${JSON.stringify(envelope(), null, 2)}\n`)
    const first = await deliver(body)
    expect([first.status, JSON.parse(first.body)]).toEqual([200, { status: 'accepted' }])
    expect(first.headers['content-type']).toBe('application/json')
    const again = await deliver(body)
    expect([again.status, JSON.parse(again.body)]).toEqual([200, { status: 'duplicate' }])
    expect(Buffer.compare(inbox.kept[0]!.body, body)).toBe(0)
  })

  test('takes a body of exactly 1 MiB, whole or chunked', async () => {
    const { deliver, sign, origin, inbox } = await serving(start)
    expect((await deliver(sized(MIB))).status).toBe(200)
    const body = sized(MIB)
    const chunks = [0, 1, 2, 3].map((n) => body.subarray((n * MIB) / 4, ((n + 1) * MIB) / 4))
    const url = `${origin}/hooks/signed`
    expect((await post(url, { headers: await sign(body, url), chunks })).status).toBe(200)
    expect(inbox.kept.map((message) => message.body.byteLength)).toEqual([MIB, MIB])
  })

  test('refuses one byte more with 413, whole or chunked, and ends the connection', async () => {
    const { origin, inbox, events } = await serving(start)
    const body = sized(MIB + 1)
    const url = `${origin}/hooks/signed`
    for (const chunks of [[body], [body.subarray(0, MIB), body.subarray(MIB)]]) {
      const reply = await post(url, { headers: JSON_TYPE, chunks })
      expect([reply.status, codeOf(reply)]).toEqual([413, 'payload_too_large'])
      expect(reply.headers.connection).toBe('close')
    }
    expect(events.map(({ status }) => status)).toEqual([413, 413])
    expect(inbox.kept).toEqual([])
  })

  test('answers 413 before the body has come, and reads no further', async () => {
    const { port } = await serving(start)
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const head = `POST /hooks/signed HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\n`
    socket.write(`${head}Content-Length: ${100 * MIB}\r\n\r\n{`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
    // A client that keeps sending is cut off.
    const chunk = Buffer.alloc(64 * 1024, 'x')
    let sent = 0
    const pump = () => {
      if (socket.destroyed || socket.writableEnded) return
      sent += chunk.byteLength
      socket.write(chunk, () => setImmediate(pump))
    }
    await new Promise((resolve) => {
      socket.once('close', resolve)
      pump()
    })
    expect(sent).toBeLessThan(20 * MIB)
  })

  test('refuses what is not JSON (415), not signed (401), not POST (405), not known (404)', async () => {
    const { origin } = await serving(start)
    const url = `${origin}/hooks/signed`
    const body = bytes(envelope())
    const statusOf = async (sent: Partial<Sent>, to = url) =>
      (await post(to, { headers: JSON_TYPE, chunks: [body], ...sent })).status
    expect(await statusOf({ headers: { 'content-type': 'text/plain' } })).toBe(415)
    expect(await statusOf({ headers: { 'content-type': 'nonsense' } })).toBe(415)
    expect(await statusOf({ headers: {} })).toBe(415)
    expect(await statusOf({ headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } })).toBe(415)
    expect(await statusOf({})).toBe(401)
    expect(await statusOf({ method: 'GET', chunks: [Buffer.alloc(0)] })).toBe(405)
    expect(await statusOf({ method: 'DELETE', chunks: [Buffer.alloc(0)] })).toBe(405)
    expect(await statusOf({}, `${origin}/hooks/nowhere`)).toBe(404)
  })

  test('spec 5: the URL is verified in the spelling of its sender', async () => {
    const { deliver } = await serving(start)
    const body = bytes(envelope())
    expect((await deliver(body, '/hooks/signed?a=%7E&b=//&c=x%2fy')).status).toBe(200)
    const other = 'http://other.example/hooks/signed'
    expect((await deliver(body, '/hooks/signed', other)).status).toBe(401)
  })

  test('spec 5: signature headers that came twice are seen to have come twice', async () => {
    const { sign, origin, port } = await serving(start)
    const body = bytes(envelope())
    const headers = Object.entries(await sign(body, `${origin}/hooks/signed`))
    const lines = [...headers, headers.find(([name]) => /^content-digest$/i.test(name))!]
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const length = `Host: 127.0.0.1:${port}\r\nContent-Length: ${body.byteLength}\r\n`
    socket.write(`POST /hooks/signed HTTP/1.1\r\n${length}${head}\r\n`)
    socket.write(body)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('behind a proxy it verifies the URL that the proxy was called by', async () => {
    const outside = 'https://hooks.buyer.example/hooks/signed'
    const body = bytes(envelope())
    const named = await serving((to) => start(to, { baseUrl: 'https://hooks.buyer.example/' }))
    expect((await named.deliver(body, '/hooks/signed', outside)).status).toBe(200)

    const trusting = await serving((to) => start(to, { trustProxy: true }))
    const forwarded = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'hooks.buyer.example, inner.example',
    }
    const url = `${trusting.origin}/hooks/signed`
    const headers = { ...(await trusting.sign(body, outside)), ...forwarded }
    expect((await post(url, { headers, chunks: [body] })).status).toBe(200)
    const wary = await serving(start)
    const refused = { headers: { ...(await wary.sign(body, outside)), ...forwarded } }
    const to = `${wary.origin}/hooks/signed`
    expect((await post(to, { ...refused, chunks: [body] })).status).toBe(401)
  })

  test('a sender that goes away in the middle leaves nothing behind', async () => {
    const { port, events, deliver, inbox } = await serving(start)
    const socket = connect(port, '127.0.0.1')
    const head = `POST /hooks/signed HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\n`
    socket.write(`${head}Content-Length: 1000\r\n\r\n{`, () => socket.destroy())
    await once(socket, 'close')
    expect((await deliver(bytes(envelope()))).status).toBe(200)
    expect(inbox.kept).toHaveLength(1)
    expect(events.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

test.each(['node', 'express', 'fastify'])(
  'spec 7.3: in %s a sender that is still sending sees its 413, not a reset',
  async (name) => {
    const { port } = await serving(FRAMEWORKS[name]!)
    const socket = connect(port, '127.0.0.1')
    const head = `POST /hooks/signed HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\n`
    socket.write(`${head}Content-Length: ${MIB + 1}\r\n\r\n{`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
    socket.write(Buffer.alloc(MIB, 'x'))
    // Rejects when the connection is reset.
    await once(socket.resume(), 'end')
  },
)

describe('spec 5: in Express behind a parser', () => {
  const behind = (parser: ReturnType<typeof express.json>) =>
    serving(async (to) =>
      express().use(parser).post('/hooks/:route', expressHandler(to)).listen(0, '127.0.0.1'),
    )

  test('that threw the bytes away nothing is accepted, and the answer says why', async () => {
    const { deliver, inbox } = await behind(express.json())
    const reply = await deliver(bytes(envelope()))
    expect([reply.status, codeOf(reply)]).toEqual([500, 'raw_body_unavailable'])
    expect(inbox.kept).toEqual([])
  })

  test('that kept the bytes, they are verified', async () => {
    const { deliver } = await behind(express.raw({ type: () => true }))
    expect((await deliver(bytes(envelope()))).status).toBe(200)
  })
})

test('the rest of a Fastify server parses as before', async () => {
  const app = fastify()
  app.register(fastifyReceiver(receiving().receiver, { path: '/hooks/:route' }))
  app.post('/echo', (call) => call.body)
  const reply = await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } })
  expect(reply.json()).toEqual({ a: 1 })
})

test('the route is what the option says, or the last segment of the path', async () => {
  const { origin, sign, inbox } = await serving(async (to) =>
    createServer(nodeHandler(to, { route: 'signed' })).listen(0, '127.0.0.1'),
  )
  const url = `${origin}/anything/create_media_buy/op-1`
  const body = bytes(envelope())
  expect((await post(url, { headers: await sign(body, url), chunks: [body] })).status).toBe(200)
  expect(inbox.kept[0]!.route).toBe('signed')
  expect(lastSegment('/hooks/a%20b/?token=/x')).toBe('a b')
  expect(lastSegment('http://host/%zz#x')).toBe('%zz')
  expect(lastSegment('/')).toBe('')
})

test.each([
  [{}, '/a?b', 'http://host.example/a?b'],
  [{}, 'https://other.example/a?b', 'https://other.example/a?b'],
  [{ baseUrl: 'https://b.example/x' }, '/a?b', 'https://b.example/x/a?b'],
  [{ baseUrl: 'https://b.example' }, 'http://other.example/a', 'https://b.example/a'],
  [{ baseUrl: 'https://b.example', trustProxy: true }, '/a', 'https://b.example/a'],
  [{ trustProxy: true }, '/a', 'http://host.example/a'],
])('spec 5: with %j what was requested as %s is %s', (options, target, url) => {
  const headers = ['Host', 'host.example', 'X', 'Host', 'Y', 'z']
  const signed = asSigned({ target, isEncrypted: false, headers }, options)
  const host = url.split('/')[2]
  expect(signed).toEqual({ url, headers: ['Host', host, 'X', 'Host', 'Y', 'z'] })
})

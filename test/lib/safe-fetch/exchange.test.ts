import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable, type Transform } from 'node:stream'
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { EgressRequest } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { httpServer, loopbackEgress, tcpServer } from './loopback.ts'

/** Writes chunks as fast as they are taken, until the target is closed. */
function writeForEver(target: ServerResponse | Transform, chunk: Buffer): void {
  const endless = (function* () {
    for (;;) yield chunk
  })()
  pipeline(Readable.from(endless), target, () => {})
}

async function serveEncoded(encoding: string, body: Uint8Array) {
  return httpServer((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(body)
  })
}

describe('time', () => {
  test('egress: a server that never answers is a timeout', async () => {
    const server = await tcpServer(() => {})
    const result = await loopbackEgress().fetch({ url: server.url(), totalTimeoutMs: 100 })
    expect(result).toMatchObject({
      ok: false,
      code: 'timeout',
      message: expect.stringContaining('100'),
    })
    expect(result.durationMs).toBeGreaterThan(90)
    expect(result.durationMs).toBeLessThan(5000)
  })

  test('egress: a body that trickles is cut by the total deadline and its socket closed', async () => {
    const closed: Promise<unknown>[] = []
    const server = await httpServer((_request, response) => {
      const timer = setInterval(() => response.write('.'), 20)
      closed.push(once(response, 'close').then(() => clearInterval(timer)))
    })
    const result = await loopbackEgress().fetch({ url: server.url(), totalTimeoutMs: 200 })
    expect(result).toMatchObject({ ok: false, code: 'timeout' })
    await Promise.all(closed)
  })

  test('egress: headers that trickle are cut by the total deadline', async () => {
    const server = await tcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const result = await loopbackEgress().fetch({ url: server.url(), totalTimeoutMs: 200 })
    expect(result).toMatchObject({ ok: false, code: 'timeout' })
  })

  test('egress: a TLS handshake that never happens is a connect timeout', async () => {
    const server = await tcpServer(() => {})
    const result = await loopbackEgress({ connectTimeoutMs: 100 }).fetch({
      url: `https://127.0.0.1:${server.port}/`,
    })
    expect(result).toMatchObject({ ok: false, code: 'connect_timeout' })
  })

  test('egress: the caller can abort before, during and after', async () => {
    const server = await httpServer((request, response) => {
      if (request.url === '/ok') response.end('ok')
      else caller.abort()
    })
    const caller = new AbortController()
    const egress = loopbackEgress()
    const during = await egress.fetch({ url: server.url('/hang'), signal: caller.signal })
    expect(during).toMatchObject({ ok: false, code: 'aborted' })
    const before = await egress.fetch({ url: server.url('/ok'), signal: caller.signal })
    expect(before).toMatchObject({ ok: false, code: 'aborted' })
    expect(server.connectionCount()).toBe(1)
    const late = new AbortController()
    expect(await egress.fetch({ url: server.url('/ok'), signal: late.signal })).toMatchObject({
      ok: true,
    })
    late.abort()
  })
})

describe('size', () => {
  test('egress: a body of exactly maxBytes is whole and one byte more is too large', async () => {
    const server = await httpServer((_request, response) => response.end('12345678'))
    const egress = loopbackEgress()
    const get = (parts: Partial<EgressRequest>) => egress.fetch({ url: server.url(), ...parts })
    expect(await get({ maxBytes: 8 })).toMatchObject({ ok: true, truncated: false })
    expect(await get({ maxBytes: 7 })).toMatchObject({ ok: false, code: 'too_large' })
    const cut = { ok: true, truncated: true, body: Buffer.from('1234567') }
    expect(await get({ maxBytes: 7, overflow: 'truncate' })).toMatchObject(cut)
    const whole = { ok: true, truncated: false }
    expect(await get({ maxBytes: 8, overflow: 'truncate' })).toMatchObject(whole)
  })

  test('egress: an endless body fails or is truncated, and the socket is closed', async () => {
    const closed: Promise<unknown>[] = []
    const server = await httpServer((_request, response) => {
      closed.push(once(response, 'close'))
      writeForEver(response, Buffer.alloc(16_384, 'x'))
    })
    const egress = loopbackEgress()
    expect(await egress.fetch({ url: server.url() })).toMatchObject({ code: 'too_large' })
    const cut = await egress.fetch({ url: server.url(), overflow: 'truncate' })
    expect(cut).toMatchObject({ ok: true, truncated: true })
    expect(cut.ok && cut.body.byteLength).toBe(65_536)
    await Promise.all(closed)
  })

  test('egress: an endless gzip bomb is cut early and takes no memory', async () => {
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const gzip = createGzip()
      gzip.pipe(response)
      response.on('close', () => gzip.destroy())
      writeForEver(gzip, Buffer.alloc(1_048_576))
    })
    const before = process.memoryUsage().arrayBuffers
    const egress = loopbackEgress()
    expect(await egress.fetch({ url: server.url() })).toMatchObject({ code: 'too_large' })
    const cut = await egress.fetch({ url: server.url(), overflow: 'truncate', maxBytes: 1000 })
    expect(cut).toMatchObject({ ok: true, truncated: true, body: Buffer.alloc(1000) })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1_048_576)
  })

  test('egress: a bomb that arrives in one piece is cut as well', async () => {
    const server = await serveEncoded('gzip', gzipSync(Buffer.alloc(50_000_000)))
    expect(await loopbackEgress().fetch({ url: server.url() })).toMatchObject({ code: 'too_large' })
  })

  test('egress: compressed data that decodes to nothing for ever is cut by its own size', async () => {
    const empty = gzipSync('')
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      writeForEver(response, Buffer.concat(Array(500).fill(empty)))
    })
    expect(await loopbackEgress().fetch({ url: server.url() })).toMatchObject({ code: 'too_large' })
  })

  test('egress: headers of 10 MB are too large', async () => {
    const server = await tcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      socket.write(`x-a: ${'b'.repeat(1000)}\r\n`.repeat(10_000))
    })
    expect(await loopbackEgress().fetch({ url: server.url() })).toMatchObject({ code: 'too_large' })
  })
})

describe('encodings', () => {
  const text = Buffer.from('a text that is long enough, long enough, long enough')
  const layers: [string, Buffer][] = [
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', text],
  ]

  test.each(layers)('egress: a body in %s is decoded', async (encoding, body) => {
    const server = await serveEncoded(encoding, body)
    expect(await loopbackEgress().fetch({ url: server.url() })).toMatchObject({
      ok: true,
      body: text,
    })
  })

  const broken: [string, Buffer][] = [
    ['gzip, gzip', gzipSync(gzipSync(text))],
    ['gzip', text],
    ['gzip', gzipSync(text).subarray(0, -12)],
    ['br', text],
    ['deflate', text],
    ['zstd', text],
    ['constructor', text],
  ]

  test.each(broken)(
    'egress: a body that is not one layer of %s fails to decode',
    async (name, body) => {
      const server = await serveEncoded(name, body)
      expect(await loopbackEgress().fetch({ url: server.url() })).toMatchObject({
        code: 'decode_failed',
      })
    },
  )

  test.each(broken)(
    'egress: a caller that accepts a part of the body gets the status of one that is not %s',
    async (name, body) => {
      const server = await serveEncoded(name, body)
      const request = { url: server.url(), overflow: 'truncate' } as const
      const result = await loopbackEgress().fetch(request)
      expect(result).toMatchObject({ ok: true, status: 200, truncated: true })
    },
  )

  test('egress: an empty body needs no decoding', async () => {
    const server = await serveEncoded('gzip', Buffer.alloc(0))
    const result = await loopbackEgress().fetch({ url: server.url() })
    expect(result).toMatchObject({ ok: true, body: Buffer.alloc(0) })
  })
})

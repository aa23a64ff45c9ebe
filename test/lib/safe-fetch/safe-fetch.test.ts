import { EventEmitter, once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createEgress, type EgressRequest } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { httpServer, loopbackEgress, tcpServer } from './loopback.ts'

describe('a request', () => {
  test('egress: a GET comes back with status, joined headers, body and final URL', async () => {
    const server = await httpServer((_request, response) => {
      response.setHeader('X-Part', ['one', 'two'])
      response.writeHead(404).end('not here')
    })
    const result = await loopbackEgress().fetch({ url: server.url('/a?b=c') })

    expect(result).toMatchObject({ ok: true, status: 404, truncated: false })
    expect(result).toMatchObject({ url: server.url('/a?b=c'), durationMs: expect.any(Number) })
    expect(result).toMatchObject({
      headers: { 'x-part': 'one, two' },
      body: Buffer.from('not here'),
    })
  })

  test('egress: a POST carries exactly its bytes, with their length and never chunked', async () => {
    const body = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
    const server = await httpServer(async (request, response) => {
      const { 'content-length': length, 'transfer-encoding': coding } = request.headers
      response.setHeader('seen', `${request.method} ${length} ${coding}`)
      response.end(await buffer(request))
    })
    const request: EgressRequest = { url: server.url(), method: 'POST', body, maxBytes: 70_000 }
    const result = await loopbackEgress().fetch(request)

    expect(result).toMatchObject({ ok: true, headers: { seen: 'POST 70000 undefined' } })
    expect(result.ok && result.body.equals(body)).toBe(true)
  })

  test('egress: a text body is sent as UTF-8', async () => {
    const server = await httpServer(async (request, response) => {
      response.end(`${request.headers['content-length']} ${await buffer(request)}`)
    })
    const result = await loopbackEgress().fetch({ url: server.url(), method: 'PUT', body: 'größe' })
    expect(result.ok && result.body.toString()).toBe('7 größe')
  })

  test('egress: the host header is the URL host and the defaults yield to the caller', async () => {
    const server = await httpServer((request, response) => {
      const { host, cookie, 'user-agent': agent, 'accept-encoding': encoding } = request.headers
      response.setHeader('set-cookie', 'a=b')
      response.end(JSON.stringify([host, agent, encoding, cookie]))
    })
    const egress = loopbackEgress({ userAgent: 'agent/1' })
    const text = async (headers: Record<string, string>) => {
      const result = await egress.fetch({ url: server.url('/', 'a.example.com'), headers })
      return result.ok && JSON.parse(result.body.toString())
    }

    const host = `a.example.com:${server.port}`
    expect(await text({})).toEqual([host, 'agent/1', 'gzip, deflate, br', null])
    const own = { 'Accept-Encoding': 'identity', 'User-Agent': 'other' }
    expect(await text(own)).toEqual([host, 'other', 'identity', null])
  })

  test('egress: HEAD, 204 and 304 have no body, whatever their headers announce', async () => {
    const server = await httpServer((request, response) => {
      response.writeHead(Number(request.url?.slice(1)), {
        'content-encoding': 'gzip',
        ...(request.url === '/204' ? {} : { 'content-length': '500' }),
      })
      response.end()
    })
    const egress = loopbackEgress()
    for (const [method, status] of [
      ['HEAD', 200],
      ['GET', 204],
      ['GET', 304],
    ] as const) {
      const result = await egress.fetch({ url: server.url(`/${status}`), method })
      expect(result).toMatchObject({ ok: true, status, body: Buffer.alloc(0) })
    }
  })

  test('egress: an informational response is passed over', async () => {
    const server = await httpServer((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.end('final')
    })
    const result = await loopbackEgress().fetch({ url: server.url() })
    expect(result).toMatchObject({ ok: true, status: 200, body: Buffer.from('final') })
  })
})

describe('a failing connection', () => {
  test('egress: a refused connection is connect_failed and names no address', async () => {
    const url = `http://closed.example.com:1/?token=s3cret`
    const result = await loopbackEgress().fetch({ url })
    expect(result).toMatchObject({ ok: false, code: 'connect_failed' })
    expect(JSON.stringify(result)).not.toMatch(/127\.0\.0\.1|s3cret/)
    expect(Object.keys(result).sort()).toEqual(['code', 'durationMs', 'message', 'ok'])
  })

  test('egress: the next checked address is tried while no connection came about', async () => {
    const server = await httpServer((_request, response) => response.end('second'))
    const egress = loopbackEgress({ resolve: async () => ['127.0.0.2', '127.0.0.1'] })
    const result = await egress.fetch({ url: server.url('/', 'two.example.com'), method: 'POST' })
    expect(result).toMatchObject({ ok: true, body: Buffer.from('second') })
  })

  test('egress: a connection that dies in mid-response is a reset', async () => {
    const server = await tcpServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () =>
          socket.resetAndDestroy(),
        )
      })
    })
    expect(await loopbackEgress().fetch({ url: server.url() })).toMatchObject({ code: 'reset' })
  })

  test('egress: a chunked body that ends early is a reset, not a short body', async () => {
    const server = await tcpServer((socket) => {
      socket.once('data', () => {
        socket.end(
          'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\nab',
        )
      })
    })
    expect(await loopbackEgress().fetch({ url: server.url() })).toMatchObject({ code: 'reset' })
  })

  test('egress: a peer that does not speak HTTP is a decode failure', async () => {
    const server = await tcpServer((socket) => {
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    })
    const result = await loopbackEgress().fetch({ url: server.url() })
    expect(result).toMatchObject({ ok: false, code: 'decode_failed' })
  })
})

describe('kept-alive connections', () => {
  test('egress: requests one after the other share one connection', async () => {
    const server = await httpServer((_request, response) => response.end('ok'))
    const egress = loopbackEgress()
    for (let count = 0; count < 5; count++) {
      expect(await egress.fetch({ url: server.url() })).toMatchObject({ ok: true })
      await nextTurn()
    }
    expect(server.connectionCount()).toBe(1)
  })

  test('egress: a POST on a kept connection that dies is a reset and is not sent again', async () => {
    const posts: string[] = []
    const server = await tcpServer((socket) => {
      socket.on('data', (data) => {
        posts.push(data.toString().slice(0, 8))
        if (posts.length > 1) return socket.destroy()
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      })
    })
    const egress = loopbackEgress()
    const send = (path: string) =>
      egress.fetch({ url: server.url(path), method: 'POST', body: 'payload' })

    expect(await send('/1')).toMatchObject({ ok: true, status: 200 })
    await nextTurn()
    expect(await send('/2')).toMatchObject({ ok: false, code: 'reset' })
    expect(posts).toEqual(['POST /1 ', 'POST /2 '])
    expect(server.connectionCount()).toBe(1)
  })

  test.each(['GET', 'POST'])(
    'egress: a %s after the server closed the idle connection is sent once, on a new one',
    async (method) => {
      const seen: string[] = []
      const closed: Promise<unknown>[] = []
      const server = await tcpServer((socket) => {
        socket.once('data', (data) => {
          seen.push(data.toString().split(' HTTP')[0] ?? '')
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
          closed.push(once(socket, 'close'))
        })
      })
      const egress = loopbackEgress()
      expect(await egress.fetch({ url: server.url('/1'), method })).toMatchObject({ ok: true })
      await Promise.all(closed)
      expect(await egress.fetch({ url: server.url('/2'), method })).toMatchObject({ ok: true })
      expect(seen).toEqual([`${method} /1`, `${method} /2`])
    },
  )

  test('egress: closing lets a request under way finish and aborts later ones', async () => {
    const events = new EventEmitter()
    let answer = () => {}
    const server = await httpServer((_request, response) => {
      answer = () => response.end('late')
      events.emit('arrived')
    })
    const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
    const arrived = once(events, 'arrived')
    const first = egress.fetch({ url: server.url() })
    await arrived
    const closing = egress.close()
    answer()
    expect(await first).toMatchObject({ ok: true, body: Buffer.from('late') })
    await closing
    expect(await egress.fetch({ url: server.url() })).toMatchObject({ code: 'aborted' })
  })
})

import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { createConnections } from '../../../src/lib/safe-fetch/connections.ts'
import { listen, loopbackEgress, tcpServer } from './loopback.ts'

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
const ca = fixture('ca.pem')

/** A TLS server for receiver.example.com that responds with the name requested by SNI. */
async function receiver() {
  const requests: string[] = []
  const tls = { key: fixture('server-key.pem'), cert: fixture('server-cert.pem') }
  const server = createServer(tls, (request, response) => {
    requests.push(request.url ?? '')
    const { servername } = request.socket as TLSSocket & { servername: string | false }
    response.end(`${servername} ${request.headers.host}`)
  })
  server.on('tlsClientError', () => {})
  return { ...(await listen(server, 'https')), requests }
}

describe('TLS', () => {
  test('egress: a trusted certificate is checked against the name, not the address', async () => {
    const server = await receiver()
    const egress = loopbackEgress({ ca })
    const result = await egress.fetch({ url: server.url('/', 'receiver.example.com') })
    const body = Buffer.from(`receiver.example.com receiver.example.com:${server.port}`)
    expect(result).toMatchObject({ ok: true, body })

    const dotted = await egress.fetch({ url: server.url('/', 'receiver.example.com.') })
    expect(dotted).toMatchObject({ ok: true, status: 200 })
  })

  test('egress: a certificate for another name is tls_failed, each time, and nothing is sent', async () => {
    const server = await receiver()
    const egress = loopbackEgress({ ca })
    const right = { url: server.url('/right', 'receiver.example.com') }
    const wrong = { url: server.url('/wrong', 'other.example.com'), method: 'POST', body: 'secret' }
    expect(await egress.fetch(right)).toMatchObject({ ok: true })
    const certificate = 'other_name'
    expect(await egress.fetch(wrong)).toMatchObject({ ok: false, code: 'tls_failed', certificate })
    expect(await egress.fetch(wrong)).toMatchObject({ ok: false, code: 'tls_failed' })
    expect(server.requests).toEqual(['/right'])
  })

  test('egress: a certificate of an unknown authority is tls_failed', async () => {
    const server = await receiver()
    const result = await loopbackEgress().fetch({ url: server.url('/', 'receiver.example.com') })
    const certificate = 'untrusted'
    expect(result).toMatchObject({ ok: false, code: 'tls_failed', certificate })
    expect(server.requests).toEqual([])
  })

  test('egress: the certificate of a literal address is checked against the address', async () => {
    const server = await receiver()
    const egress = loopbackEgress({ ca })
    expect(await egress.fetch({ url: server.url() })).toMatchObject({ ok: true, status: 200 })
  })

  test('egress: https to a server that speaks plain http is tls_failed', async () => {
    const server = await tcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const result = await loopbackEgress({ ca }).fetch({ url: `https://127.0.0.1:${server.port}/` })
    expect(result).toMatchObject({ ok: false, code: 'tls_failed' })
  })
})

describe('connections', () => {
  test('egress: a connection that no request waits for any longer does not hold up close', async () => {
    const server = await tcpServer(() => {})
    const egress = loopbackEgress({ ca, connectTimeoutMs: 600_000 })
    const gone = AbortSignal.timeout(200)
    const result = await egress.fetch({ url: `https://127.0.0.1:${server.port}/`, signal: gone })
    expect(result).toMatchObject({ ok: false, code: 'aborted' })
    await egress.close()
  })

  test('egress: with more than 1024 destinations the oldest is dropped, the latest used is kept', async () => {
    const connections = createConnections({ connectTimeoutMs: 1000, ca: undefined })
    await connections.load()
    const to = (port: number) =>
      connections.to(new URL(`http://127.0.0.1:${port}`), '127.0.0.1', '')
    const [first, second] = [to(1), to(2)]
    for (let port = 3; port <= 1_024; port++) to(port)
    expect(to(1)).toBe(first)
    to(1_025)
    expect(to(1)).toBe(first)
    expect(to(2)).not.toBe(second)
    await connections.close()
    expect(to(1)).toBeNull()
  })
})

// Real servers on 127.0.0.1 for the egress guard's tests, counting what reaches them, and a guard
// that may reach them. Everything opened here is closed after each test.

import { once } from 'node:events'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  createEgress,
  type Egress,
  type EgressOptions,
} from '../../../src/lib/safe-fetch/safe-fetch.ts'

export interface Loopback {
  port: number
  /** A URL of this server under a literal address or, with a host, under that name. */
  url(path?: string, host?: string): string
  connectionCount(): number
}

/** An http server whose listener answers every request. */
export async function httpServer(listener: RequestListener): Promise<Loopback> {
  const server = createHttp(listener)
  server.on('clientError', (_error, socket) => socket.destroy())
  return listen(server, 'http')
}

/** A TCP server, for peers that do not speak proper HTTP. */
export async function tcpServer(onSocket: (socket: Socket) => void): Promise<Loopback> {
  return listen(createTcp(onSocket), 'http')
}

/** Listens until the test ends; sockets are destroyed with the server. */
export async function listen(server: Server, scheme: 'http' | 'https'): Promise<Loopback> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: (path = '/', host = '127.0.0.1') => `${scheme}://${host}:${port}${path}`,
    connectionCount: () => connections,
  }
}

/** A guard for the loopback: plain http is allowed and every name resolves to 127.0.0.1. */
export function loopbackEgress(options: EgressOptions = {}): Egress {
  return testEgress({
    allow: ['127.0.0.0/8'],
    allowHttp: true,
    resolve: async () => ['127.0.0.1'],
    ...options,
  })
}

/** A guard that is closed when the test ends. */
export function testEgress(options: EgressOptions = {}): Egress {
  const egress = createEgress(options)
  onTestFinished(() => egress.close())
  return egress
}

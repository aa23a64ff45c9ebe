// How a server responds to bytes that are not an HTTP request, in a way that the client receives: a socket destroyed
// on unread bytes is reset, and the client would never see the response.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { LINGER_MS } from './linger.ts'

const STATUS_OF: ReadonlyMap<string, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
])

const refused = new WeakSet<Socket>()

/** For the event `clientError` of an HTTP server. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (refused.has(socket)) return
  refused.add(socket)
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = STATUS_OF.get(error.code ?? '') ?? 400
  const body = JSON.stringify({
    error: `the request is malformed: ${REASON.get(status)}`,
  })
  socket.on('error', () => {})
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

const REASON: ReadonlyMap<number, string> = new Map([
  [400, 'it is not well-formed HTTP/1.1'],
  [408, 'it did not arrive in time'],
  [413, 'its chunk extensions are too long'],
  [431, 'its headers are too long'],
])

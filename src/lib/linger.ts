// Lets a client receive a response that was sent before its body was read. Closing a socket with unread bytes resets
// it, and the response is lost; never closing it means reading an upload without end. So the rest of the body is
// discarded for a short time and up to a number of bytes, and then the connection is closed.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long remaining input is discarded before the connection is closed. */
export const LINGER_MS = 1_000
/** The size of the largest request, so that a client that writes before it reads receives the response. */
const LINGER_BYTES = 16 * 1_024 * 1_024
const LOOKS = 10

/** The request that a socket is at. */
const latest = new WeakMap<Socket, IncomingMessage>()
/** Requests whose clients wait for 100 Continue. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/** Must be called for every request before it is processed. */
export function lingerForResponse(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request
  const length = headers['content-length']
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return
  if (!latest.has(socket)) closeGently(socket)
  latest.set(socket, request)
  response.once('finish', () => {
    if (!request.complete) letPast(request)
  })
}

/** For the event `checkContinue`: the body is requested when it is first read. */
export function keepWaiting(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response)
  // Whether the rest of a refused request's body arrives is up to the client, so the stream's state is unknown.
  response.setHeader('connection', 'close')
}

/** Requests the body from a client that waits for 100 Continue. */
export function askForBody(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue()
  waiting.delete(request)
}

/** Reads and discards until the request ends, the time is up or the byte limit is reached. */
function letPast(request: IncomingMessage): void {
  const { socket } = request
  const started = socket.bytesRead
  let looks = LOOKS
  const timer = setInterval(() => {
    looks--
    if (looks === 0 || socket.bytesRead - started > LINGER_BYTES) socket.destroy()
  }, LINGER_MS / LOOKS)
  // It closes with its socket, too.
  request.once('close', () => clearInterval(timer))
  request.resume()
}

/** Node destroys a socket once its last response is sent; with unread bytes it is only half-closed here. */
function closeGently(socket: Socket): void {
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    if (latest.get(socket)?.complete === false) socket.end()
    else destroySoon()
  }
}

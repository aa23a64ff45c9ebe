// Lets a client receive a response that was sent before its body was read. A socket that is closed over unread bytes
// is reset, and the response is lost with it; one that is never closed reads an upload without end. So the rest of
// the body is discarded for a short time and up to a number of bytes, and then the connection is cut.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long what is still coming is let past before the connection is cut. */
export const LINGER_MS = 1_000
/** As much as the largest request, so that who writes before it reads comes to the answer. */
const LINGER_BYTES = 16 * 1_024 * 1_024
const LOOKS = 10

/** The request that a socket is at. */
const latest = new WeakMap<Socket, IncomingMessage>()
/** Requests whose clients wait for 100 Continue. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/** To be called for every request, before it is looked at. */
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
  // Whether the body of a refused request still comes is the client's choice: what follows is unclear.
  response.setHeader('connection', 'close')
}

/** Asks for the body of a request whose client waits for that. */
export function askForBody(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue()
  waiting.delete(request)
}

/** Reads on without keeping anything, until the request ends, the time is up or the bytes are too many. */
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

/** Node destroys a socket as soon as its last answer is out; here it is only ended over unread bytes. */
function closeGently(socket: Socket): void {
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    if (latest.get(socket)?.complete === false) socket.end()
    else destroySoon()
  }
}

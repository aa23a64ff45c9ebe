// The receiver as a request listener of `node:http`. The other frameworks on node use this one: they pass their
// request before anything has read its body.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Receive, Reply } from '../delivery.ts'
import { readBody } from './read-body.ts'
import { asSigned, lastSegment, type UrlOptions } from './request-url.ts'

/** The part of a receiver that an adapter needs. */
export interface Receiving {
  receive: Receive
  maxBodyBytes: number
}

export interface AdapterOptions<Request = IncomingMessage> extends UrlOptions {
  /** The name of the route, or a function that returns it. Default: the last segment of the path. */
  route?: string | ((request: Request) => string)
}

/** Answers every request it receives; mount it at any path. */
export function nodeHandler(
  receiver: Receiving,
  { route = ({ url }) => lastSegment(url ?? ''), ...urlOptions }: AdapterOptions = {},
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return (request, response) =>
    answer(
      receiver,
      { request, response },
      {
        ...urlOptions,
        route: typeof route === 'string' ? route : () => route(request),
        target: request.url ?? '/',
      },
    )
}

interface Addressed extends UrlOptions {
  route: string | (() => string)
  /** The requested URL, even if a framework has changed `request.url` since. */
  target: string
}

export async function answer(
  { receive, maxBodyBytes }: Receiving,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { route, target, ...urlOptions }: Addressed,
): Promise<void> {
  const body = await readBody(request, maxBodyBytes)
  if (body === 'gone') return void response.destroy()
  if (body === 'taken') return response.headersSent ? undefined : send(response, BODY_TAKEN)
  const { method = '', rawHeaders: headers } = request
  const isEncrypted = (request.socket as TLSSocket).encrypted === true
  const signed = asSigned({ target, isEncrypted, headers }, urlOptions)
  const reply = await receive({ route, method, ...signed, body })
  // Other code, such as a timeout middleware, has answered meanwhile.
  if (response.headersSent) return
  if (body !== 'too-large') return send(response, reply)

  // The whole response is sent, then the connection is closed. Incoming data is discarded for a moment: closing a
  // socket with unread bytes resets it, and the sender would never see the response.
  response.setHeader('connection', 'close')
  head(response, reply).write(reply.body)
  await discard(request)
  response.end()
}

/** Fails closed: without the bytes nothing can be verified (spec 5). */
export const BODY_TAKEN: Reply = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    error: {
      code: 'raw_body_unavailable',
      message: 'The body was parsed before the receiver: mount the receiver ahead of body parsers.',
    },
  }),
}

function send(response: ServerResponse, reply: Reply): void {
  head(response, reply).end(reply.body)
}

function head(response: ServerResponse, { status, headers, body }: Reply): ServerResponse {
  return response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
}

/** More than the socket buffers of both ends hold: a sender may have written that much before it reads the answer. */
const DISCARD_BYTES = 16 * 1_048_576
const DISCARD_MS = 1_000

function discard(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    const stop = () => {
      clearTimeout(timer)
      request.off('data', onData).off('end', stop).off('close', stop).pause()
      resolve()
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.byteLength
      if (bytes > DISCARD_BYTES) stop()
    }
    const timer = setTimeout(stop, DISCARD_MS)
    if (request.readableEnded || request.destroyed) return stop()
    request
      .on('data', onData)
      .on('end', stop)
      .on('close', stop)
      .on('error', () => {})
    request.resume()
  })
}

// The sockets of the server: how many there may be, how long they may take, and which of them are
// closed when the server stops or their client does not read.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { keepWaiting, lingerForResponse } from '../../lib/linger.ts'
import { steadyClock } from '../../lib/steady-clock.ts'
import { HTTP_LIMITS } from './limits.ts'
import type { QuickAnswer } from './registry/quick-lookup.ts'
import { createRequestQueue } from './request-queue.ts'
import { boundUnread, createSlowReaderSweep } from './slow-readers.ts'
import type { TurnOwner } from './start-queue.ts'

export interface ConnectionOptions {
  /** Answers requests that it can before the framework; see `registry/quick-lookup.ts`. Default: nothing. */
  quick?: QuickAnswer
  /** Default 10 000. */
  maxConnections?: number
  /** Headers of every answer, without the request id. */
  headers: Readonly<Record<string, string>>
  /** Aborted when the server stops: later requests are refused. Default: never. */
  stopping?: AbortSignal
}

/** Longer than the usual proxy keeps an idle connection, so that this server is not the side that closes it. */
const KEEP_ALIVE_MS = 72_000
/** How often to check for connections that take too long. */
const CHECKED_EVERY_MS = 5_000

export function serverFactory(
  { quick, headers, stopping, maxConnections = HTTP_LIMITS.connections.value }: ConnectionOptions,
  ownerOf: (request: IncomingMessage) => TurnOwner,
): FastifyServerOptions {
  const limits = {
    headersTimeout: HTTP_LIMITS.headersMs.value,
    requestTimeout: HTTP_LIMITS.requestMs.value,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECKED_EVERY_MS,
  }
  const maxPipelined = HTTP_LIMITS.pipelinedRequests.value
  const queue = createRequestQueue({ ownerOf, maxPipelined })
  return {
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    serverFactory: (handle) => {
      const server: Server = createServer(limits, (request, response) => {
        if (stopping?.aborted) return refuseAtStop(response, headers)
        const start = () => {
          lingerForResponse(request, response)
          handle(request, response)
        }
        queue.inOrder(request, response, () => {
          const otherwise = () => queue.inTurn(request, start)
          if (!quick?.(request, response, otherwise)) otherwise()
        })
      })
      server.on('checkContinue', (request, response) => {
        if (stopping?.aborted) return refuseAtStop(response, headers)
        keepWaiting(request, response)
        queue.inOrder(request, response, () =>
          queue.inTurn(request, () => {
            lingerForResponse(request, response)
            handle(request, response)
          }),
        )
      })
      server.maxConnections = maxConnections
      return server
    },
  }
}

/**
 * For a connection that was already open: a client that retries reaches another server, or this one after its
 * restart.
 */
function refuseAtStop(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response
    .writeHead(503, {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'retry-after': String(STOPPED_RETRY_SECONDS),
      connection: 'close',
    })
    .end(JSON.stringify({ error: 'the server is stopping: retry the request' }))
}

const STOPPED_RETRY_SECONDS = 5

/** How often to check for sockets with clients that do not read. */
const SWEEP_MS = 1_000

export interface CareOptions {
  /** How long a client may take to read what it was sent, in milliseconds. */
  answerMs: number
  onCut(connections: number): void
}

/** On stop, requests in progress finish, and no connection is kept open for further ones. */
export function careForConnections(app: FastifyInstance, { answerMs, onCut }: CareOptions): void {
  const { server } = app
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    boundUnread(socket, () => onCut(1))
  })
  const sweep = createSlowReaderSweep({ clock: steadyClock, answerMs })
  const sweeping = setInterval(() => {
    const cut = sweep(open)
    if (cut > 0) onCut(cut)
  }, SWEEP_MS)
  sweeping.unref()
  server.once('close', () => clearInterval(sweeping))

  const closeIdle = () => {
    server.closeIdleConnections()
    // Node considers a connection busy that has not sent a byte yet.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', (done) => {
    const closing = setInterval(closeIdle, 50)
    closing.unref()
    server.once('close', () => clearInterval(closing))
    done()
  })
}

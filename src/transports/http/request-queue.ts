// When the work on a request starts. Requests of one connection run one after the other, so pipelining cannot produce
// more than one response at a time. A burst does not run in one turn of the event loop: requests that do not fit into
// a short slice wait, and the callers take turns.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createStartQueue, type TurnOwner } from './start-queue.ts'

export interface RequestQueueOptions {
  /** Whose turn a request takes. */
  ownerOf: (request: IncomingMessage) => TurnOwner
  /** Maximum requests of one connection that wait for the previous one. */
  maxPipelined: number
}

export interface RequestQueue {
  /** Starts when the previous responses on the connection have been sent; never if the connection closes first. */
  inOrder(request: IncomingMessage, response: ServerResponse, start: () => void): void
  /** Starts when it is the caller's turn; never when the connection closes first. */
  inTurn(request: IncomingMessage, start: () => void): void
}

export function createRequestQueue({ ownerOf, maxPipelined }: RequestQueueOptions): RequestQueue {
  const turns = createStartQueue()
  const lines = createConnectionLines(maxPipelined)
  return {
    inOrder: ({ socket }, response, start) => lines.add(socket, { response, start }),
    inTurn: (request, start) =>
      turns.add(
        () => ownerOf(request),
        () => {
          if (!request.socket.destroyed) start()
        },
      ),
  }
}

interface Waiting {
  response: ServerResponse
  start: () => void
}

/** Node hands over every pipelined request at once. Each waits here until the previous response has been sent. */
function createConnectionLines(maxPipelined: number) {
  const latest = new WeakMap<Socket, ServerResponse>()
  const lines = new WeakMap<Socket, Waiting[]>()

  function startNext(socket: Socket): void {
    const line = lines.get(socket)
    const next = line?.shift()
    if (!next || socket.destroyed) return
    if (line?.length === 0) lines.delete(socket)
    else next.response.once('close', () => startNext(socket))
    next.start()
  }

  function wait(socket: Socket, before: ServerResponse, one: Waiting): void {
    const line = lines.get(socket)
    if (!line) {
      lines.set(socket, [one])
      before.once('close', () => startNext(socket))
    } else if (line.length < maxPipelined) {
      line.push(one)
    } else {
      // RFC 9112 §9.3.2: a client that pipelines repeats unanswered requests.
      socket.destroy()
    }
  }

  return {
    add: (socket: Socket, one: Waiting): void => {
      const before = latest.get(socket)
      latest.set(socket, one.response)
      // A response gets the connection when the previous ones have been sent.
      if (one.response.socket !== null || !before) one.start()
      else wait(socket, before, one)
    },
  }
}

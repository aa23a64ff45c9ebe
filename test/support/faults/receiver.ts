// A webhook receiver on this machine that records every request it sees and answers as instructed.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Seen {
  path: string
  /** The exact bytes. */
  body: Buffer
  idempotency_key: string
  /** Of the event: a task's status. */
  status: string
  task_id: string
  nonce: string
  /** In seconds, as signed. */
  created: number
  expires: number
  /** In milliseconds. */
  arrivedAt: number
  /** From 1: which request of this key it is. */
  nth: number
  /** Answered 2xx: from then on the receiver's effect has happened. */
  isAccepted: boolean
}

/** Undefined answers 200. What it answers by itself it answers with `response`. */
export type Reply = (
  seen: Seen,
  response: ServerResponse,
) => number | undefined | Promise<number | undefined>

export interface Receiver {
  url(path?: string, host?: string): string
  /** Every request whose body arrived, in the order of arrival. */
  seen: Seen[]
  close(): Promise<void>
}

export async function startReceiver(reply: Reply = () => undefined): Promise<Receiver> {
  const seen: Seen[] = []
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    response.on('error', () => {})
    const body = await bodyOf(request)
    // Broken off by a sender that died: what it was about is not known.
    if (!body) return
    const one = readRequest(request, body)
    one.nth = (counts.get(one.idempotency_key) ?? 0) + 1
    counts.set(one.idempotency_key, one.nth)
    seen.push(one)
    const status = (await reply(one, response)) ?? 200
    if (response.headersSent || response.destroyed) return
    // From here on a sender that dies may or may not have received it.
    one.isAccepted = status >= 200 && status < 300
    response.writeHead(status).end()
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: (path = '/', host = '127.0.0.1') => `http://${host}:${port}${path}`,
    seen,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}

interface Envelope {
  idempotency_key?: string
  status: string | { state: string }
  task_id?: string
  taskId?: string
  metadata?: { idempotency_key: string }
}

function readRequest({ url, headers }: IncomingMessage, body: Buffer): Seen {
  const envelope = JSON.parse(body.toString()) as Envelope
  const { status, metadata } = envelope
  const signed = String(headers['signature-input'])
  const parameter = (name: string) => new RegExp(`;${name}="?([^";]+)`).exec(signed)?.[1] ?? ''
  return {
    path: url ?? '',
    body,
    idempotency_key: envelope.idempotency_key ?? metadata?.idempotency_key ?? '',
    status: typeof status === 'string' ? status : status.state,
    task_id: envelope.task_id ?? envelope.taskId ?? '',
    nonce: parameter('nonce'),
    created: Number(parameter('created')),
    expires: Number(parameter('expires')),
    arrivedAt: Date.now(),
    nth: 0,
    isAccepted: false,
  }
}

// The doctor's own webhook receiver: stores what arrives, byte for byte, and responds as the rehearsal requires. It
// is on this machine; an agent elsewhere reaches it at the configured URL.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tryJsonObject } from '../../lib/try-json.ts'
import type { HttpMessage } from '../../signing/ports.ts'

/** A delivery as it came. */
export interface Caught {
  message: HttpMessage
  /** The body as an object; undefined if it is not one. */
  body: Record<string, unknown> | undefined
  /** Seconds. */
  at: number
  /** What it was answered. */
  answered: number
}

export interface OwnReceiver {
  /** A URL for one operation: webhooks that arrive there are stored under its name. */
  urlFor(operation: string): string
  caught(operation: string): readonly Caught[]
  /** Responds to the first delivery of an operation with 503. */
  failFirst(operation: string): void
  /** Resolves when something arrives, or the time is up. */
  news(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

export interface OwnReceiverOptions {
  host: string
  port: number
  /** Where the agent reaches it. Default: the address that it listens on. */
  baseUrl: string | undefined
}

const MAX_BODY_BYTES = 1_024 * 1_024
const MAX_CAUGHT = 500

export async function openOwnReceiver({
  host,
  port,
  baseUrl,
}: OwnReceiverOptions): Promise<OwnReceiver> {
  const secret = randomBytes(12).toString('hex')
  const kept = new Map<string, Caught[]>()
  const failing = new Set<string>()
  const waiting = new Set<() => void>()
  let total = 0

  const take = async (request: IncomingMessage): Promise<number> => {
    const [, given, operation = ''] = (request.url ?? '').split('/')
    const caught = kept.get(operation)
    if (given !== secret || !caught) return 404
    if (++total > MAX_CAUGHT) return 429
    const body = await bytesOf(request)
    if (body === undefined) return 413
    const { method = '', headers } = request
    const answered = failing.delete(operation) ? 503 : 200
    caught.push({
      message: { method, url: urlFor(operation), headers, body },
      body: tryJsonObject(body.toString('utf8')),
      at: Date.now() / 1_000,
      answered,
    })
    for (const report of waiting) report()
    return answered
  }
  const server = createServer((request, response) => {
    take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    )
  })
  server.requestTimeout = 30_000
  server.listen(port, host)
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  const base = baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${taken}`
  const urlFor = (operation: string) => `${base}/${secret}/${operation}`

  return {
    urlFor: (operation) => {
      if (!kept.has(operation)) kept.set(operation, [])
      return urlFor(operation)
    },
    caught: (operation) => kept.get(operation) ?? [],
    failFirst: (operation) => void failing.add(operation),
    news: (timeoutMs) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, timeoutMs)
        waiting.add(end)
      }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.byteLength
    if (size > MAX_BODY_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

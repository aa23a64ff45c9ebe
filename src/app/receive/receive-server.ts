// The paths of `adwire receive`: POST /hooks/<route> and whatever follows it, /healthz and /metrics.

import { createServer, type Server, type ServerResponse } from 'node:http'
import { defined } from '../../lib/defined.ts'
import { refuseMalformed } from '../../lib/refuse-malformed.ts'
import { nodeHandler, type Receiving } from '../../webhooks/receiver/adapters/node.ts'

export interface ReceiveServerOptions {
  receiver: Receiving
  /** The URL at which senders reach this server. Default: derived from their requests. */
  publicUrl: string | undefined
  metricsText: () => Promise<string>
  /** Rejects with the reason while nothing can be stored. */
  ready: () => Promise<void>
}

export function createReceiveServer(options: ReceiveServerOptions): Server {
  const { receiver, publicUrl, metricsText, ready } = options
  const handler = nodeHandler(receiver, {
    route: ({ url }) => routeOf(url ?? '') ?? '',
    ...defined({ baseUrl: publicUrl }),
  })
  const server = createServer((request, response) => {
    const { url = '' } = request
    const failed = () => void response.destroy()
    if (routeOf(url) !== undefined) return void handler(request, response).catch(failed)
    request.resume()
    const path = url.split('?', 1)[0]
    if (path === '/healthz') {
      return void ready().then(
        () => send(response, 200, { type: JSON_TYPE, body: '{"status":"ok"}' }),
        ({ message }: Error) =>
          send(response, 503, { type: JSON_TYPE, body: JSON.stringify({ status: message }) }),
      )
    }
    if (path === '/metrics') {
      return void metricsText().then(
        (body) => send(response, 200, { type: PROMETHEUS, body }),
        failed,
      )
    }
    const message = 'Webhooks are taken at /hooks/<route>.'
    const body = JSON.stringify({ error: { code: 'NOT_FOUND', message } })
    send(response, 404, { type: JSON_TYPE, body })
  })
  server.on('clientError', refuseMalformed)
  return server
}

const JSON_TYPE = 'application/json'
const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8'

/** The first segment after /hooks/; the sender may choose the rest. */
function routeOf(target: string): string | undefined {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const segment = /^\/hooks\/([^/?#]+)/.exec(path)?.[1]
  if (segment === undefined) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function send(
  response: ServerResponse,
  status: number,
  { type, body }: { type: string; body: string },
): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}

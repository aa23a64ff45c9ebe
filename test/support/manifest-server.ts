// What the references of a test point to: a server on this machine with manifests and agents.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ManifestServer {
  url: string
  /** Serves what `answers` says at a path; what is not set is 404. */
  set(path: string, answer: ManifestAnswer): void
  /** Paths requested so far, in order. */
  requested: string[]
  stop(): Promise<void>
}

export interface ManifestAnswer {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON; a string as it is. */
  body: unknown
}

export async function startManifestServer(): Promise<ManifestServer> {
  const answers = new Map<string, ManifestAnswer>()
  const requested: string[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/'
    requested.push(path)
    const answer = answers.get(path) ?? { status: 404, body: { error: 'nothing here' } }
    const isText = typeof answer.body === 'string'
    request.resume().once('end', () => {
      response.writeHead(answer.status ?? 200, {
        'content-type': isText ? 'text/html' : 'application/json',
        ...answer.headers,
      })
      response.end(isText ? (answer.body as string) : JSON.stringify(answer.body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (path, answer) => answers.set(path, answer),
    requested,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A brand.json that names the domain. */
export function brandJson(domain: string, name = 'Acme Shoes'): ManifestAnswer {
  return {
    body: {
      id: 'acme',
      names: [{ en: name }],
      house_domain: domain,
      tagline: 'Run.',
      properties: [{ type: 'website', identifier: domain, primary: true }],
    },
  }
}

export const HTML: ManifestAnswer = { body: '<!doctype html><title>Welcome</title>' }

/** What an MCP server answers to `initialize`. */
export const MCP_INITIALIZED: ManifestAnswer = {
  body: {
    jsonrpc: '2.0',
    id: 1,
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'Acme agent', version: '1.0.0' },
    },
  },
}

/** A port of this machine on which no one listens. */
export async function deadUrl(): Promise<string> {
  const server = await startManifestServer()
  await server.stop()
  return server.url
}

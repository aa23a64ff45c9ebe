// An agent that answers as a test wants, and remembers what it was sent: for callers that must bear anything.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RogueAgent {
  url: string
  /** What it was sent so far, in order. */
  received: ReceivedRequest[]
  /** From now on it answers so. */
  answerWith(answer: RogueAnswer): void
  stop(): Promise<void>
}

interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export type RogueAnswer = (request: ReceivedRequest, response: ServerResponse) => void

export async function startRogueAgent(answer: RogueAnswer = toolResult({})): Promise<RogueAgent> {
  const received: ReceivedRequest[] = []
  let answering = answer
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: Buffer.concat(chunks).toString() }
    received.push(one)
    answering(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answerWith: (next) => {
      answering = next
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Speaks MCP: one tool for everything, with this answer. */
export function toolResult(answer: object, { isError = false } = {}): RogueAnswer {
  return ({ body }, response) => {
    const { id, method } = (body === '' ? {} : JSON.parse(body)) as {
      id?: unknown
      method?: string
    }
    if (method === undefined) return json(response, 404, {})
    const tools = [{ name: 'get_signals', inputSchema: { type: 'object' } }]
    const result =
      method === 'tools/list' ? { tools } : { structuredContent: answer, content: [], isError }
    json(response, 200, { jsonrpc: '2.0', id, result })
  }
}

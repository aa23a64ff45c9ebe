// An agent that answers tasks over plain HTTP as a test specifies, on loopback.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface ScriptedCall {
  task: string
  request: Record<string, unknown>
  headers: IncomingHttpHeaders
}

export interface ScriptedAgent {
  url: string
  /** Every call that came, in order. */
  calls: ScriptedCall[]
}

/** What to answer: a status and a body, or nothing for a caller that is left waiting. */
export type Script = (call: ScriptedCall) => { status?: number; body: unknown } | 'nothing'

/** Its requests may have these members; `GET /openapi.json` lists the tasks. */
export async function scriptedAgent(
  tasks: Readonly<Record<string, object>>,
  script: Script,
): Promise<ScriptedAgent> {
  const calls: ScriptedCall[] = []
  const paths = Object.fromEntries(
    Object.keys(tasks).map((task) => [`/v3/${task}`, { post: { summary: `About ${task}` } }]),
  )
  const documents = new Map<string, unknown>([
    ['/openapi.json', { openapi: '3.1.0', paths }],
    ...Object.entries(tasks).map(
      ([task, properties]) =>
        [
          `/schemas/v3/${task.replaceAll('_', '-')}-request.json`,
          { type: 'object', properties },
        ] as const,
    ),
  ])
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request
    if (method === 'GET') return send(response, documents.get(url))
    const task = /^\/v3\/(\w+)$/.exec(url)?.[1]
    if (task === undefined) return send(response, undefined)
    const call = { task, request: (await readJson(request)) as ScriptedCall['request'], headers }
    calls.push(call)
    const answer = script(call)
    if (answer !== 'nothing') send(response, answer.body, answer.status)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

function send(
  response: ServerResponse,
  body: unknown,
  status = body === undefined ? 404 : 200,
): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
}

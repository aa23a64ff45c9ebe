// A scripted test agent that speaks all three transports, and returns on each what the test sets.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Members = Record<string, unknown>

/** A body is an answer; with `http` it is a response of its own, before any transport has a say. */
export type Said =
  | { body: Members }
  | { http: number; headers?: Record<string, string>; text?: string }

interface Seen {
  path: string
  /** The task, or the method of the wire. */
  task: string
  request: Members
  headers: IncomingHttpHeaders
}

export interface ScriptedAgent {
  url: string
  seen: Seen[]
  /** The requests of a task, in order. */
  requests(task: string): Members[]
}

export interface AgentScript {
  /** What each call of a task is answered with. */
  say(task: string, request: Members, attempt: number): Said | Promise<Said>
  tools?: readonly Members[]
  /** In place of the card that there is. */
  card?: (url: string) => Members
  /** Answers the requests for A2A's own tasks. */
  getTask?: (id: string) => Members
}

const DEFAULT_TASKS = ['get_task_status', 'provide_task_input', 'activate_signal', 'do_it']

export async function scriptedAgent(script: AgentScript): Promise<ScriptedAgent> {
  const seen: Seen[] = []
  const tools = script.tools ?? DEFAULT_TASKS.map((name) => ({ name, inputSchema: {} }))
  const requests = (task: string) =>
    seen.filter((one) => one.task === task).map((one) => one.request)

  const called = async (at: Omit<Seen, 'task' | 'request'>, task: string, request: Members) => {
    seen.push({ ...at, task, request })
    return script.say(task, request, requests(task).length)
  }

  const server = createServer(async (incoming, response) => {
    const { url: path = '/', headers } = incoming
    const text = (await buffer(incoming)).toString('utf8')
    const send = (status: number, body: unknown, more: Record<string, string> = {}) => {
      const returned = typeof body === 'string' ? body : JSON.stringify(body)
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(returned)
    }
    const at = { path, headers }
    if (path.startsWith('/v3/')) {
      const said = await called(at, path.slice('/v3/'.length), JSON.parse(text))
      return 'http' in said ? send(said.http, said.text ?? '', said.headers) : send(200, said.body)
    }
    if (path === '/.well-known/agent-card.json') {
      seen.push({ ...at, task: 'card', request: {} })
      return send(200, script.card?.(url) ?? cardOf(url, tools))
    }
    if (path !== '/mcp' && path !== '/a2a') {
      seen.push({ ...at, task: 'none', request: {} })
      return send(404, '')
    }
    const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: never }
    const result = (value: unknown) => send(200, { jsonrpc: '2.0', id, result: value })
    if (method === 'tools/list') {
      seen.push({ ...at, task: method, request: {} })
      return result({ tools })
    }
    if (method === 'GetTask') {
      const { id: taskId } = params as { id: string }
      seen.push({ ...at, task: method, request: { id: taskId } })
      return result(a2aTask(script.getTask?.(taskId) ?? {}))
    }
    const [task, request] = callIn(method, params)
    const said = await called(at, task, request)
    if ('http' in said) return send(said.http, said.text ?? '', said.headers)
    if (method === 'tools/call') {
      const isError = said.body.status === 'failed'
      return result({ content: [], structuredContent: said.body, isError })
    }
    return result({ task: a2aTask(said.body) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url, seen, requests }
}

function callIn(method: string, params: Members): [string, Members] {
  if (method === 'tools/call') return [String(params.name), params.arguments as Members]
  const { parts, taskId } = params.message as { parts: [{ data: Members }]; taskId?: string }
  const { skill, parameters, input } = parts[0].data
  const native = taskId === undefined ? {} : { native: taskId }
  return [String(skill), { ...((parameters ?? input) as Members), ...native }]
}

function cardOf(url: string, tools: readonly Members[]): Members {
  const at = { url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }
  return { supportedInterfaces: [at], skills: tools.map(({ name }) => ({ id: name })) }
}

const STATES = ['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled']

function a2aTask(body: Members): Members {
  const state = STATES.find((one) => one === body.status) ?? 'completed'
  const parts = [{ data: body }]
  return {
    id: 'native-1',
    contextId: 'context-1',
    status: {
      state: `TASK_STATE_${state.toUpperCase().replace('-', '_')}`,
      message: { parts },
    },
    artifacts: [{ parts }],
  }
}

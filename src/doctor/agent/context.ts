// State shared by the checks of an agent: how to call it over each transport, and what was found out about it once
// for all of them.

import { defined } from '../../lib/defined.ts'
import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { A2A_PATH, MCP_PATH } from '../../protocol/agent-url.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import type { Transport } from '../../protocol/task.ts'
import { createA2aClient } from '../../transports/a2a/client.ts'
import type {
  CallResult,
  ClientOptions,
  ClientRequest,
  ClientResponse,
  TaskClient,
  TaskList,
} from '../../transports/client.ts'
import { createHttpClient } from '../../transports/http/client.ts'
import { createMcpClient } from '../../transports/mcp/client.ts'
import { createRecorder, type Received } from '../egress-clients.ts'

export interface AgentOptions {
  /** As it was given. */
  agentUrl: string
  names: Identifiers
  /** A key to call with. Default none: checks that need one are skipped. */
  key?: string | undefined
  /** A key of another principal of the agent. Default none. */
  otherKey?: string | undefined
  egress: Egress
  /** Timeout of one call, in milliseconds. */
  callTimeoutMs: number
  /** The URL at which the agent's webhooks reach this process. Default: this machine, for an agent on it. */
  receiverBaseUrl?: string | undefined
  /** Where to listen for them. Default a free port of 127.0.0.1. */
  receiverListen?: { host: string; port: number } | undefined
  /** Longest wait for the webhooks of a task, in milliseconds. */
  webhookWaitMs: number
}

export interface AgentContext extends AgentOptions {
  /** The address of the server, without the path of a transport. */
  base: string
  /** Sends one message unchanged, with the key only if one is passed. */
  ask(
    request: Omit<ClientRequest, 'headers'> & { headers?: Record<string, string> },
  ): Promise<ClientResponse>
  /** A caller over one transport. Default with the key that was given; `null` for none. */
  client(transport: Transport, key?: string | null): TaskClient
  transports(): Promise<TransportState[]>
  /** The transports that respond to tasks, plain HTTP first. */
  served(): Promise<TransportState[]>
  /** Over the first available transport. */
  call(task: string, request: Record<string, unknown>, key?: string | null): Promise<CallResult>
  /** The names of the tasks that the agent is known to have. */
  tasks(): Promise<ReadonlySet<string>>
  received: readonly Received[]
  /** Does something once for all checks. */
  once<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Ends what the checks have opened. */
  onClose(work: () => Promise<void>): void
  close(): Promise<void>
}

/** What is known about a transport of the agent. */
export interface TransportState {
  transport: Transport
  url: string
  list: TaskList
  capabilities: CallResult
  /** Whether it responds to tasks at all, correctly or not. */
  isServed: boolean
  /** Size in bytes of the responses that listed its tasks. */
  listBytes: number
}

const TRANSPORTS: readonly Transport[] = ['http', 'mcp', 'a2a']
const CREATE = { http: createHttpClient, mcp: createMcpClient, a2a: createA2aClient }

/** Context that the doctor sends, to see it returned. */
export const CONTEXT = { doctor: { ask: 'send this back', n: 7 } }

export function createAgentContext(options: AgentOptions): AgentContext {
  const { names, key, egress, callTimeoutMs } = options
  const base = baseOf(options.agentUrl)
  const { fetch, received } = createRecorder(egress, callTimeoutMs)
  const known = new Map<string, Promise<unknown>>()
  const closing: (() => Promise<void>)[] = []

  const context: AgentContext = {
    ...options,
    base,
    received,
    ask: (request) => fetch({ headers: {}, ...request }),
    client: (transport, given = key) => {
      const url = urlOf(base, transport)
      const settings: ClientOptions = { url, fetch, ...defined({ key: given ?? undefined }) }
      return CREATE[transport](settings)
    },
    once: <T>(name: string, work: () => Promise<T>) => {
      const before = known.get(name) as Promise<T> | undefined
      if (before) return before
      const begun = work()
      known.set(name, begun)
      return begun
    },
    transports: () =>
      context.once('transports', async () => {
        const states: TransportState[] = []
        for (const transport of TRANSPORTS) states.push(await stateOf(context, transport, names))
        return states
      }),
    served: async () => (await context.transports()).filter(({ isServed }) => isServed),
    call: async (task, request, given = key) => {
      const [first] = await context.served()
      if (!first) return { ok: false, message: 'the agent serves no transport' }
      return context.client(first.transport, given).call(task, request)
    },
    tasks: async () => {
      const states = await context.served()
      return new Set(
        states.flatMap(({ list, capabilities }) => [
          ...(list.ok ? list.tasks.map(({ name }) => name) : []),
          ...listedTasks(capabilities),
        ]),
      )
    },
    onClose: (work) => void closing.push(work),
    close: async () => {
      await Promise.all(closing.map((work) => work()))
    },
  }
  return context
}

export function listedTasks({ body }: CallResult): string[] {
  const tasks = body?.tasks
  return Array.isArray(tasks) ? tasks.filter((task) => typeof task === 'string') : []
}

async function stateOf(
  context: AgentContext,
  transport: Transport,
  names: Identifiers,
): Promise<TransportState> {
  const client = context.client(transport)
  const before = context.received.length
  const list = await client.listTasks()
  const listBytes = context.received.slice(before).reduce((sum, { bytes }) => sum + bytes, 0)
  let capabilities = await client.call('get_agent_capabilities', { context: CONTEXT })
  if (!capabilities.ok && isNoAnswer(capabilities)) {
    capabilities = await client.call(names.capabilitiesTask, { context: CONTEXT })
  }
  const isServed =
    capabilities.ok || capabilities.body !== undefined || capabilities.httpStatus === 401
  return { transport, url: urlOf(context.base, transport), list, capabilities, isServed, listBytes }
}

/** Refused without a task response: the other name of the task is worth trying. */
function isNoAnswer(result: CallResult): boolean {
  return !result.ok && (result.body === undefined || result.code === 'INVALID_REQUEST')
}

function urlOf(base: string, transport: Transport): string {
  return transport === 'mcp' ? `${base}${MCP_PATH}` : base
}

const WIRE_ENDS = [MCP_PATH, A2A_PATH, '/v3', '/.well-known/agent-card.json']

/** The base URL of the server: an agent is often named by the URL of one of its transports. */
export function baseOf(agentUrl: string): string {
  const { origin, pathname } = new URL(agentUrl)
  let path = pathname
  while (path.endsWith('/')) path = path.slice(0, -1)
  const end = WIRE_ENDS.find((one) => path.endsWith(one))
  return `${origin}${end === undefined ? path : path.slice(0, -end.length)}`
}

// What an agent says of itself: by which transports it answers, which tasks it has and with which schemas, its card and its
// capabilities. Asked with requests that change nothing.

import { largeWithoutToken, plainLine } from '../caller/other-party.ts'
import { knownTask } from '../client/known-tasks.ts'
import { openAgent } from '../client/open-agent.ts'
import {
  AGENT_TRANSPORTS,
  type AgentTask,
  type AskAnswer,
  type Exchange,
} from '../console/api/agents.ts'
import { baseOf } from '../doctor/agent/context.ts'
import { defined } from '../lib/defined.ts'
import { isLongerAsJson } from '../lib/json-size.ts'
import { isNestedTooDeep } from '../lib/nesting.ts'
import { tryJson } from '../lib/try-json.ts'
import { MCP_PATH } from '../protocol/agent-url.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { toJsonSchema } from '../protocol/schemas/json-schema.ts'
import type { Transport } from '../protocol/task.ts'
import type { ClientFetch, TaskList } from '../transports/client.ts'

/** An agent, and the way to it. */
export interface AgentWay {
  url: string
  auth: string | undefined
  fetch: ClientFetch
  exchanges: readonly Exchange[]
  protocolName: string
}

interface ProbedTransport {
  transport: Transport
  url: string
  list: TaskList
}

type Members = Record<string, unknown>

const MOST_TASKS = 200
const MOST_SCHEMA_BYTES = 256 * 1_024
const MOST_SCHEMAS_BYTES = 2 * 1_024 * 1_024
const MOST_DEPTH = 80
const MOST_LINE = 500

export async function askAgent(way: AgentWay, signal: AbortSignal): Promise<AskAnswer> {
  const requested = await Promise.all(
    AGENT_TRANSPORTS.map((transport) => askTransport(way, transport, signal)),
  )
  const notes: string[] = []
  const tasks = tasksOf(requested, notes)
  const best = requested.find(({ list }) => list.ok && list.tasks.length > 0)
  const capabilities = best && (await capabilitiesOf(way, best, { tasks, signal }))
  const card = cardIn(way.exchanges)
  const line = (value: unknown) =>
    typeof value === 'string' && value !== '' ? plainLine(value, MOST_LINE) : undefined
  const answer = {
    url: way.url,
    transports: requested.map(serializeTransport),
    tasks,
    notes,
    ...defined({
      name: line(card?.name),
      description: line(card?.description),
      version: line(card?.version),
      card: bounded(card),
      capabilities: bounded(capabilities),
    }),
  }
  return { ...(await largeWithoutToken(answer, way.auth)), exchanges: [...way.exchanges] }
}

async function askTransport(
  way: AgentWay,
  transport: Transport,
  signal: AbortSignal,
): Promise<ProbedTransport> {
  let requested: ProbedTransport | undefined
  for (const url of addressesOf(way.url, transport)) {
    const { auth, fetch, protocolName } = way
    const agent = openAgent({ agentUrl: url, transport, fetch, protocolName, ...defined({ auth }) })
    const list = await agent.listTasks({ signal })
    if (!requested || list.ok) requested = { transport, url, list }
    if (list.ok) break
  }
  return requested as ProbedTransport
}

/** Where a transport may be: below the server's address, or at the very address that was given. */
function addressesOf(given: string, transport: Transport): string[] {
  const base = baseOf(given)
  if (transport !== 'mcp') return [base]
  const isPlain = new URL(given).pathname === '/'
  return [...new Set([`${base}${MCP_PATH}`, ...(isPlain ? [] : [given])])]
}

function serializeTransport({
  transport,
  url,
  list,
}: ProbedTransport): AskAnswer['transports'][number] {
  if (list.ok) {
    const { length } = list.tasks
    return { transport, url, state: length > 0 ? 'found' : 'not_found', tasks: length }
  }
  const state = list.httpStatus === 401 ? 'key_needed' : 'not_found'
  return { transport, url, state, tasks: 0, message: plainLine(list.message, MOST_LINE) }
}

/** Each task once, with the schema of the first transport that has one and the schema of the protocol. */
function tasksOf(requested: readonly ProbedTransport[], notes: string[]): AgentTask[] {
  const byName = new Map<string, AgentTask>()
  let left = MOST_SCHEMAS_BYTES
  for (const { transport, list } of requested) {
    for (const { name, description, inputSchema, changes } of list.ok ? list.tasks : []) {
      if (!byName.has(name) && byName.size >= MOST_TASKS) continue
      const task = byName.get(name) ?? { name: plainLine(name, 200), transports: [] }
      byName.set(name, task)
      task.transports.push(transport)
      if (description !== undefined) task.description ??= plainLine(description, MOST_LINE)
      if (changes !== undefined) task.changes ??= changes
      if (!inputSchema || task.input_schema) continue
      const isTooDeep = isNestedTooDeep(inputSchema, MOST_DEPTH)
      const bytes = isTooDeep ? 0 : JSON.stringify(inputSchema).length
      if (isTooDeep || bytes > Math.min(MOST_SCHEMA_BYTES, left)) {
        notes.push(`The schema of ${task.name} is too large or too deeply nested to display.`)
        continue
      }
      left -= bytes
      task.input_schema = inputSchema
    }
  }
  const more = requested.some(({ list }) => list.ok && list.tasks.length > MOST_TASKS)
  if (more) notes.push(`Only the first ${MOST_TASKS} tasks are listed.`)
  return [...byName.values()].map(withKnown).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function withKnown(task: AgentTask): AgentTask {
  const known = knownTask(task.name)
  if (!known) return task
  const protocol_schema = toJsonSchema(known.request)
  return { ...task, changes: task.changes ?? known.changes, protocol_schema }
}

async function capabilitiesOf(
  { auth, fetch, protocolName }: AgentWay,
  { transport, url }: ProbedTransport,
  { tasks, signal }: { tasks: readonly AgentTask[]; signal: AbortSignal },
): Promise<Members | undefined> {
  const names = ['get_agent_capabilities', identifiersFor(protocolName).capabilitiesTask]
  const name = names.find((one) => tasks.some((task) => task.name === one))
  if (name === undefined) return undefined
  const agent = openAgent({
    agentUrl: url,
    transport,
    fetch,
    protocolName,
    check: 'none',
    ...defined({ auth }),
  })
  const outcome = await agent.call(name, {}, { wait: false, attempts: 1, signal })
  return outcome.ok ? outcome.body : undefined
}

function cardIn(exchanges: readonly Exchange[]): Members | undefined {
  const isCard = ({ url, status, is_cut }: Exchange) =>
    status === 200 && !is_cut && /\/agent(?:-card)?\.json$/.test(new URL(url).pathname)
  const card = tryJson(exchanges.find(isCard)?.response_body ?? '')
  return isObject(card) ? card : undefined
}

function bounded(value: Members | undefined): Members | undefined {
  if (!value || isNestedTooDeep(value, MOST_DEPTH)) return undefined
  return isLongerAsJson(value, MOST_SCHEMA_BYTES) ? undefined : value
}

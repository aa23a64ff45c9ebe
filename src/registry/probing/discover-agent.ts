// `GET /api/public/discover-agent` and related routes: calls an agent now and reports what it is. Time, bytes and
// entries are bounded, whatever the agent responds.

import { withDeadline } from '../../lib/deadline.ts'
import { defined } from '../../lib/defined.ts'
import { canonicalAgentUrl } from '../../protocol/agent-url.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import type { CheckUrl } from '../parse-agent.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { ListedTool, OpenAgent, ProbedAgent, ToolAnswer } from './agent-port.ts'

export interface ProbePorts {
  openAgent: OpenAgent
  checkUrl: CheckUrl
}

export interface DiscoveredAgent {
  name: string
  description?: string
  protocols: ('mcp' | 'a2a')[]
  type: 'sales' | 'signals' | 'creative' | 'unknown'
  tools_count: number
  tools: ListedTool[]
  stats: { format_count?: number; product_count?: number; publisher_count?: number }
}

const PROBE_MS = CATALOGUE_LIMITS.agentProbeSeconds.value * 1_000
const CARD_MS = 3_000
/** Maximum number of entries in one list, including tools, and the size of their JSON. */
const MOST_ITEMS = 200
const MOST_BYTES = 512 * 1_024

/** Decided by the names of its tools alone. */
const TYPES = [
  ['sales', /product|media_buy/],
  ['signals', /signal|audience/],
  ['creative', /creative|format|preview/],
] as const

export async function discoverAgent(
  ports: ProbePorts,
  given: string | undefined,
  owner: string,
): Promise<{ ok: true; agent: DiscoveredAgent } | Refusal> {
  const opened = open(ports, given, owner)
  if (!opened.ok) return opened
  return withDeadline({ timeoutMs: PROBE_MS }, (signal) => discover(opened, signal))
}

async function discover(
  { agent, url }: OpenedAgent,
  signal: AbortSignal,
): Promise<{ ok: true; agent: DiscoveredAgent } | Refusal> {
  const [info, list, card] = await Promise.all([
    agent.serverInfo(signal),
    agent.listTools(signal),
    withDeadline({ timeoutMs: CARD_MS, signals: [signal] }, (soon) => agent.card(soon)),
  ])
  if (!list.ok && !card) return list.isLate || signal.aborted ? LATE : unreachable(list.message)
  const tools = (list.ok ? list.tools : (card?.skills ?? [])).map(({ name, description }) => ({
    name,
    ...defined({ description: description?.slice(0, 1_000) }),
  }))
  const { name, description } = { ...card, ...info }
  return {
    ok: true,
    agent: {
      name: name ?? new URL(url).hostname,
      ...defined({ description: description?.slice(0, 2_000) }),
      protocols: [...(list.ok ? ['mcp' as const] : []), ...(card ? ['a2a' as const] : [])],
      type: typeOf(tools),
      tools_count: tools.length,
      tools: tools.slice(0, MOST_ITEMS),
      stats: list.ok ? await statsOf(agent, tools, signal) : {},
    },
  }
}

function typeOf(tools: readonly ListedTool[]): DiscoveredAgent['type'] {
  const found = TYPES.find(([, pattern]) => tools.some(({ name }) => pattern.test(name)))
  return found?.[0] ?? 'unknown'
}

async function statsOf(
  agent: ProbedAgent,
  tools: readonly ListedTool[],
  signal: AbortSignal,
): Promise<DiscoveredAgent['stats']> {
  const has = (task: string) => tools.some(({ name }) => name === task)
  const [formats, products, publishers] = await Promise.all([
    has('list_creative_formats') ? listOf(agent, FORMATS, signal) : undefined,
    has('get_products') ? listOf(agent, PRODUCTS, signal) : undefined,
    has('list_authorized_properties') ? listOf(agent, PUBLISHERS, signal) : undefined,
  ])
  const count = (list: ListAnswer | undefined) => (list?.ok ? list.total : undefined)
  return defined({
    format_count: count(formats),
    product_count: count(products),
    publisher_count: count(publishers),
  })
}

interface AgentList {
  task: string
  /** Tried one after the other: releases differ in the arguments they require. */
  requests: readonly Record<string, unknown>[]
  members: readonly string[]
}

export const FORMATS: AgentList = {
  task: 'list_creative_formats',
  requests: [{}],
  members: ['formats'],
}
export const PRODUCTS: AgentList = {
  task: 'get_products',
  requests: [{ buying_mode: 'wholesale' }, { brief: 'all products' }],
  members: ['products'],
}
export const PUBLISHERS: AgentList = {
  task: 'list_authorized_properties',
  requests: [{}],
  members: ['properties', 'publisher_domains'],
}

export async function listOfAgent(
  ports: ProbePorts,
  { url: given, list, owner }: { url: string | undefined; list: AgentList; owner: string },
): Promise<{ ok: true; items: unknown[] } | Refusal> {
  const opened = open(ports, given, owner)
  if (!opened.ok) return opened
  return withDeadline({ timeoutMs: PROBE_MS }, async (signal) => {
    const found = await listOf(opened.agent, list, signal)
    if (!found.ok) return found.isLate || signal.aborted ? LATE : unreachable(found.message)
    return { ok: true, items: found.items }
  })
}

type ListAnswer = { ok: true; items: unknown[]; total: number } | Extract<ToolAnswer, { ok: false }>

async function listOf(
  agent: ProbedAgent,
  { task, requests, members }: AgentList,
  signal: AbortSignal,
): Promise<ListAnswer> {
  let last: Extract<ToolAnswer, { ok: false }> | undefined
  for (const request of requests) {
    const answer = await agent.call(task, request, signal)
    if (answer.ok) {
      const found = members.map((name) => answer.body[name]).find(Array.isArray) as
        | unknown[]
        | undefined
      if (found) return { ok: true, items: bounded(found), total: found.length }
      last = { ok: false, isLate: false, message: `${task} answered without ${members[0]}` }
    } else {
      last = answer
    }
    if (last.isLate || signal.aborted) break
  }
  return last ?? { ok: false, isLate: false, message: `${task} was not answered` }
}

function bounded(items: readonly unknown[]): unknown[] {
  const kept: unknown[] = []
  let left = MOST_BYTES
  for (const item of items.slice(0, MOST_ITEMS)) {
    left -= JSON.stringify(item)?.length ?? 0
    if (left < 0) break
    kept.push(item)
  }
  return kept
}

interface OpenedAgent {
  ok: true
  url: string
  agent: ProbedAgent
}

function open(
  { openAgent, checkUrl }: ProbePorts,
  given: string | undefined,
  owner: string,
): OpenedAgent | Refusal {
  if (given === undefined || given === '') return refuse(400, 'URL is required')
  const url = canonicalAgentUrl(given)
  if (url === undefined) return refuse(400, 'url must be an http(s) URL')
  const checked = checkUrl(given)
  if (!checked.ok) return refuse(400, `url: ${checked.message}`)
  return { ok: true, url, agent: openAgent(given, owner) }
}

const LATE = refuse(504, 'Connection timeout', {
  message: `the agent did not answer within ${PROBE_MS / 1_000} seconds`,
})

function unreachable(message: string): Refusal {
  return refuse(502, 'The agent could not be called', { message: message.slice(0, 500) })
}

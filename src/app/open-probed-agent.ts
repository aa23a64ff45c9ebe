// Other parties' agents as the registry probes them: over MCP, and by their A2A card, through the egress guard and on
// behalf of the caller.

import { defined } from '../lib/defined.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { asObject, jsonOf, jsonRpcOf, listOf, objectAt } from '../registry/agent-answer.ts'
import { callMcp } from '../registry/call-mcp.ts'
import type { ListedTool, OpenAgent } from '../registry/probing/agent-port.ts'
import { type CallFailure, type ClientFetch, throughEgress } from '../transports/client.ts'
import { createMcpClient } from '../transports/mcp/client.ts'

const REQUEST_MS = 10_000
const MAX_CARD_BYTES = 256 * 1_024
const MAX_ANSWER_BYTES = 1_024 * 1_024

export function probedAgents({ fetch }: Pick<Egress, 'fetch'>): OpenAgent {
  return (url, owner) => {
    const own: Egress['fetch'] = (request) =>
      fetch({
        ...request,
        owner,
        maxBytes: Math.min(request.maxBytes ?? MAX_ANSWER_BYTES, MAX_ANSWER_BYTES),
      })
    const send: ClientFetch = throughEgress({ fetch: own }, { timeoutMs: REQUEST_MS })
    const client = createMcpClient({ url, fetch: send, name: 'adwire-registry' })
    return {
      serverInfo: async (signal) => {
        const run = { fetch: own, timeoutMs: () => REQUEST_MS, signal }
        const answer = await callMcp(url, run, INITIALIZE)
        const result = answer.ok ? objectAt(jsonRpcOf(answer), 'result') : undefined
        const { name } = objectAt(result, 'serverInfo') ?? {}
        if (typeof name !== 'string') return undefined
        return { name: name.slice(0, 200), ...describedBy(result?.instructions) }
      },
      listTools: async (signal) => {
        const list = await client.listTasks({ signal })
        if (!list.ok) return noAnswer(list)
        return { ok: true, tools: list.tasks.map(toolOf) }
      },
      call: async (task, request, signal) => {
        const answer = await client.call(task, request, { signal })
        return answer.ok ? { ok: true, body: answer.body } : noAnswer(answer)
      },
      card: async (signal) => {
        const answer = await own({
          url: new URL('/.well-known/agent-card.json', url).href,
          headers: { accept: 'application/json' },
          redirects: 'same-site',
          maxBytes: MAX_CARD_BYTES,
          totalTimeoutMs: REQUEST_MS,
          signal,
        })
        const card = answer.ok && answer.status === 200 ? asObject(jsonOf(answer.body)) : undefined
        if (!card || typeof card.name !== 'string') return undefined
        const skills = listOf(card.skills).flatMap((one) => {
          const skill = asObject(one)
          const name = skill?.id ?? skill?.name
          return typeof name === 'string' ? [{ name, ...describedBy(skill?.description) }] : []
        })
        return { name: card.name.slice(0, 200), ...describedBy(card.description), skills }
      },
    }
  }
}

const INITIALIZE = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'adwire-registry', version: '1.0.0' },
  },
} as const

function toolOf({ name, description }: ListedTool): ListedTool {
  return { name, ...defined({ description }) }
}

function describedBy(value: unknown): { description?: string } {
  return typeof value === 'string' && value !== '' ? { description: value } : {}
}

function noAnswer({ kind, message }: CallFailure) {
  return { ok: false as const, isLate: kind === 'timeout' || kind === 'cancelled', message }
}

// Calls an agent for its health and its capabilities, as part of an examination. It reads lists, and changes nothing.

import type { Clock } from '../../lib/clock.ts'
import { discoverAgent, FORMATS, listOfAgent, type ProbePorts } from '../probing/discover-agent.ts'
import type { AgentProbe } from './probe.ts'

/** Fewer than discovery returns: they are kept for every agent. */
const MOST_TOOLS = 100
const MOST_DESCRIBED_CHARS = 200

export async function probeAgent(
  { clock, ...ports }: ProbePorts & { clock: Clock },
  agentUrl: string,
): Promise<AgentProbe> {
  const startedMs = performance.now()
  const found = await discoverAgent(ports, agentUrl, OWNER)
  const response_time_ms = Math.round(performance.now() - startedMs)
  const checked_at = clock.now()
  if (!found.ok) {
    const error = found.error.slice(0, 300)
    const nothing = { protocol: null, description: null, tools: [], formats: [] }
    return { is_online: false, checked_at, response_time_ms, ...nothing, error }
  }
  const { protocols, description = null, tools } = found.agent
  const hasFormats = tools.some(({ name }) => name === FORMATS.task)
  return {
    is_online: true,
    checked_at,
    response_time_ms,
    protocol: protocols[0] ?? null,
    description: description?.slice(0, 500) ?? null,
    tools: tools.slice(0, MOST_TOOLS).map((tool) => ({
      name: tool.name.slice(0, 200),
      description: (tool.description ?? '').slice(0, MOST_DESCRIBED_CHARS),
    })),
    formats: hasFormats ? await formatsOf(ports, agentUrl) : [],
    error: null,
  }
}

/** On whose behalf the registry calls. */
const OWNER = 'registry'

async function formatsOf(ports: ProbePorts, url: string): Promise<string[]> {
  const list = await listOfAgent(ports, { url, list: FORMATS, owner: OWNER })
  const items = list.ok ? (list.items as { format_id?: { id?: unknown } }[]) : []
  return items
    .map((item) => item?.format_id?.id)
    .filter((id): id is string => typeof id === 'string')
    .map((id) => id.slice(0, 200))
}

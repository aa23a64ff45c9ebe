// `GET /api/registry/agents`: the agents that organisations publish, and one of them by its URL.

import type { Clock } from '../../lib/clock.ts'
import { defined } from '../../lib/defined.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import { badgeState, roleOf } from '../compliance/badges.ts'
import { summaryOf } from '../compliance/check-agent.ts'
import { capabilitiesOf, healthOf } from '../compliance/probe.ts'
import { type ComplianceStore, neverExamined } from '../compliance/store.ts'
import { canonicalUrl } from '../parse-agent.ts'
import type { AgentProfile } from '../profiles/profile.ts'
import type { ProfileStore } from '../profiles/store.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { AgentDirectory, DirectoryReader, ListedAgent } from './store.ts'

export interface PublishedAgent {
  url: string
  name: string
  type: string
  added_date: string
  source: 'registered'
  /** The organisation that lists it, unless that is a personal one. */
  member?: { display_name: string }
  publisher_domains?: string[]
  property_summary?: {
    total_count: number
    count_by_type: Record<string, number>
    tags: string[]
    publisher_count: number
  }
  compliance?: ReturnType<typeof summaryOf>
  /** As of the last examination, if there was one. */
  protocol?: 'mcp' | 'a2a'
  description?: string
  health?: ReturnType<typeof healthOf>
  stats?: {
    property_count: number
    publisher_count: number
    publishers: string[]
    creative_formats?: number
  }
  capabilities?: ReturnType<typeof capabilitiesOf>
}

/** This registry has no metrics or accreditations: a filter by one finds no agent. */
export interface AgentFilter {
  type?: string | undefined
  metric_id?: unknown
  accreditation?: unknown
  q?: string | undefined
  verification_mode?: unknown
  verified?: unknown
  /** Whether to include which properties publishers let each agent sell. */
  properties?: unknown
  /** Whether to include each agent's examination results. */
  compliance?: unknown
  /** Whether to include if it responds, and what it sells. */
  health?: unknown
  /** Whether to include its tools. */
  capabilities?: unknown
}

export interface ListPorts {
  directory: Pick<AgentDirectory, 'page'>
  profiles: Pick<ProfileStore, 'some'>
  compliance: Pick<ComplianceStore, 'some'>
  clock: Clock
}

export async function listPublishedAgents(
  ports: ListPorts,
  reader: DirectoryReader,
  filter: AgentFilter,
): Promise<readonly PublishedAgent[]> {
  const { type, q } = filter
  const { metric_id, accreditation } = filter
  if (metric_id !== undefined || accreditation !== undefined) {
    return []
  }
  if (q !== undefined && type !== undefined && type !== MEASURES) return []
  const limit = CATALOGUE_LIMITS.agentsListed.value
  const found = await ports.directory.page(reader, {
    limit,
    type: q === undefined ? type : MEASURES,
  })
  const agents = found.map(publishedAgentOf)
  const named = q === undefined ? agents : agents.filter(bears(q))
  const examined = await withCompliance(ports, filter, named)
  const probed = await withProbes(ports, filter, examined)
  return filter.properties === undefined ? probed : withProperties(ports.profiles, probed)
}

/** Nothing is called: it is what the last examination found. */
async function withProbes(
  { compliance, profiles }: ListPorts,
  { health, capabilities }: AgentFilter,
  agents: readonly PublishedAgent[],
): Promise<readonly PublishedAgent[]> {
  if (health === undefined && capabilities === undefined) return agents
  const urls = agents.map(({ url }) => url)
  const [found, sold] = await Promise.all([
    compliance.some(urls),
    health === undefined ? new Map<string, AgentProfile>() : profiles.some(urls),
  ])
  return agents.map((agent) => {
    const probe = found.get(agent.url)?.probe ?? undefined
    const { protocol, description, formats } = probe ?? {}
    const profile = sold.get(agent.url)
    const stats = {
      property_count: profile?.property_count ?? 0,
      publisher_count: profile?.publisher_count ?? 0,
      publishers: profile?.publishers ?? [],
      ...defined({ creative_formats: formats?.length || undefined }),
    }
    return {
      ...agent,
      ...defined({
        protocol: protocol ?? undefined,
        description: description ?? undefined,
        health: health === undefined || !probe ? undefined : healthOf(probe),
        stats: health === undefined ? undefined : stats,
        capabilities: capabilities === undefined || !probe ? undefined : capabilitiesOf(probe),
      }),
    }
  })
}

/** Badges have one mode of verification: by the specification. */
async function withCompliance(
  { compliance, clock }: ListPorts,
  { verification_mode, verified, compliance: isRequested }: AgentFilter,
  agents: readonly PublishedAgent[],
): Promise<readonly PublishedAgent[]> {
  const isBadged = verified !== undefined || verification_mode !== undefined
  if (!isBadged && isRequested === undefined) return agents
  if (verification_mode !== undefined && ![verification_mode].flat().includes('spec')) return []
  const found = await compliance.some(agents.map(({ url }) => url))
  const now = clock.now()
  const hasBadge = ({ url, type }: PublishedAgent) =>
    roleOf(type) !== undefined && badgeState(found.get(url), now) !== 'not verified'
  const kept = isBadged ? agents.filter(hasBadge) : agents
  if (isRequested === undefined) return kept
  return kept.map((agent) => ({
    ...agent,
    compliance: summaryOf(found.get(agent.url) ?? neverExamined(agent.url), now),
  }))
}

async function withProperties(
  profiles: ListPorts['profiles'],
  agents: readonly PublishedAgent[],
): Promise<readonly PublishedAgent[]> {
  const found = await profiles.some(agents.map(({ url }) => url))
  return agents.map((agent) => {
    const profile = found.get(agent.url)
    return {
      ...agent,
      publisher_domains: profile?.publishers ?? [],
      property_summary: {
        total_count: profile?.property_count ?? 0,
        count_by_type: profile?.counts_by_type ?? {},
        tags: profile?.tags ?? [],
        publisher_count: profile?.publisher_count ?? 0,
      },
    }
  })
}

/** `q` searches measurement agents. */
const MEASURES = 'measurement'

function bears(q: string): (agent: PublishedAgent) => boolean {
  const words = q.normalize('NFKC').toLowerCase()
  return ({ name, url }) => `${name}\n${url}`.normalize('NFKC').toLowerCase().includes(words)
}

export async function publishedAgent(
  directory: Pick<AgentDirectory, 'get'>,
  reader: DirectoryReader,
  url: string,
): Promise<{ ok: true; agent: PublishedAgent } | Refusal> {
  const canonical = canonicalUrl(url)
  const found = canonical === undefined ? undefined : await directory.get(reader, canonical)
  if (found) return { ok: true, agent: publishedAgentOf(found) }
  return refuse(404, 'Agent not found', { agent_url: url.slice(0, 500) })
}

function publishedAgentOf({ url, name, type, listed_by, created_at }: ListedAgent): PublishedAgent {
  const member = listed_by === null ? undefined : { display_name: listed_by }
  return {
    url,
    name: name ?? url,
    type,
    added_date: created_at,
    source: 'registered',
    ...defined({ member }),
  }
}

// `GET /api/registry/agents`: the agents that organisations publish, and one of them by its URL.

import { defined } from '../../lib/defined.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import { canonicalUrl } from '../parse-agent.ts'
import type { ProfileStore } from '../profiles/store.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { AgentDirectory, DirectoryReader, ListedAgent } from './store.ts'

export interface PublishedAgent {
  url: string
  name: string
  type: string
  added_date: string
  source: 'registered'
  /** The organisation that lists it, unless that is a person's own. */
  member?: { display_name: string }
  publisher_domains?: string[]
  property_summary?: {
    total_count: number
    count_by_type: Record<string, number>
    tags: string[]
    publisher_count: number
  }
}

/** What only some agents have, and this registry knows of none: a filter by it finds no agent. */
export interface AgentFilter {
  type?: string | undefined
  metric_id?: unknown
  accreditation?: unknown
  q?: string | undefined
  verification_mode?: unknown
  verified?: unknown
  /** Whether to say which properties publishers let each agent sell. */
  properties?: unknown
}

export interface ListPorts {
  directory: Pick<AgentDirectory, 'page'>
  profiles: Pick<ProfileStore, 'some'>
}

export async function listPublishedAgents(
  { directory, profiles }: ListPorts,
  reader: DirectoryReader,
  filter: AgentFilter,
): Promise<PublishedAgent[]> {
  const { type, q } = filter
  const { metric_id, accreditation, verification_mode, verified } = filter
  if ([metric_id, accreditation, verification_mode, verified].some((one) => one !== undefined)) {
    return []
  }
  if (q !== undefined && type !== undefined && type !== MEASURES) return []
  const limit = CATALOGUE_LIMITS.agentsListed.value
  const found = await directory.page(reader, {
    limit,
    type: q === undefined ? type : MEASURES,
  })
  const agents = found.map(publishedAgentOf)
  const named = q === undefined ? agents : agents.filter(bears(q))
  return filter.properties === undefined ? named : withProperties(profiles, named)
}

async function withProperties(
  profiles: ListPorts['profiles'],
  agents: readonly PublishedAgent[],
): Promise<PublishedAgent[]> {
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

/** `q` looks through measurement agents. */
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

// `GET /api/registry/agents`: the agents that organisations publish, and one of them by its URL.

import { defined } from '../../lib/defined.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import { canonicalUrl } from '../parse-agent.ts'
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
}

/** What only some agents have, and this registry knows of none: a filter by it finds no agent. */
export interface AgentFilter {
  type?: string | undefined
  metric_id?: unknown
  accreditation?: unknown
  q?: string | undefined
  verification_mode?: unknown
  verified?: unknown
}

export async function listPublishedAgents(
  directory: Pick<AgentDirectory, 'page'>,
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
  return q === undefined ? agents : agents.filter(bears(q))
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

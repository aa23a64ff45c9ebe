// The agents that a domain operates, and the publishers that name each agent: agents hosted on the domain, and those
// that its own brand.json names.

import { defined } from '../../lib/defined.ts'
import { normaliseDomain, registrableDomain } from '../../lib/host-name.ts'
import { canonicalAgentUrl } from '../../protocol/agent-url.ts'
import { AUTHORIZATION_LIMITS } from '../authorizations/limits.ts'
import type { BrandStore } from '../brands/store.ts'
import type { AgentDirectory, DirectoryReader } from '../directory/store.ts'
import type { ProfileStore } from '../profiles/store.ts'
import { type Refusal, refuse } from '../refusal.ts'

export interface OperatorPorts {
  profiles: Pick<ProfileStore, 'ofSite' | 'namedBy'>
  directory: Pick<AgentDirectory, 'get'>
  brands: Pick<BrandStore, 'get'>
}

export interface Operator {
  domain: string
  member: { slug?: string; display_name: string } | null
  agents: {
    url: string
    name: string
    type: string
    authorized_by: {
      publisher_domain: string
      authorized_for?: string
      source: 'adagents_json' | 'agent_claim'
    }[]
  }[]
}

/** Maximum number of agents of one operator, and of publishers of each. */
const MOST_AGENTS = 50

export async function lookUpOperator(
  ports: OperatorPorts,
  reader: DirectoryReader,
  given: string,
): Promise<{ ok: true; operator: Operator } | Refusal> {
  const named = normaliseDomain(given)
  if (!named.ok) return refuse(400, named.reason)
  const { domain } = named
  const agents = new Map([
    ...(await namedByBrand(ports, domain)),
    ...(await atAddresses(ports, reader, domain)),
  ])
  let member: Operator['member'] = null
  const found: Operator['agents'] = []
  for (const [url, { name, type }] of [...agents].slice(0, MOST_AGENTS)) {
    const listed = await ports.directory.get(reader, url)
    if (listed?.listed_by) member ??= { display_name: listed.listed_by }
    found.push({ url, name, type, authorized_by: await namedBy(ports, url) })
  }
  return { ok: true, operator: { domain, member, agents: found } }
}

type Named = [string, { name: string; type: string }]

async function atAddresses(
  { profiles }: OperatorPorts,
  reader: DirectoryReader,
  domain: string,
): Promise<Named[]> {
  const site = registrableDomain(domain) ?? domain
  const found = await profiles.ofSite(reader, site, MOST_AGENTS)
  return found
    .filter(({ profile }) => isOf(new URL(profile.agent_url).hostname, domain))
    .map(({ profile: { agent_url }, listing }) => [
      agent_url,
      { name: listing?.name ?? agent_url, type: listing?.type ?? 'unknown' },
    ])
}

function isOf(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** Agents of its brand.json, wherever they are. */
async function namedByBrand({ brands }: OperatorPorts, domain: string): Promise<Named[]> {
  const document = (await brands.get(domain))?.manifest?.document
  const { agents } = (document ? JSON.parse(document) : {}) as { agents?: unknown }
  if (!Array.isArray(agents)) return []
  return agents.slice(0, MOST_AGENTS).flatMap((one): Named[] => {
    const { url, type, id } = (one ?? {}) as Record<string, unknown>
    const canonical = typeof url === 'string' ? canonicalAgentUrl(url) : undefined
    if (canonical === undefined) return []
    const name = typeof id === 'string' ? id : canonical
    return [[canonical, { name, type: typeof type === 'string' ? type : 'unknown' }]]
  })
}

async function namedBy({ profiles }: OperatorPorts, url: string) {
  const named = await profiles.namedBy(url, AUTHORIZATION_LIMITS.agentsOfPublisher.value)
  const publishers = new Map(named.toReversed().map((one) => [one.publisher_domain, one]))
  return [...publishers.values()]
    .map(({ publisher_domain, authorized_for, is_live }) => ({
      publisher_domain,
      ...defined({ authorized_for: authorized_for || undefined }),
      source: is_live ? ('adagents_json' as const) : ('agent_claim' as const),
    }))
    .sort((a, b) => (a.publisher_domain < b.publisher_domain ? -1 : 1))
}

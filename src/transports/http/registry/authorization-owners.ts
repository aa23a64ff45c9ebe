// The owner of the requested authorizations: an agent, a publisher, or both.

import { normaliseDomain } from '../../../lib/host-name.ts'
import { canonicalAgentUrl } from '../../../protocol/agent-url.ts'
import { AUTHORIZATION_LIMITS } from '../../../registry/authorizations/limits.ts'
import type {
  AuthorizationStore,
  ReadAuthorization,
} from '../../../registry/authorizations/store.ts'
import { type Refusal, refuse } from '../../../registry/refusal.ts'

export const NO_AGENT = refuse(400, 'agent_url must be an http(s) URL')

interface Owners {
  agent_url: string | undefined
  publisher_domain: string | undefined
}

type Query = Record<string, string | string[] | undefined>

export function parseOwners({
  agent_url,
  publisher_domain,
}: Query): ({ ok: true } & Owners) | Refusal {
  if (agent_url === undefined && publisher_domain === undefined) return NO_AGENT
  const agent = typeof agent_url === 'string' ? canonicalAgentUrl(agent_url) : undefined
  if (agent_url !== undefined && agent === undefined) return NO_AGENT
  if (publisher_domain === undefined) return { ok: true, agent_url: agent, publisher_domain }
  const named = normaliseDomain(typeof publisher_domain === 'string' ? publisher_domain : '')
  if (!named.ok) return refuse(400, `publisher_domain: ${named.reason}`)
  return { ok: true, agent_url: agent, publisher_domain: named.domain }
}

export function authorizationsOf(
  { authorizations }: { authorizations: AuthorizationStore },
  { agent_url, publisher_domain }: Owners,
): Promise<ReadAuthorization[]> {
  const limit = AUTHORIZATION_LIMITS.agentsOfPublisher.value
  if (agent_url === undefined) return authorizations.ofPublisher(publisher_domain ?? '', limit)
  return publisher_domain === undefined
    ? authorizations.ofAgent(agent_url, { after: '', limit })
    : authorizations.ofPairs([{ agent_url, publisher_domain }])
}

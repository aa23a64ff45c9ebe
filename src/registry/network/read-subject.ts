// Which network is requested: exactly one of a manager's domain and an agent's URL.

import { normaliseDomain } from '../../lib/host-name.ts'
import { canonicalAgentUrl } from '../../protocol/agent-url.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { NetworkSubject } from './store.ts'

export function readSubject({
  manager,
  agent,
}: {
  manager?: string | undefined
  agent?: string | undefined
}): { ok: true; subject: NetworkSubject } | Refusal {
  if ((manager === undefined) === (agent === undefined)) {
    return refuse(400, 'give exactly one of manager (a domain) and agent (a URL)')
  }
  if (agent !== undefined) {
    const agent_url = canonicalAgentUrl(agent)
    if (agent_url === undefined) return refuse(400, 'agent must be an http(s) URL')
    return { ok: true, subject: { agent_url } }
  }
  const named = normaliseDomain(manager ?? '')
  if (!named.ok) return refuse(400, `manager: ${named.reason}`)
  return { ok: true, subject: { manager_domain: named.domain } }
}

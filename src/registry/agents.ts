// The agents that an organisation lists as its own: `/api/me/agents` (spec 4.5). The first registration creates the
// organisation and the member profile if they are missing; each change and its feed events are one transaction.

import {
  type CallerOrganization,
  callerOrganizationWithin,
  knownOrganization,
  type RegistryCaller,
} from './caller.ts'
import type { NewFeedEvent } from './feed.ts'
import type { OrganizationPorts } from './organizations.ts'
import { type CheckUrl, canonicalUrl, parseAgentChanges, parseNewAgent } from './parse-agent.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { MemberAgent } from './store.ts'

export interface AgentPorts extends OrganizationPorts {
  checkUrl: CheckUrl
}

export interface RegisteredAgent {
  ok: true
  agent: MemberAgent
  /** False when the organisation already had an agent with this URL: that agent was updated. */
  created: boolean
  /** Whether this call created the caller's organisation. */
  org_auto_created: boolean
  /** Whether this call created the member profile, which an organisation has from its first agent on. */
  profile_auto_created: boolean
}

/** `POST /api/me/agents`. Members that a repeated registration omits keep their values. */
export async function registerAgent(
  ports: AgentPorts,
  caller: RegistryCaller,
  input: unknown,
): Promise<RegisteredAgent | Refusal> {
  const parsed = parseNewAgent(input, ports.checkUrl)
  if (!parsed.ok) return parsed
  const { url, type, changes } = parsed

  return ports.transact(async (tx) => {
    const by = await callerOrganizationWithin(tx, ports, caller)
    const listed = await ports.organizations.lockAgents(tx, by.organizationId)
    const before = listed.find((agent) => agent.url === url)
    const agent: MemberAgent = { ...UNSAID, ...before, ...changes, url, type }
    await ports.organizations.putAgent(tx, by.organizationId, agent)
    await ports.feed.append(tx, eventsOf({ before, after: agent, by }))
    return {
      ok: true,
      agent,
      created: before === undefined,
      org_auto_created: by.orgAutoCreated,
      profile_auto_created: listed.length === 0,
    }
  })
}

const UNSAID = { name: null, visibility: 'private', health_check_url: null } as const

/** `GET /api/me/agents`. Creates nothing: a user without an organisation has no agents. */
export async function listAgents(
  ports: Pick<OrganizationPorts, 'organizations'>,
  caller: RegistryCaller,
): Promise<MemberAgent[]> {
  const by = await knownOrganization(ports, caller)
  return by ? ports.organizations.agents(by.organizationId) : []
}

/** `PATCH /api/me/agents/{url}`. */
export async function updateAgent(
  ports: AgentPorts,
  caller: RegistryCaller,
  { url, changes: input }: { url: string; changes: unknown },
): Promise<{ ok: true; agent: MemberAgent } | Refusal> {
  const by = await knownOrganization(ports, caller)
  if (!by) return NOT_FOUND
  return ports.transact(async (tx) => {
    const before = find(await ports.organizations.lockAgents(tx, by.organizationId), url)
    if (!before) return NOT_FOUND
    const parsed = parseAgentChanges(input, before, ports.checkUrl)
    if (!parsed.ok) return parsed
    const agent = { ...before, ...parsed.changes }
    await ports.organizations.putAgent(tx, by.organizationId, agent)
    await ports.feed.append(tx, eventsOf({ before, after: agent, by }))
    return { ok: true, agent }
  })
}

/** `DELETE /api/me/agents/{url}`. A public agent must first be made private or members_only. */
export async function removeAgent(
  ports: OrganizationPorts,
  caller: RegistryCaller,
  url: string,
): Promise<{ ok: true } | Refusal> {
  const by = await knownOrganization(ports, caller)
  if (!by) return NOT_FOUND
  return ports.transact(async (tx) => {
    const before = find(await ports.organizations.lockAgents(tx, by.organizationId), url)
    if (!before) return NOT_FOUND
    if (before.visibility === 'public') return UNPUBLISH_FIRST
    await ports.organizations.removeAgent(tx, by.organizationId, before.url)
    await ports.feed.append(tx, eventsOf({ before, after: undefined, by }))
    return { ok: true }
  })
}

const NOT_FOUND = refuse(404, 'Agent not found')
const UNPUBLISH_FIRST = refuse(409, 'unpublish_first', {
  message: 'a public agent cannot be removed: set its visibility to private or members_only first',
})

function find(agents: readonly MemberAgent[], url: string): MemberAgent | undefined {
  const canonical = canonicalUrl(url)
  return agents.find((agent) => agent.url === canonical)
}

interface AgentChange {
  before: MemberAgent | undefined
  after: MemberAgent | undefined
  by: CallerOrganization
}

/**
 * What readers of the feed receive. A private agent exists only for its organisation: it is discovered when it stops
 * being private, and removed when it becomes private.
 */
function eventsOf({ before, after, by }: AgentChange): NewFeedEvent[] {
  if (before && !after) return [event('agent.removed', before, by)]
  if (!after || (before && isSame(before, after))) return []
  if (!before || (isPrivate(before) && !isPrivate(after))) {
    return [event('agent.discovered', after, by)]
  }
  const updated = event('agent.profile_updated', after, by)
  // The organisation reads both events; the update comes last, so that the organisation still has the agent.
  if (!isPrivate(before) && isPrivate(after)) return [event('agent.removed', before, by), updated]
  return [updated]
}

/** What readers of the feed receive when an agent is deleted with its organisation. */
export function agentRemoved(
  agent: MemberAgent,
  by: Pick<CallerOrganization, 'organizationId' | 'actor'>,
): NewFeedEvent {
  return event('agent.removed', agent, by)
}

function event(
  event_type: NewFeedEvent['event_type'],
  agent: MemberAgent,
  { organizationId, actor }: Pick<CallerOrganization, 'organizationId' | 'actor'>,
): NewFeedEvent {
  const { url, type, name, visibility } = agent
  return {
    event_type,
    entity_type: 'agent',
    entity_id: url,
    payload: { agent_url: url, organization_id: organizationId, type, name, visibility },
    actor,
    visibleTo: isPrivate(agent) ? organizationId : null,
  }
}

function isPrivate(agent: MemberAgent): boolean {
  return agent.visibility === 'private'
}

function isSame(before: MemberAgent, after: MemberAgent): boolean {
  return (
    before.type === after.type &&
    before.name === after.name &&
    before.visibility === after.visibility &&
    before.health_check_url === after.health_check_url
  )
}

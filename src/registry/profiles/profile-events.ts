// What feed readers receive when the inventory of an agent changes.

import type { NewFeedEvent } from '../feed.ts'
import { type AgentProfile, inventoryOf } from './profile.ts'

interface Change {
  before: AgentProfile
  after: AgentProfile
  /** How an organisation lists it publicly, if one does. */
  listing: { type: string; name: string | null } | undefined
}

/** Empty if none of its published data changed. */
export function profileEvents({ before, after, listing }: Change): NewFeedEvent[] {
  const changed_fields = changedFields(before, after)
  if (changed_fields.length === 0) return []
  const { agent_url } = after
  const inventory_profile = inventoryOf(after)
  return [
    {
      event_type: typeOf({ before, after, listing }),
      entity_type: 'agent',
      entity_id: agent_url,
      payload: {
        agent_url,
        name: listing?.name ?? agent_url,
        type: listing?.type ?? 'unknown',
        ...inventory_profile,
        inventory_profile,
        changed_fields,
      },
      actor: 'system',
      visibleTo: null,
    },
  ]
}

/** An agent exists as long as an organisation lists it or a publisher authorizes it. */
function typeOf({ before, after, listing }: Change) {
  if (listing) return 'agent.profile_updated' as const
  if (after.publisher_count === 0) return 'agent.removed' as const
  return before.publisher_count > 0
    ? ('agent.profile_updated' as const)
    : ('agent.discovered' as const)
}

const NOT_PUBLISHED = new Set(['agent_url', 'rank', 'updated_at'])

function changedFields(before: AgentProfile, after: AgentProfile): string[] {
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after)
    .filter(([name]) => !NOT_PUBLISHED.has(name))
    .filter(([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value))
    .map(([name]) => name)
}

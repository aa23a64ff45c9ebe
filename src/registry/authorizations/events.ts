// Authorizations in the change feed: what a reader needs to maintain a list of them that is as trustworthy as the
// feed.

import type { NewFeedEvent } from '../feed.ts'
import type { NewAuthorization } from './authorization.ts'

/** Maximum number of ids in one event: the properties of a large publisher are read from the snapshot. */
const IDS_IN_EVENT = 1_000

export function authorizationEvent(
  change: 'granted' | 'revoked',
  row: Omit<NewAuthorization, 'status'>,
  { now, reason, since }: { now: number; reason?: string; since?: number | undefined },
): NewFeedEvent {
  const { property_ids, terms } = row
  return {
    event_type: `authorization.${change}`,
    entity_type: 'authorization',
    entity_id: row.id,
    payload: {
      id: row.id,
      agent_url: row.agent_url,
      agent_url_canonical: row.agent_url,
      publisher_domain: row.publisher_domain,
      authorization_type: row.authorization_type,
      ...terms,
      property_ids: property_ids.slice(0, IDS_IN_EVENT),
      properties_authorized: property_ids.length,
      discovery_method: row.discovery_method,
      manager_domain: row.manager_domain,
      evidence: 'adagents_json',
      disputed: false,
      created_by: null,
      expires_at: terms.effective_until,
      created_at: new Date(since ?? now).toISOString(),
      updated_at: new Date(now).toISOString(),
      override_applied: false,
      override_reason: null,
      ...(reason === undefined ? {} : { reason }),
    },
    actor: 'system',
    visibleTo: null,
  }
}

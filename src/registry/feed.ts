// The change feed: an event for every change of the registry's data (spec 6.4). Readers keep the id of the last event
// they saw; events are kept for ninety days.

import { defineLimits } from '../lib/limit.ts'

export const FEED_RETENTION_DAYS = 90

export const FEED_LIMITS = defineLimits({
  feedPageLength: {
    what: 'events on one page of the change feed',
    value: 10_000,
    unit: '',
    beyond: '400',
  },
  feedLookedAt: {
    what: 'events that one page of the change feed scans for matches of its filter',
    value: 20_000,
    unit: '',
    beyond: 'the page is short, or empty, and has a `cursor` to continue with',
  },
})

const FEED_EVENT_TYPES = [
  'manifest_ref.created',
  'manifest_ref.verified',
  'manifest_ref.removed',
  'agent.discovered',
  'agent.profile_updated',
  'agent.removed',
  'agent.compliance_changed',
  'agent.verification_earned',
  'agent.verification_lost',
  'publisher.adagents_discovered',
  'publisher.adagents_changed',
  'authorization.granted',
  'authorization.revoked',
  'organization.created',
  'organization.updated',
  'organization.removed',
  'policy.created',
  'policy.updated',
  'policy.approved',
  'policy.removed',
  'brand.created',
  'brand.updated',
  'brand.approved',
  'brand.removed',
  'saved_property.created',
  'saved_property.updated',
  'saved_property.approved',
  'saved_property.removed',
  'mirror.proposed',
  'mirror.published',
  'mirror.rejected',
  'mirror.removed',
  'property.created',
  'property.updated',
  'property.merged',
  'property.stale',
  'property.reactivated',
] as const
type FeedEventType = (typeof FEED_EVENT_TYPES)[number]

export interface NewFeedEvent {
  event_type: FeedEventType
  entity_type:
    | 'manifest_ref'
    | 'agent'
    | 'organization'
    | 'policy'
    | 'brand'
    | 'property'
    | 'mirror'
    | 'publisher'
    | 'authorization'
  entity_id: string
  payload: Record<string, unknown>
  /** The actor: `org:<id>`, `user:<id>` or `system`. */
  actor: string
  /** The only organisation that may read it; null for every reader. */
  visibleTo: string | null
}

export interface FeedEvent {
  event_id: string
  event_type: string
  entity_type: string
  entity_id: string
  payload: Record<string, unknown>
  actor: string
  created_at: string
}

/** The topic on which writers wake the live streams. */
export const FEED_TOPIC = 'registry.feed'

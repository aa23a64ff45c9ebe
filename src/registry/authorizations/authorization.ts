// An authorization: an agent may sell certain properties of a publisher, on certain terms, because a file says so.
// Only what follows from the file that speaks for the publisher counts.

import { namedUuid } from '../../lib/named-uuid.ts'
import type { AuthorizationType, FileEntry } from '../../protocol/adagents/file-model.ts'

/** How a file came to speak for a publisher. */
export const DISCOVERY_METHODS = [
  'direct',
  'authoritative_location',
  'ads_txt_managerdomain',
  'adagents_authoritative',
] as const
export type DiscoveryMethod = (typeof DISCOVERY_METHODS)[number]

/**
 * `live`: stated by the publisher. `claimed`: only somebody else's file names the publisher. `revoked`: a revocation
 * is in effect. `ended`: no file states it any more.
 */
export type AuthorizationStatus = 'live' | 'claimed' | 'revoked' | 'ended'

/** The rest of an entry, apart from the agent and the properties. Times as ISO 8601. */
export interface Terms {
  authorized_for: string
  countries: string[] | null
  placement_ids: string[] | null
  placement_tags: string[] | null
  collections: unknown[] | null
  delegation_type: string | null
  exclusive: boolean
  effective_from: string | null
  effective_until: string | null
  signing_keys: unknown[] | null
}

export interface NewAuthorization {
  id: string
  publisher_domain: string
  agent_url: string
  authorization_type: AuthorizationType
  status: 'live' | 'claimed'
  file_id: string
  entry: number
  discovery_method: DiscoveryMethod
  manager_domain: string | null
  property_ids: string[]
  properties_total: number
  terms: Terms
}

export interface AuthorizationRecord extends Omit<NewAuthorization, 'status'> {
  status: AuthorizationStatus
  created_at: number
  updated_at: number
}

/** How long a revocation stays in effect after it was first seen, whatever the file says afterwards. */
export const HOLD_MS = 7 * 24 * 60 * 60 * 1_000

/** The same authorization keeps its id, whichever file states it. */
export function authorizationId(
  {
    publisher_domain,
    agent_url,
    authorization_type,
  }: Pick<NewAuthorization, 'publisher_domain' | 'agent_url' | 'authorization_type'>,
  ordinal: number,
): string {
  return namedUuid(
    ['authorization', publisher_domain, authorization_type, ordinal, agent_url].join(' '),
  )
}

export function termsOf(entry: FileEntry): Terms {
  return {
    authorized_for: entry.authorized_for,
    countries: entry.countries,
    placement_ids: entry.placement_ids,
    placement_tags: entry.placement_tags,
    collections: entry.collections,
    delegation_type: entry.delegation_type,
    exclusive: entry.exclusive,
    effective_from: isoOf(entry.effective_from),
    effective_until: isoOf(entry.effective_until),
    signing_keys: entry.signing_keys,
  }
}

function isoOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/** Whether it is in effect at a time: outside its window an entry authorizes nothing. */
export function isInEffect({ effective_from, effective_until }: Terms, now: number): boolean {
  if (effective_from !== null && Date.parse(effective_from) > now) return false
  return !isOver({ effective_until }, now)
}

export function isOver({ effective_until }: Pick<Terms, 'effective_until'>, now: number): boolean {
  return effective_until !== null && Date.parse(effective_until) <= now
}

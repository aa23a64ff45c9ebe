// The manifest reference, the registry's one resource (spec 2.1, 3.1), and what is stored of it.

import type { ProvedBy } from './proof.ts'

export const MANIFEST_TYPES = ['brand.json', 'adagents.json'] as const
export type ManifestType = (typeof MANIFEST_TYPES)[number]

export const REFERENCE_TYPES = ['url', 'agent'] as const
export type ReferenceType = (typeof REFERENCE_TYPES)[number]

/**
 * spec 3.1. A reference begins as `pending`. Each verification moves it, from whatever it was, to
 * `unreachable` (no answer worth reading), `invalid` (an answer that is not the manifest, or does not
 * speak of the domain or know the agent's id), back to `pending` (an answer that the domain does not
 * vouch for) or `valid`. Asking for a new verification moves nothing by itself.
 */
export const VERIFICATION_STATUSES = ['pending', 'valid', 'invalid', 'unreachable'] as const
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number]

/** spec 2.1: what a lookup answers. A `url` reference has manifest_url, an `agent` one the others. */
export interface ManifestReference {
  reference_type: ReferenceType
  manifest_url: string | null
  agent_url: string | null
  agent_id: string | null
  verification_status: VerificationStatus
}

/** A reference with what the registry knows about it; times are ISO 8601. */
export interface ReferenceRecord extends ManifestReference {
  id: string
  domain: string
  manifest_type: ManifestType
  /** How the domain vouches for it; null unless it is `valid`. */
  proved_by: ProvedBy | null
  completeness_score: number
  contributed_by_org_id: string
  last_verified_at: string | null
  created_at: string
  updated_at: string
}

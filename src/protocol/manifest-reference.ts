// The manifest reference, the only resource of the registry (spec 2.1, 3.1), and what is stored for it.

import type { ProvedBy } from './proof.ts'

export const MANIFEST_TYPES = ['brand.json', 'adagents.json'] as const
export type ManifestType = (typeof MANIFEST_TYPES)[number]

export const REFERENCE_TYPES = ['url', 'agent'] as const
export type ReferenceType = (typeof REFERENCE_TYPES)[number]

/**
 * spec 3.1. A reference starts as `pending`. Each verification changes it, from any status, to `unreachable` (no
 * readable response), `invalid` (a response that is not the manifest, or does not name the domain or the agent's id),
 * back to `pending` (a response that the domain does not confirm) or `valid`. Requesting a new verification does not
 * change the status.
 */
export const VERIFICATION_STATUSES = ['pending', 'valid', 'invalid', 'unreachable'] as const
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number]

/** spec 2.1: the result of a lookup. A `url` reference has manifest_url, an `agent` one the other members. */
export interface ManifestReference {
  reference_type: ReferenceType
  manifest_url: string | null
  agent_url: string | null
  agent_id: string | null
  verification_status: VerificationStatus
}

/** A reference with the registry's data about it; times are ISO 8601. */
export interface ReferenceRecord extends ManifestReference {
  id: string
  domain: string
  manifest_type: ManifestType
  /** How the domain confirms it; null unless it is `valid`. */
  proved_by: ProvedBy | null
  completeness_score: number
  contributed_by_org_id: string
  last_verified_at: string | null
  created_at: string
  updated_at: string
}

// What the views of the registry ask of the database beside its own ports. Reads alone, each bounded.

import type { FeedEvent } from '../registry/feed.ts'
import type { MemberAgent, Organization } from '../registry/store.ts'

/** How the verification of a reference stands. */
export interface VerificationFacts {
  /** In milliseconds; 0: asked for, before all else. */
  next_verification_at: number
  /** Until when somebody is at it; 0 or past: nobody. */
  lease_until: number
  failures: number
  is_proof_asked: boolean
}

interface FeedFilter {
  domain?: string | undefined
  entity_type?: string | undefined
  /** The number of the last one of the page before. */
  after?: number | undefined
  limit: number
}

export interface RegistryQueries {
  /** By id. */
  facts(referenceIds: readonly string[]): Promise<Map<string, VerificationFacts>>
  /** The names of organisations, by id. */
  names(organizationIds: readonly string[]): Promise<Map<string, string>>
  /** The organisation of a mail domain, with what it lists. */
  organizationOf(
    domain: string,
  ): Promise<
    (Pick<Organization, 'organization_id' | 'name'> & { agents: MemberAgent[] }) | undefined
  >
  /** The newest first, whoever may read them; `next`: where to go on, a page may be short of its limit. */
  feed(filter: FeedFilter): Promise<{ events: FeedEvent[]; next: number | undefined }>
}

// Queries for the views of the registry, in addition to its own ports. Read-only, each bounded.

import type { CrawledDomain, CrawlStatus } from '../registry/crawler/store.ts'
import type { FeedEvent } from '../registry/feed.ts'
import type { MemberAgent, Organization } from '../registry/store.ts'

/** The state of a reference's verification. */
export interface VerificationFacts {
  /** In milliseconds; 0: requested explicitly, runs before all else. */
  next_verification_at: number
  /** The end of a worker's lease; 0 or past: no worker has it. */
  lease_until: number
  failures: number
  is_proof_asked: boolean
}

interface FeedFilter {
  domain?: string | undefined
  entity_type?: string | undefined
  /** The number of the last row on the previous page. */
  after?: number | undefined
  limit: number
}

export interface RegistryQueries {
  /** By id. */
  facts(referenceIds: readonly string[]): Promise<Map<string, VerificationFacts>>
  /** The names of organisations, by id. */
  names(organizationIds: readonly string[]): Promise<Map<string, string>>
  /** The organisation of a mail domain, with the agents that it lists. */
  organizationOf(
    domain: string,
  ): Promise<
    (Pick<Organization, 'organization_id' | 'name'> & { agents: MemberAgent[] }) | undefined
  >
  /**
   * Domains in order whose name begins with this prefix; `next`: where to continue, a page may be shorter than its
   * limit.
   */
  crawled(filter: {
    prefix: string
    status: CrawlStatus | undefined
    after: string
    limit: number
  }): Promise<{ domains: CrawledDomain[]; next: string | undefined }>
  /**
   * Newest first, regardless of who may read them; `next`: where to continue; a page may be shorter than its limit.
   */
  feed(filter: FeedFilter): Promise<{ events: FeedEvent[]; next: number | undefined }>
}

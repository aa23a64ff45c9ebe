// What the registry needs from a database. Writes take the transaction they belong to, so that a change and its feed
// event commit together; reads see committed data.

import type { ChooseSuspects } from '../lib/poison-jobs.ts'
import type { Transaction } from '../lib/transaction.ts'
import type {
  ManifestType,
  ReferenceRecord,
  ReferenceType,
  VerificationStatus,
} from '../protocol/manifest-reference.ts'
import type { ProvedBy } from '../protocol/proof.ts'
import type { VerifiedBrand } from './brands/store.ts'
import type { FeedEvent, NewFeedEvent } from './feed.ts'
import type { ListPort } from './list-references.ts'

export interface NewReference {
  domain: string
  manifest_type: ManifestType
  reference_type: ReferenceType
  manifest_url: string | null
  agent_url: string | null
  agent_id: string | null
  contributed_by_org_id: string
}

export interface ReferenceStats {
  total_references: number
  brand_json_count: number
  adagents_json_count: number
  verified_count: number
  pending_count: number
  invalid_count: number
  unreachable_count: number
  url_refs_count: number
  agent_refs_count: number
  unique_domains: number
  unique_orgs: number
}

/** A reference whose verification this instance has leased. */
export interface ClaimedReference extends ReferenceRecord {
  leaseToken: string
  /** Number of consecutive verifications that did not end `valid`. */
  failures: number
  /** Whether its contributor has requested a challenge. */
  isProofRequested: boolean
  /** Number of consecutive leases that were never ended, including this one: their processes died. */
  lost: number
}

export interface VerificationRecord {
  /** `pending` when something responds but the domain does not vouch for it. */
  verification_status: VerificationStatus
  /** How the domain vouches for it; null unless it is `valid`. */
  proved_by: ProvedBy | null
  completeness_score: number
  /** A sentence: what was found, and what would be valid. */
  reason: string
  issues: readonly { pointer: string; message: string }[]
  duration_ms: number
}

/** @internal */
export interface VerificationHistoryEntry extends VerificationRecord {
  verified_at: string
}

/** Something that a verified manifest names, searchable by the words of its label. */
export interface SearchLabel {
  kind: 'brand' | 'publisher' | 'property'
  label: string
}

export interface SearchHit extends SearchLabel {
  domain: string
  verification_status: VerificationStatus
}

export interface ReferenceStore extends ListPort {
  /** The best reference for a domain, by the ranking of the lookup in spec 4.1, as JSON of spec 2.1. */
  bestJson(domain: string, manifestType: string): string | undefined | Promise<string | undefined>
  /** Adds references that their contributor has not added before; returns results in the order requested. */
  add(
    tx: Transaction,
    references: readonly NewReference[],
    options: { verifyAt: number },
  ): Promise<{ reference: ReferenceRecord; created: boolean }[]>
  get(id: string): Promise<ReferenceRecord | undefined>
  /** Which id each has or would get, and whether its contributor has added it before. */
  idsOf(references: readonly NewReference[]): Promise<{ id: string; isKnown: boolean }[]>
  stats(): Promise<ReferenceStats>
  remove(tx: Transaction, id: string): Promise<boolean>
  /** How many references an organisation has contributed. Scans all references. */
  countOf(
    tx: Transaction,
    organizationId: string,
  ): Promise<{ references: number; valid_references: number }>
  /** Deletes some references that an organisation contributed, by id after `after`; none at the end. */
  removeSomeOf(
    tx: Transaction,
    organizationId: string,
    page: { after: string; limit: number },
  ): Promise<ReferenceRecord[]>
  /** Moves a reference to the front of the queue. False if no reference has this id. */
  requestVerification(tx: Transaction, id: string): Promise<boolean>
  /** Makes verifications look for the contributor's challenge. False if no reference has this id. */
  askProof(tx: Transaction, id: string): Promise<boolean>
  /**
   * Leases due references for `leaseMs`, the longest due first. Of references that lost their last leases, only the
   * chosen ones; default any.
   */
  claimDue(
    tx: Transaction,
    options: { limit: number; leaseMs: number; chooseLost?: ChooseSuspects },
  ): Promise<ClaimedReference[]>
  /** Leases one now, even if another process holds it. Undefined if no reference has this id. */
  take(tx: Transaction, id: string): Promise<ClaimedReference | undefined>
  /** Ends a lease with a result. Undefined, and nothing changed, when the lease was lost. */
  recordVerification(
    tx: Transaction,
    claim: { id: string; leaseToken: string },
    result: VerificationRecord & {
      nextVerificationAt: number
      labels: readonly SearchLabel[]
      brand?: VerifiedBrand | undefined
      /** It was not verified because that killed too many processes: the count is kept. */
      isGivenUp?: boolean
    },
  ): Promise<ReferenceRecord | undefined>
  /** Gives a lease back unused, so that another instance can take it at once, as if it had never been taken. */
  releaseClaim(tx: Transaction, claim: { id: string; leaseToken: string }): Promise<void>
  history(id: string, limit: number): Promise<VerificationHistoryEntry[]>
  search(kind: SearchLabel['kind'], prefix: string, limit: number): Promise<SearchHit[]>
}

export interface FeedPage {
  events: FeedEvent[]
  hasMore: boolean
  /** For a page that ended early because the limit of events to examine was reached: the last event examined. */
  lookedTo?: string
  latestEventCreatedAt: string | null
}

export interface FeedStore {
  append(tx: Transaction, events: readonly NewFeedEvent[]): Promise<void>
  /** Events after the cursor, in commit order; 'expired' when the cursor is no longer kept. */
  page(query: {
    cursor: string | null
    types: readonly string[]
    limit: number
    organizationId: string
  }): Promise<FeedPage | 'expired'>
  /** The id of the newest event; null when there is none. */
  lastId(): Promise<string | null>
  /** Deletes some of the oldest events, older than `before`. 0 when there are no more. */
  trim(tx: Transaction, before: number): Promise<number>
}

export interface Organization {
  organization_id: string
  name: string
  is_personal: boolean
  company_type: string | null
  revenue_tier: string | null
  marketing_opt_in: boolean
  /** The organisation for a mail domain; null for personal ones and those created by an operator. */
  corporate_domain: string | null
  /** Created by a user's first call, with derived values that nobody has overridden yet (spec 4.5). */
  auto_created: boolean
}

export const AGENT_VISIBILITIES = ['private', 'members_only', 'public'] as const
export type AgentVisibility = (typeof AGENT_VISIBILITIES)[number]

export interface MemberAgent {
  url: string
  type: string
  name: string | null
  visibility: AgentVisibility
  health_check_url: string | null
}

export interface OrganizationStore {
  get(organizationId: string): Promise<Organization | undefined>
  /** All of them, the oldest first. */
  list(): Promise<Organization[]>
  /** Like get, inside a transaction: nobody joins, changes or deletes it until the transaction ends. */
  lock(tx: Transaction, organizationId: string): Promise<Organization | undefined>
  countOf(
    tx: Transaction,
    organizationId: string,
  ): Promise<{ agents: number; members: number; keys: number }>
  /** Deletes it with its keys, members and agents. False if it does not exist. */
  remove(tx: Transaction, organizationId: string): Promise<boolean>
  /** Blocks other transactions that request the same domain until this one ends. */
  byCorporateDomain(tx: Transaction, domain: string): Promise<Organization | undefined>
  add(tx: Transaction, organization: Organization): Promise<void>
  update(tx: Transaction, organization: Organization): Promise<void>
  addKey(
    tx: Transaction,
    organizationId: string,
    key: { keyHash: string; hint: string },
  ): Promise<void>
  /** The organisation that has this key, unless the key has been revoked. */
  byKeyHash(keyHash: string): Promise<Organization | undefined>
  organizationOf(userId: string): Promise<Organization | undefined>
  /**
   * Like organizationOf, inside a transaction: sees the transaction's own writes, and blocks other transactions that
   * request the same user or change the same organisation until it ends.
   */
  lockMembership(tx: Transaction, userId: string): Promise<Organization | undefined>
  addMember(
    tx: Transaction,
    member: { userId: string; organizationId: string; email: string | null },
  ): Promise<void>
  /** In the order of their URLs. */
  agents(organizationId: string): Promise<MemberAgent[]>
  /** Like agents, inside a transaction: blocks other writers of this list until it ends. */
  lockAgents(tx: Transaction, organizationId: string): Promise<MemberAgent[]>
  /** Adds the agent, or replaces the one with its URL. */
  putAgent(tx: Transaction, organizationId: string, agent: MemberAgent): Promise<void>
  removeAgent(tx: Transaction, organizationId: string, url: string): Promise<void>
}

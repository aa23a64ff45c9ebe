// What the profiles of agents need from a database.

import type { Transaction } from '../../lib/transaction.ts'
import type { Terms } from '../authorizations/authorization.ts'
import type { DirectoryReader } from '../directory/store.ts'
import type { AgentProfile, SoldProperty } from './profile.ts'

/** The parts of an authorization that a profile needs, with the properties that it covers. */
export interface SoldProperties {
  id: string
  publisher_domain: string
  terms: Terms
  properties: SoldProperty[]
}

export interface ProfileQuery {
  reader: DirectoryReader
  type?: string | undefined
  has_tmp?: boolean | undefined
  min_properties?: number | undefined
  /** At least one value of each filter must match. */
  lists: Readonly<Record<string, readonly string[]>>
  /** Behind this place. */
  after?: { rank: number; agent_url: string } | undefined
  limit: number
}

/** A profile with what the organisation that lists the agent says about it. */
export interface FoundProfile {
  profile: AgentProfile
  listing: { type: string; name: string | null; updated_at: number } | undefined
}

/** One mark of a profile that is waiting to be computed: it changes whenever the agent is marked again. */
export interface ClaimedProfile {
  agent_url: string
  mark: number
}

/** A publisher that authorizes an agent, or one that is named only by somebody else's file. */
interface NamingPublisher {
  publisher_domain: string
  authorized_for: string
  is_live: boolean
}

export interface ProfileStore {
  /**
   * Marks the agents because their inventory has changed. Adds rows and locks none, so that crawls do not wait for
   * each other.
   */
  mark(tx: Transaction, agentUrls: readonly string[]): Promise<void>
  /** Moves some of those marks to the profiles of their agents. Returns how many it took. */
  takeMarks(tx: Transaction, limit: number): Promise<number>
  /** Leases the profile that has been due the longest. */
  claim(tx: Transaction, leaseMs: number): Promise<ClaimedProfile | undefined>
  /** The live authorizations of an agent, starting after `after`. */
  sold(
    agentUrl: string,
    page: { after: Pick<SoldProperties, 'publisher_domain' | 'id'> | undefined; limit: number },
  ): Promise<SoldProperties[]>
  /** Ends the lease of one that is still to be computed. */
  release(tx: Transaction, agentUrl: string): Promise<void>
  /** The stored profile, locked until the transaction ends; undefined if the mark has changed. */
  lock(tx: Transaction, claimed: ClaimedProfile): Promise<AgentProfile | undefined>
  /** Stores it and removes its mark; it is due again at `dueAt`, if given, and not before `notBefore`. */
  put(
    tx: Transaction,
    profile: AgentProfile,
    times: { dueAt: number | undefined; notBefore: number },
  ): Promise<void>
  /** How an organisation lists it publicly, if one does. */
  listing(
    tx: Transaction,
    agentUrl: string,
  ): Promise<{ type: string; name: string | null } | undefined>
  some(agentUrls: readonly string[]): Promise<Map<string, AgentProfile>>
  /**
   * By rank, the highest first, then by URL: agents that publishers authorize, and agents whose listing the reader
   * may see. `lookedTo` is where the search stopped if it stopped early.
   */
  search(query: ProfileQuery): Promise<{
    found: FoundProfile[]
    lookedTo: { rank: number; agent_url: string } | undefined
  }>
  /** Agents of a site. */
  ofSite(reader: DirectoryReader, site: string, limit: number): Promise<FoundProfile[]>
  /** The first publishers that name an agent; those that authorize it come first. */
  namedBy(agentUrl: string, limit: number): Promise<NamingPublisher[]>
}

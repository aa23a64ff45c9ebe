// What the profiles of agents need of a database.

import type { Transaction } from '../../lib/transaction.ts'
import type { Terms } from '../authorizations/authorization.ts'
import type { DirectoryReader } from '../directory/store.ts'
import type { AgentProfile, SoldProperty } from './profile.ts'

/** An authorization as far as a profile needs it, with the properties that it is about. */
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
  /** At least one of the values of each. */
  lists: Readonly<Record<string, readonly string[]>>
  /** Behind this place. */
  after?: { rank: number; agent_url: string } | undefined
  limit: number
}

/** A profile with what the organisation that lists the agent says of it. */
export interface FoundProfile {
  profile: AgentProfile
  listing: { type: string; name: string | null; updated_at: number } | undefined
}

/** One mark of a profile that is to be computed: it changes whenever the agent is marked again. */
export interface ClaimedProfile {
  agent_url: string
  mark: number
}

/** A publisher that authorizes an agent, or that only the file of somebody else names. */
interface NamingPublisher {
  publisher_domain: string
  authorized_for: string
  is_live: boolean
}

export interface ProfileStore {
  /** Says that what the agents sell has changed. Adds rows and locks none, so that crawls do not wait for each other. */
  mark(tx: Transaction, agentUrls: readonly string[]): Promise<void>
  /** Counts some of those marks on the profiles of their agents. Returns how many it took. */
  takeMarks(tx: Transaction, limit: number): Promise<number>
  /** Leases the profile that is longest due. */
  claim(tx: Transaction, leaseMs: number): Promise<ClaimedProfile | undefined>
  /** The live authorizations of an agent, behind `after`. */
  sold(
    agentUrl: string,
    page: { after: Pick<SoldProperties, 'publisher_domain' | 'id'> | undefined; limit: number },
  ): Promise<SoldProperties[]>
  /** Ends the lease of one that is still to be computed. */
  release(tx: Transaction, agentUrl: string): Promise<void>
  /** As it is stored, held to the end of the transaction; undefined when the mark is no longer this one. */
  lock(tx: Transaction, claimed: ClaimedProfile): Promise<AgentProfile | undefined>
  /** Stores it and takes its mark away; it is due again at `dueAt`, where one is given, and not before `notBefore`. */
  put(
    tx: Transaction,
    profile: AgentProfile,
    times: { dueAt: number | undefined; notBefore: number },
  ): Promise<void>
  /** How an organisation lists it for everybody, if one does. */
  listing(
    tx: Transaction,
    agentUrl: string,
  ): Promise<{ type: string; name: string | null } | undefined>
  some(agentUrls: readonly string[]): Promise<Map<string, AgentProfile>>
  /**
   * By rank, the highest first, then by URL: agents that publishers authorize, and those that the reader may see listed.
   * `lookedTo` is where the search stopped when it stopped early.
   */
  search(query: ProfileQuery): Promise<{
    found: FoundProfile[]
    lookedTo: { rank: number; agent_url: string } | undefined
  }>
  /** Agents of a site. */
  ofSite(reader: DirectoryReader, site: string, limit: number): Promise<FoundProfile[]>
  /** The first publishers that name an agent, those that authorize it before the others. */
  namedBy(agentUrl: string, limit: number): Promise<NamingPublisher[]>
}

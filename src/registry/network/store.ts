// The data for the health of a network: which publishers belong to it, and what is stored about each.

import type { AuthorizationStatus, DiscoveryMethod } from '../authorizations/authorization.ts'
import type { CrawledDomain } from '../crawler/store.ts'

/** Whose network it is. */
export type NetworkSubject = { manager_domain: string } | { agent_url: string }

/** The parts of an authorization that matter for health. Times in milliseconds. */
export interface NetworkAuthorization {
  publisher_domain: string
  agent_url: string
  status: AuthorizationStatus
  discovery_method: DiscoveryMethod
  manager_domain: string | null
  properties_authorized: number
  effective_from: number | null
  effective_until: number | null
}

export interface DomainRecord {
  domain: string
  /** Undefined for one that was never queued. */
  crawled: CrawledDomain | undefined
  /** For the agent, or for all agents of the manager. */
  authorizations: NetworkAuthorization[]
  /** The end of the last revocation, past or future. */
  held_until: number | null
  /** Whether a file of the manager describes a property of the domain. */
  isDescribed: boolean
  /** Whether a file of the manager lists the domain as revoked. */
  isRevoked: boolean
}

export interface NetworkStore {
  /** Publishers after a domain, in order. */
  publishers(subject: NetworkSubject, page: { after: string; limit: number }): Promise<string[]>
  records(subject: NetworkSubject, domains: readonly string[]): Promise<DomainRecord[]>
}

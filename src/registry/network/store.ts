// What the health of a network is computed from: which publishers belong to it, and what is on record of each.

import type { AuthorizationStatus, DiscoveryMethod } from '../authorizations/authorization.ts'
import type { CrawledDomain } from '../crawler/store.ts'

/** Whose network it is. */
export type NetworkSubject = { manager_domain: string } | { agent_url: string }

/** An authorization, as far as its health goes. Times in milliseconds. */
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
  /** Of the agent, or of all agents of the manager. */
  authorizations: NetworkAuthorization[]
  /** Until when the last revocation is, or was, held. */
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

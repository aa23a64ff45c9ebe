// What the lists of publishers need from a database.

import type { DiscoveryMethod } from '../authorizations/authorization.ts'

/** A domain for which a file speaks. */
export interface PublisherHead {
  domain: string
  file_id: string
  discovery_method: DiscoveryMethod | null
  /** When its file was last read, or found unchanged; 0 for never. */
  verified_at: number
}

interface FoundProperty {
  domain: string
  name: string
  /** Whether the domain itself states it, and not only somebody else's file. */
  isConfirmed: boolean
}

interface PublisherCounts {
  properties: number
  /** Agents that it authorizes. */
  agents: number
}

export interface RegistryTotals {
  publishers: number
  /** Domains that only the files of others describe. */
  discovered: number
  properties: number
  authorizations: number
  authorized_agents: number
  registered_agents: number
}

export interface PublisherStore {
  /** The domains in this list that have a file speaking for them. */
  some(domains: readonly string[]): Promise<Map<string, PublisherHead>>
  /** In the order of their domains; those that begin with `prefix`. */
  list(page: { prefix: string; limit: number; offset: number }): Promise<PublisherHead[]>
  /** Domains without a file of their own that the files of others describe, in their order. */
  discovered(page: {
    prefix: string
    limit: number
  }): Promise<{ domain: string; properties: number }[]>
  /** Which of the agents may sell something at that time. */
  counts(domains: readonly string[], now: number): Promise<Map<string, PublisherCounts>>
  /** Properties in use with a name or publisher that starts with a lower-case text. */
  findProperties(prefix: string, limit: number): Promise<FoundProperty[]>
  /** Each counted up to `most`. */
  totals(most: number): Promise<RegistryTotals>
}

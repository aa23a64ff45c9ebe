// What the lists of publishers need of a database.

import type { DiscoveryMethod } from '../authorizations/authorization.ts'

/** A domain for which a file speaks. */
export interface PublisherHead {
  domain: string
  file_id: string
  discovery_method: DiscoveryMethod | null
  /** When its file was last read, or found unchanged; 0 for never. */
  verified_at: number
}

interface PublisherCounts {
  properties: number
  /** Agents that it authorizes. */
  agents: number
}

export interface RegistryTotals {
  publishers: number
  properties: number
  authorizations: number
  authorized_agents: number
  registered_agents: number
}

export interface PublisherStore {
  /** Those of these domains for which a file speaks. */
  some(domains: readonly string[]): Promise<Map<string, PublisherHead>>
  /** In the order of their domains; those that begin with `prefix`. */
  list(page: { prefix: string; limit: number; offset: number }): Promise<PublisherHead[]>
  counts(domains: readonly string[]): Promise<Map<string, PublisherCounts>>
  /** Each counted up to `most`. */
  totals(most: number): Promise<RegistryTotals>
}

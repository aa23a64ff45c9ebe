// An operator's limits on one endpoint, which replace the default limits. They apply across all instances, starting
// with the next claim.

import type { Transaction } from '../../lib/transaction.ts'
import type { OwnedEndpoint } from './store.ts'

export interface EndpointLimits {
  /** Concurrent attempts; undefined: the default. */
  concurrency: number | undefined
  /**
   * Attempts started per second, evenly spaced, with at most a tenth of a second's worth at once; undefined: no
   * limit.
   */
  per_second: number | undefined
}

export interface LimitStore {
  get(of: OwnedEndpoint): Promise<EndpointLimits>
  /** Answers what held before. */
  set(tx: Transaction, of: OwnedEndpoint, limits: EndpointLimits): Promise<EndpointLimits>
}

/** What an operator may choose. */
export const LIMIT_BOUNDS = {
  concurrency: { least: 1, most: 256 },
  per_second: { least: 0.01, most: 1_000 },
} as const

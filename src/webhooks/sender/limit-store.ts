// An operator's limits of one endpoint, in place of those that hold for all. They hold on all instances together, and
// from the next claim on.

import type { Transaction } from '../../lib/transaction.ts'
import type { OwnedEndpoint } from './store.ts'

export interface EndpointLimits {
  /** Attempts at the same time; undefined: as for all. */
  concurrency: number | undefined
  /** Attempts begun in a second, evenly, a tenth of a second's at once at most; undefined: no bound. */
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

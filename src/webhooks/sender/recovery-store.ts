// Resends the lost deliveries of an endpoint since a time: a job that an operator starts, and that any instance can
// continue (spec 6.4). A step reads some deliveries and resends them in the transaction that stores its progress, so
// an interrupted step leaves no trace, and no delivery is resent twice. Keys and bodies stay the same, so a receiver
// that already has one recognizes it.

import type { Transaction } from '../../lib/transaction.ts'
import type { OwnedEndpoint } from './store.ts'

/** Wakes the workers that run them. */
export const RECOVERIES_TOPIC = 'recoveries'

export const RECOVERED = ['failed', 'all'] as const
/**
 * failed: failed permanently, or cancelled because the receiver was gone; not what an operator cancelled.
 * all: everything that has ended, including what was delivered.
 */
export type Recovered = (typeof RECOVERED)[number]

export const RECOVERY_STATES = ['counting', 'sending', 'finished', 'cancelled'] as const
/** counting → sending → finished, or cancelled at any point: deliveries resent by then stay sent. */
type RecoveryState = (typeof RECOVERY_STATES)[number]

export interface RecoveryRequest extends OwnedEndpoint {
  which: Recovered
  /** Deliveries created at or after, in milliseconds. */
  since: number
}

export interface Recovery extends RecoveryRequest {
  recovery_id: number
  state: RecoveryState
  /** Number found so far while counting; afterwards the total. */
  total: number
  sent: number
  /** Not resent: its channel no longer exists, or it is already in progress. */
  passed_over: number
  /** A name, for people. */
  requested_by: string
  created_at: number
  updated_at: number
  ended_at: number | undefined
}

export interface RecoveryStore {
  /** How many there are now, counting at most some thousand deliveries; `isAll` if that is all of them. */
  count(selection: RecoveryRequest): Promise<{ found: number; isAll: boolean }>
  /** Undefined while another recovery of this endpoint is running. Deliveries added later are not part of it. */
  begin(
    tx: Transaction,
    selection: RecoveryRequest & { requested_by: string },
  ): Promise<Recovery | undefined>
  /** One endpoint's, the newest first. */
  list(of: OwnedEndpoint, limit: number): Promise<Recovery[]>
  get(recoveryId: number): Promise<Recovery | undefined>
  /** False when it has ended. */
  cancel(tx: Transaction, recoveryId: number): Promise<boolean>
  /**
   * Runs a step of the recovery that has waited longest, or of this one; undefined if there is none, or other
   * instances have them locked. Deliveries are due at once and end after `horizonMs`.
   */
  step(tx: Transaction, horizonMs: number, recoveryId?: number): Promise<Recovery | undefined>
  /** Deletes some that ended earlier. Returns how many; 0 when there are no more. */
  trim(tx: Transaction, endedBefore: number): Promise<number>
}

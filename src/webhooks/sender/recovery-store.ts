// Resends the lost deliveries of an endpoint since a time: a job that an operator starts, and that any instance
// can continue (spec 6.4). A step reads some deliveries and sends them again in the transaction that stores its
// progress, so an interrupted step leaves no trace, and none is sent again twice. Keys and bodies stay the same,
// so a receiver that already has one recognizes it.

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
/** counting → sending → finished, or cancelled on the way: what was sent by then stays sent. */
type RecoveryState = (typeof RECOVERY_STATES)[number]

export interface RecoveryRequest extends OwnedEndpoint {
  which: Recovered
  /** Deliveries created at or after, in milliseconds. */
  since: number
}

export interface Recovery extends RecoveryRequest {
  recovery_id: number
  state: RecoveryState
  /** Found so far while it counts; afterwards how many there were. */
  total: number
  sent: number
  /** Not sent again: nothing leads there any more, or it is on its way already. */
  passed_over: number
  /** A name, for people. */
  requested_by: string
  created_at: number
  updated_at: number
  ended_at: number | undefined
}

export interface RecoveryStore {
  /** How many there are now, based on up to some thousand deliveries; `isAll` when that is all of them. */
  count(selection: RecoveryRequest): Promise<{ found: number; isAll: boolean }>
  /** Undefined while another of this endpoint is under way. What comes up later is not part of it. */
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
   * A step of the one that waited longest, or of this one; undefined when there is none, or others have them in
   * hand. Deliveries are due at once and end after `horizonMs`.
   */
  step(tx: Transaction, horizonMs: number, recoveryId?: number): Promise<Recovery | undefined>
  /** Forgets some that ended before. Returns how many: 0 at the end. */
  trim(tx: Transaction, endedBefore: number): Promise<number>
}

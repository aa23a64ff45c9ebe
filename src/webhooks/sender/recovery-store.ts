// What was lost at an endpoint, sent again since a time: a job that an operator starts, and that goes on whichever
// instance is there (spec 6.4). A step looks at some deliveries and sends them again in the transaction that keeps
// how far it has come, so a step that is cut short never was, and none is sent again twice. Keys and bodies stay as
// they are, so a receiver that has one knows it.

import type { Transaction } from '../../lib/transaction.ts'
import type { OwnedEndpoint } from './store.ts'

/** Wakes whoever carries them out. */
export const RECOVERIES_TOPIC = 'recoveries'

export const RECOVERED = ['failed', 'all'] as const
/**
 * failed: given up, or cancelled since the receiver was gone; not what an operator called off.
 * all: whatever has ended, what was delivered as well.
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
  /** How many there are now, as far as some thousand deliveries tell; `isAll` when that is all of them. */
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

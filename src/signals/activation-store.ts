// Stores activations (spec 3.3): the state of each signal on each target for each principal, and what still has to be
// removed from a platform. Also the accounts that principals were granted (spec 2.7).

import type { ChooseSuspects } from '../lib/poison-jobs.ts'
import type { Transaction } from '../lib/transaction.ts'
import type { DeploymentTarget } from '../protocol/schemas/deployment.ts'
import type { Activation } from './activation-state.ts'

export interface ActivationPlace {
  principal_id: string
  signal_agent_segment_id: string
}

/** A run of an activation that must be removed from its platform. */
export interface Takedown {
  activation: Activation
  /** Failures so far. */
  tries: number
  /** Number of consecutive claims that were never ended, including this one: their processes died. */
  lost: number
}

export interface ActivationStore {
  /** One for each target, in order, locked against changes by others until the transaction has ended. */
  lock(
    tx: Transaction,
    place: ActivationPlace,
    targets: readonly DeploymentTarget[],
  ): Promise<Activation[]>
  /** The activations of a task that are not live yet, locked. */
  lockOfTask(tx: Transaction, taskId: string): Promise<Activation[]>
  /** A principal's activations that are live or activating, locked. */
  lockOn(tx: Transaction, principalId: string): Promise<Activation[]>
  /** Writes one that was locked. */
  save(tx: Transaction, activation: Activation): Promise<void>
  /** Committed state: a principal's activations of these signals, except those that were never started. */
  find(principalId: string, signalIds: readonly string[]): Promise<Activation[]>
  /** When an activation of the principal last changed; 0 if none has. */
  lastChange(principalId: string): Promise<number>
  /** Schedules the removal of the activation's run from its platform at that time, unless it was removed before. */
  addTakedown(tx: Transaction, activation: Activation, dueAt: number): Promise<void>
  /**
   * Takes due removals, each for `leaseMs`. Of removals that lost their last claims, only the chosen ones; default
   * any. No two callers get the same one.
   */
  claimTakedowns(
    tx: Transaction,
    options: { limit: number; leaseMs: number; chooseLost?: ChooseSuspects },
  ): Promise<Takedown[]>
  /** Gives a claim back as if it had never been made. */
  releaseTakedown(tx: Transaction, activationId: string): Promise<void>
  /** After a failure: it is due again at that time. */
  postponeTakedown(tx: Transaction, activationId: string, dueAt: number): Promise<void>
  endTakedown(tx: Transaction, activationId: string): Promise<void>
}

/** An account that a principal may use: on a platform, identified by name, or at an agent, identified by URL. */
export interface AccountGrant {
  platform: string
  account: string
}

export interface GrantStore {
  /** False when the principal already has it. */
  grant(tx: Transaction, principalId: string, grant: AccountGrant): Promise<boolean>
  /** False when the principal does not have it. */
  revoke(tx: Transaction, principalId: string, grant: AccountGrant): Promise<boolean>
  /** Ordered by platform and account. */
  of(principalId: string): Promise<AccountGrant[]>
}

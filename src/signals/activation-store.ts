// Where activations are kept (spec 3.3): how each signal stands on each target for each principal, and
// what still has to be taken off a platform. And the accounts that principals were granted (spec 2.7).

import type { ChooseSuspects } from '../lib/poison-jobs.ts'
import type { Transaction } from '../lib/transaction.ts'
import type { DeploymentTarget } from '../protocol/schemas/deployment.ts'
import type { Activation } from './activation-state.ts'

export interface ActivationPlace {
  principal_id: string
  signal_agent_segment_id: string
}

/** A run of an activation that its platform shall forget. */
export interface Takedown {
  activation: Activation
  /** Failures so far. */
  tries: number
  /** Claims in a row that nobody ended, this one included: their processes died. */
  lost: number
}

export interface ActivationStore {
  /** One for each target, in their order, unchanged by others until the transaction has ended. */
  lock(
    tx: Transaction,
    place: ActivationPlace,
    targets: readonly DeploymentTarget[],
  ): Promise<Activation[]>
  /** The activations that a task drives and that are not live yet, locked. */
  lockOfTask(tx: Transaction, taskId: string): Promise<Activation[]>
  /** Those of a principal that are live or on their way there, locked. */
  lockOn(tx: Transaction, principalId: string): Promise<Activation[]>
  /** Writes one that was locked. */
  save(tx: Transaction, activation: Activation): Promise<void>
  /** As committed: a principal's activations of these signals, but for those never begun. */
  find(principalId: string, signalIds: readonly string[]): Promise<Activation[]>
  /** When an activation of the principal last changed; 0 if none did. */
  lastChange(principalId: string): Promise<number>
  /** Has the activation's run taken off its platform at that time, unless it has been by then. */
  addTakedown(tx: Transaction, activation: Activation, dueAt: number): Promise<void>
  /**
   * Takes what is due, each for `leaseMs`; of those whose last claims were lost the chosen ones, default
   * any. No two callers get the same.
   */
  claimTakedowns(
    tx: Transaction,
    options: { limit: number; leaseMs: number; chooseLost?: ChooseSuspects },
  ): Promise<Takedown[]>
  /** Gives a claim back as if it had not been made. */
  releaseTakedown(tx: Transaction, activationId: string): Promise<void>
  /** After a failure: it is due again at that time. */
  postponeTakedown(tx: Transaction, activationId: string, dueAt: number): Promise<void>
  endTakedown(tx: Transaction, activationId: string): Promise<void>
}

/** An account that a principal may use, on a platform by its name or at an agent by its URL. */
export interface AccountGrant {
  platform: string
  account: string
}

export interface GrantStore {
  /** False when the principal has it already. */
  grant(tx: Transaction, principalId: string, grant: AccountGrant): Promise<boolean>
  /** False when the principal does not have it. */
  revoke(tx: Transaction, principalId: string, grant: AccountGrant): Promise<boolean>
  /** In the order of platform and account. */
  of(principalId: string): Promise<AccountGrant[]>
}

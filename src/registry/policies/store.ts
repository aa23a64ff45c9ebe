// What the rules of policies need of a database.

import type { Transaction } from '../../lib/transaction.ts'
import type { Policy, PolicyBody } from './policy.ts'

export interface StoredPolicy {
  policy: Policy
  /** Null for what a moderator added. */
  contributedBy: string | null
}

export interface PolicyFilter {
  search?: string | undefined
  category?: string | undefined
  enforcement?: string | undefined
  jurisdiction?: string | undefined
  policy_category?: string | undefined
  domain?: string | undefined
  limit: number
  offset: number
}

export interface PolicyStore {
  get(policyId: string): Promise<StoredPolicy | undefined>
  /** As get, inside a transaction: nobody changes it until that ends. */
  lock(tx: Transaction, policyId: string): Promise<StoredPolicy | undefined>
  /** Those of the ids that there are. */
  some(policyIds: readonly string[]): Promise<StoredPolicy[]>
  /** What an approved version said, even when it is not the current one. */
  version(policyId: string, version: string): Promise<StoredPolicy | undefined>
  /** As version, inside a transaction. */
  versionWithin(tx: Transaction, policyId: string, version: string): Promise<PolicyBody | undefined>
  /** Approved ones, by id; the statistics are of all that match. */
  list(filter: PolicyFilter): Promise<{ policies: Policy[]; stats: PolicyStats }>
  /** The oldest first. */
  pending(limit: number): Promise<StoredPolicy[]>
  countPendingOf(tx: Transaction, organizationId: string): Promise<number>
  /** False when there is one with this id. */
  add(
    tx: Transaction,
    policy: {
      body: PolicyBody
      /** Where it applies, for the list. */
      places: readonly string[]
      reviewStatus: Policy['review_status']
      contributedBy: string | null
    },
  ): Promise<boolean>
  replace(tx: Transaction, body: PolicyBody, places: readonly string[]): Promise<void>
  approve(tx: Transaction, policyId: string): Promise<void>
  remove(tx: Transaction, policyId: string): Promise<void>
}

export interface PolicyStats {
  total: number
  regulation: number
  standard: number
}

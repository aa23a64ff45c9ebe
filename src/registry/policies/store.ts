// What the rules of policies need from a database.

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
  /** Like get, inside a transaction: nobody else changes it until the transaction ends. */
  lock(tx: Transaction, policyId: string): Promise<StoredPolicy | undefined>
  /** Those of the ids that there are. */
  some(policyIds: readonly string[]): Promise<StoredPolicy[]>
  /** The text of an approved version, even if it is not the current one. */
  version(policyId: string, version: string): Promise<StoredPolicy | undefined>
  /** As version, inside a transaction. */
  versionWithin(tx: Transaction, policyId: string, version: string): Promise<PolicyBody | undefined>
  /** Approved ones, by id; the statistics cover all that match. */
  list(filter: PolicyFilter): Promise<{ policies: Policy[]; stats: PolicyStats }>
  /** The oldest first. */
  pending(limit: number): Promise<StoredPolicy[]>
  countPendingOf(tx: Transaction, organizationId: string): Promise<number>
  /** False when this id already exists. */
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

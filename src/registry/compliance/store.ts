// What the compliance of agents needs from a database.

import type { Transaction } from '../../lib/transaction.ts'
import type { ComplianceStatus, GroupStatus, Verdict } from './compliance.ts'

export interface StoredCompliance {
  agent_url: string
  status: ComplianceStatus
  headline: string | null
  tracks: Verdict['tracks']
  storyboards: GroupStatus[]
  last_checked_at: number
  last_passed_at: number
  last_failed_at: number
  status_since: number
}

export function neverExamined(agent_url: string): StoredCompliance {
  return {
    agent_url,
    status: 'unknown',
    headline: null,
    tracks: {},
    storyboards: [],
    last_checked_at: 0,
    last_passed_at: 0,
    last_failed_at: 0,
    status_since: 0,
  }
}

export interface ComplianceRun {
  id: string
  agent_url: string
  status: ComplianceStatus
  headline: string
  tracks: Verdict['tracks']
  duration_ms: number
  /** `schedule` or `owner`. */
  triggered_by: string
  tested_at: number
}

export interface ComplianceStore {
  get(agentUrl: string): Promise<StoredCompliance | undefined>
  some(agentUrls: readonly string[]): Promise<Map<string, StoredCompliance>>
  runs(agentUrl: string, limit: number): Promise<ComplianceRun[]>
  /** Adds published agents that are missing, each to be examined at `at`. Returns how many. */
  addPublished(tx: Transaction, options: { at: number; limit: number }): Promise<number>
  /** Leases the published agent that has been due the longest. */
  claimDue(tx: Transaction, leaseMs: number): Promise<string | undefined>
  /** Like get, inside a transaction: nobody else changes it until the transaction ends. */
  lock(tx: Transaction, agentUrl: string): Promise<StoredCompliance | undefined>
  /** Writes the result of an examination, ends the lease, and keeps the newest runs. */
  record(
    tx: Transaction,
    compliance: StoredCompliance,
    run: ComplianceRun,
    nextCheckAt: number,
  ): Promise<void>
  /** Whether an organisation lists it. */
  isListedBy(organizationId: string, agentUrl: string): Promise<boolean>
}

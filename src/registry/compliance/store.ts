// What the compliance of agents needs from a database.

import type { Transaction } from '../../lib/transaction.ts'
import type { ComplianceStatus, ComplianceVerdict, GroupStatus } from './compliance.ts'
import type { AgentProbe } from './probe.ts'

export interface StoredCompliance {
  agent_url: string
  status: ComplianceStatus
  headline: string | null
  tracks: ComplianceVerdict['tracks']
  storyboards: GroupStatus[]
  last_checked_at: number
  last_passed_at: number
  last_failed_at: number
  status_since: number
  /** What the last examination found out by calling it. */
  probe: AgentProbe | null
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
    probe: null,
  }
}

export interface ComplianceRun {
  id: string
  agent_url: string
  status: ComplianceStatus
  headline: string
  tracks: ComplianceVerdict['tracks']
  duration_ms: number
  /** `schedule` or `owner`. */
  triggered_by: string
  tested_at: number
}

/** The right to examine an agent. Who has it until another time has another one, and writes nothing under this. */
export interface ClaimedExamination {
  agent_url: string
  lease_until: number
}

/** How examinations follow each other, in milliseconds. */
export interface ExaminationPace {
  leaseMs: number
  /** Between two agents of one site. */
  siteMs: number
  /** Before an agent is examined again of whose examination nothing came. */
  retryMs: number
  /** Before an agent that is not published is looked at again. */
  unpublishedMs: number
}

export interface ComplianceStore {
  get(agentUrl: string): Promise<StoredCompliance | undefined>
  some(agentUrls: readonly string[]): Promise<Map<string, StoredCompliance>>
  runs(agentUrl: string, limit: number): Promise<ComplianceRun[]>
  /** Adds published agents that are missing, each to be examined at `at`. Returns how many. */
  addPublished(tx: Transaction, options: { at: number; limit: number }): Promise<number>
  /** Leases one agent, published or not; undefined while somebody else has its lease. */
  claim(
    tx: Transaction,
    agentUrl: string,
    pace: Pick<ExaminationPace, 'leaseMs' | 'retryMs'>,
  ): Promise<ClaimedExamination | undefined>
  /**
   * Leases the agent that is longest due of the site that is longest due, and lets that site rest. Published agents only:
   * what nobody lists any more is deleted on the way. `isMore` says that it stopped before it had looked at all.
   */
  claimDue(
    tx: Transaction,
    pace: ExaminationPace,
  ): Promise<{ claimed: ClaimedExamination | undefined; isMore: boolean }>
  /** Ends a lease under which nothing was written; the agent is due again at `nextCheckAt`. */
  release(tx: Transaction, claimed: ClaimedExamination, nextCheckAt: number): Promise<void>
  /** As get, inside a transaction: nobody changes it until that ends. Undefined when the lease is no longer this one. */
  lock(tx: Transaction, claimed: ClaimedExamination): Promise<StoredCompliance | undefined>
  /** Writes what an examination came to, ends the lease, and keeps the newest runs. The agent must be locked. */
  record(
    tx: Transaction,
    compliance: StoredCompliance,
    options: { run: ComplianceRun; nextCheckAt: number },
  ): Promise<void>
  /** Whether an organisation lists it. */
  isListedBy(organizationId: string, agentUrl: string): Promise<boolean>
}

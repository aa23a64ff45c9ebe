// What the rules of community mirrors need from a database.

import type { Transaction } from '../../lib/transaction.ts'
import type { MirrorContent } from './mirror.ts'

export interface Mirror extends MirrorContent {
  platform: string
  created_at: string
  updated_at: string
}

export const PROPOSAL_STATUSES = ['pending', 'approved', 'rejected'] as const
type ProposalStatus = (typeof PROPOSAL_STATUSES)[number]

export interface Proposal extends MirrorContent {
  id: string
  platform: string
  /** The digest of what was public when it was proposed; null if nothing was. */
  base_mirror_digest: string | null
  status: ProposalStatus
  organization_id: string
  proposed_at: string
  reviewed_at: string | null
  review_notes: string | null
  updated_at: string
}

interface Page {
  limit: number
  offset: number
}

export type MirrorSummary = Omit<Mirror, 'document'>
export type ProposalSummary = Omit<Proposal, 'document'>

export interface MirrorStore {
  get(platform: string): Promise<Mirror | undefined>
  /** Like get, inside a transaction: nobody else changes it until the transaction ends. */
  lock(tx: Transaction, platform: string): Promise<Mirror | undefined>
  /** By platform. */
  list(page: Page): Promise<{ total: number; mirrors: MirrorSummary[] }>
  /** Adds it or replaces the existing one. */
  put(tx: Transaction, platform: string, content: MirrorContent): Promise<Mirror>
  remove(tx: Transaction, platform: string): Promise<void>
  propose(
    tx: Transaction,
    proposal: Pick<Proposal, 'id' | 'platform' | 'base_mirror_digest' | 'organization_id'> &
      MirrorContent,
  ): Promise<Proposal>
  proposal(id: string): Promise<Proposal | undefined>
  lockProposal(tx: Transaction, id: string): Promise<Proposal | undefined>
  /** Newest first; for one organisation, or for all. */
  proposals(
    filter: { organizationId?: string | undefined; status?: ProposalStatus | undefined },
    page: Page,
  ): Promise<{ total: number; proposals: ProposalSummary[] }>
  countPendingOf(tx: Transaction, organizationId: string): Promise<number>
  decide(
    tx: Transaction,
    id: string,
    decision: { status: 'approved' | 'rejected'; notes: string | null },
  ): Promise<Proposal | undefined>
}

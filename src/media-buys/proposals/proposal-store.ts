// The store of proposals: a media plan offered to one buyer, for as long as it can be bought. Times are by the
// database's clock, in milliseconds.

import type { Transaction } from '../../lib/transaction.ts'
import type { CommercialTerms } from '../../protocol/schemas/compact/canonical-proposal.ts'
import type { ProductPricingOption } from '../../protocol/schemas/product.ts'

/**
 * `draft`: the prices may still change. `committed`: they are guaranteed until it expires, and it can be bought once.
 * A draft becomes committed when its buyer finalises it, and never becomes a draft again. `declined`: its buyer will
 * not buy it.
 */
type ProposalStatus = 'draft' | 'committed' | 'declined'

export interface Allocation {
  product_id: string
  pricing_option_id: string
  /** Whole per cent; the shares of a plan add up to 100. */
  allocation_percentage: number
  /** The pricing option with its fixed price, as offered. */
  held: ProductPricingOption
  rationale: string
}

export interface ProposalPlan {
  name: string
  description: string
  /** From the brief, as far as it specifies any. */
  brief_alignment?: string | undefined
  currency: string
  /** Least that buys all of it. */
  least_budget: number
  allocations: readonly Allocation[]
  /** Of one that a task of 3.2 made. */
  snapshot?: ProposalSnapshot | undefined
  /** The first reason that its buyer gave for declining it. */
  declined?: { reason: string; detail?: string | undefined } | undefined
}

/** The terms that apply if it is accepted: they never change, since different terms are a different proposal. */
export interface ProposalSnapshot {
  commercial_terms: CommercialTerms
  terms_digest: string
  /** The proposal that it was made from. */
  parent_proposal_id?: string | undefined
  opportunity_id?: string | undefined
  accepted_at?: number | undefined
  /** The committed proposal that was made of a draft. */
  finalized_as?: string | undefined
}

export interface ProposalRecord {
  owner: string
  proposal_id: string
  status: ProposalStatus
  /** What it was bought as. */
  media_buy_id?: string | undefined
  plan: ProposalPlan
  created_at: number
  updated_at: number
  expires_at: number
}

export interface ProposalStore {
  /**
   * Adds a draft, or finds an unchanged draft of the same origin, whose lifetime then restarts. Returns the stored
   * draft.
   */
  offer(
    tx: Transaction,
    draft: Pick<ProposalRecord, 'owner' | 'proposal_id' | 'plan' | 'expires_at'> & {
      origin: string
    },
  ): Promise<ProposalRecord>
  /** Adds one as it is. */
  add(tx: Transaction, proposal: Omit<ProposalRecord, 'created_at' | 'updated_at'>): Promise<void>
  /** Locked until the transaction has ended. */
  lock(tx: Transaction, owner: string, proposalId: string): Promise<ProposalRecord | undefined>
  /** Puts down what became of it. */
  change(
    tx: Transaction,
    proposal: Pick<
      ProposalRecord,
      'owner' | 'proposal_id' | 'status' | 'media_buy_id' | 'plan' | 'expires_at'
    >,
  ): Promise<void>
  /** Number of the owner's finalised proposals that are neither bought nor expired. */
  countHeld(tx: Transaction, owner: string): Promise<number>
  /** Deletes all drafts of the owner except the newest. */
  keepNewest(tx: Transaction, owner: string, drafts: number): Promise<void>
  /** Deletes proposals that expired before a time, up to some number at once. Returns how many. */
  sweep(tx: Transaction, before: number): Promise<number>
}

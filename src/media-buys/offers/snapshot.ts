// The terms of a proposal of 3.2 as they are stored: they never change, and a digest identifies them.

import { canonicalDigest } from '../../lib/canonical-json.ts'
import { defined } from '../../lib/defined.ts'
import type {
  CanonicalProposal,
  CommercialTerms,
} from '../../protocol/schemas/compact/canonical-proposal.ts'
import type { ProposalRecord, ProposalSnapshot } from '../proposals/proposal-store.ts'

export function termsDigest(terms: CommercialTerms): string {
  return `sha256:${canonicalDigest(terms)}`
}

export type SnapshotRecord = ProposalRecord & {
  plan: ProposalRecord['plan'] & { snapshot: ProposalSnapshot }
}

/** Whether a 3.2 task made it. */
export function hasSnapshot(record: ProposalRecord): record is SnapshotRecord {
  return record.plan.snapshot !== undefined
}

export function canonicalProposalOf({
  proposal_id,
  status,
  media_buy_id,
  plan,
  expires_at,
}: SnapshotRecord): CanonicalProposal {
  const { name, description, brief_alignment, least_budget, currency, snapshot } = plan
  const { commercial_terms, terms_digest, parent_proposal_id, opportunity_id } = snapshot
  const isAccepted = media_buy_id !== undefined
  const isCommitted = status === 'committed'
  const { total_budget } = commercial_terms
  return {
    proposal_id,
    proposal_kind: 'new_media_buy',
    proposal_status: isAccepted ? 'accepted' : isCommitted ? 'committed' : 'draft',
    ...defined({ parent_proposal_id, media_buy_id, opportunity_id, brief_alignment }),
    ...(isAccepted
      ? { accepted_at: isoOf(snapshot.accepted_at ?? expires_at) }
      : { expires_at: isoOf(expires_at) }),
    name,
    ...(description === '' ? {} : { description }),
    commercial_terms,
    terms_digest,
    ...(total_budget && !isAccepted
      ? { total_budget_guidance: { min: least_budget, recommended: total_budget.amount, currency } }
      : {}),
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

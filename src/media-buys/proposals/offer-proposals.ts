// Proposals as get_products returns them (spec 4.5, of 3.x): one media plan for each brief, stored for its buyer.

import { randomUUID } from 'node:crypto'
import { canonicalDigest } from '../../lib/canonical-json.ts'
import { defined } from '../../lib/defined.ts'
import type { Transact } from '../../lib/transaction.ts'
import type { Proposal } from '../../protocol/schemas/proposal.ts'
import { BUY_LIMITS } from '../limits.ts'
import type { FoundProduct } from '../product-search.ts'
import { makePlan } from './make-plan.ts'
import type { ProposalRecord, ProposalStore } from './proposal-store.ts'

export interface OfferPorts {
  proposals: ProposalStore
  transact: Transact
}

/** How long a draft can be refined and finalised. */
export const DRAFT_MS = 7 * 24 * 60 * 60 * 1_000

/** Empty if none of the products found can be used in a plan. `requested` is the request that the plan answers. */
export async function offerProposals(
  { proposals, transact }: OfferPorts,
  found: readonly FoundProduct[],
  { owner, requested }: { owner: string; requested: unknown },
): Promise<ProposalRecord[]> {
  const plan = makePlan(found)
  if (!plan) return []
  const origin = canonicalDigest({ requested, plan })
  return transact(async (tx) => {
    const expires_at = (await tx.now()) + DRAFT_MS
    const proposal_id = `prop_${randomUUID()}`
    const kept = await proposals.offer(tx, { owner, proposal_id, origin, plan, expires_at })
    await proposals.keepNewest(tx, owner, BUY_LIMITS.draftProposals.value)
    return [kept]
  })
}

export function serializeProposal({
  proposal_id,
  status,
  plan,
  expires_at,
}: ProposalRecord): Proposal {
  const { name, description, brief_alignment, allocations, least_budget, currency } = plan
  return {
    proposal_id,
    name,
    description,
    allocations: allocations.map(({ held: _held, ...one }, index) => ({
      ...one,
      sequence: index + 1,
    })),
    proposal_status: status === 'committed' ? 'committed' : 'draft',
    expires_at: new Date(expires_at).toISOString(),
    total_budget_guidance: { min: least_budget, currency },
    ...defined({ brief_alignment }),
  }
}

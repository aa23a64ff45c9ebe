// Turns drafts into committed proposals: the same terms with another id, at guaranteed prices. A call finalises all
// of its drafts or none.

import { defined } from '../../lib/defined.ts'
import type { Transact, Transaction } from '../../lib/transaction.ts'
import type { RefinedResult } from '../../protocol/schemas/compact/proposals.ts'
import type { CatalogueProduct } from '../../protocol/schemas/product.ts'
import { BUY_LIMITS } from '../limits.ts'
import type { ProposalRecord, ProposalStore } from '../proposals/proposal-store.ts'
import { HOLD_MS, optionNow } from '../proposals/refine-proposal.ts'
import { newProposalId, openUntil } from './propose.ts'
import { canonicalProposalOf, hasSnapshot, type SnapshotRecord } from './snapshot.ts'
import { type Hindrance, hindranceOf, unable } from './unable.ts'

export interface FinalizePorts {
  proposals: ProposalStore
  transact: Transact
}

type Products = ReadonlyMap<string, CatalogueProduct>
type Checked = { proposal: SnapshotRecord } | { hindrance: Hindrance }

const NOT_ALONE: Hindrance = {
  code: 'source_unavailable',
  reason: 'another proposal of this call cannot be finalised: none of them was',
}

/** `products` are those that the caller may buy. */
export function finalizeAll(
  { proposals, transact }: FinalizePorts,
  ids: readonly string[],
  { owner, products }: { owner: string; products: Products },
): Promise<RefinedResult[]> {
  return transact(async (tx) => {
    const checked: Checked[] = []
    let held = await proposals.countHeld(tx, owner)
    for (const id of ids) {
      const one = await check(proposals, tx, { owner, id, products, held })
      if ('proposal' in one && one.proposal.status === 'draft') held += 1
      checked.push(one)
    }
    const isWhole = checked.every((one) => 'proposal' in one)
    const results: RefinedResult[] = []
    for (const [index, one] of checked.entries()) {
      const id = ids[index] as string
      if (isWhole && 'proposal' in one) {
        results.push(finalized(id, await committed(proposals, tx, one.proposal)))
        continue
      }
      const { code, reason } = 'hindrance' in one ? one.hindrance : NOT_ALONE
      results.push(unable(id, code, reason))
    }
    return results
  })
}

async function check(
  proposals: ProposalStore,
  tx: Transaction,
  { owner, id, products, held }: { owner: string; id: string; products: Products; held: number },
): Promise<Checked> {
  const now = await tx.now()
  const found = await proposals.lock(tx, owner, id)
  const hindrance = hindranceOf(found, now)
  if (hindrance || !found || !hasSnapshot(found)) {
    return { hindrance: hindrance ?? NOT_ALONE }
  }
  const { finalized_as } = found.plan.snapshot
  // A repeated request returns the committed proposal: prices are not reserved twice.
  const before = finalized_as && (await proposals.lock(tx, owner, finalized_as))
  if (before && hasSnapshot(before) && !hindranceOf(before, now)) return { proposal: before }
  if (found.status === 'committed') return { proposal: found }
  const isAsOffered = found.plan.allocations.every((one) => {
    const option = optionNow(one, products)
    return option?.fixed_price === one.held.fixed_price && option?.currency === one.held.currency
  })
  if (!isAsOffered) {
    const reason = 'products or prices of it have changed: request a new proposal'
    return { hindrance: { code: 'commercially_declined', reason } }
  }
  const most = BUY_LIMITS.heldProposals.value
  if (held >= most) {
    const reason = `you have ${most} finalised proposals: buy some, or wait until they expire`
    return { hindrance: { code: 'commercially_declined', reason } }
  }
  return { proposal: found }
}

/** The committed proposal of a draft; a proposal that is already committed is returned unchanged. */
async function committed(
  proposals: ProposalStore,
  tx: Transaction,
  draft: SnapshotRecord,
): Promise<SnapshotRecord> {
  if (draft.status === 'committed') return draft
  const { owner, plan } = draft
  const { snapshot } = plan
  const now = await tx.now()
  const start_at = Date.parse(snapshot.commercial_terms.start_time)
  const { commercial_terms, terms_digest, opportunity_id } = snapshot
  const proposal = {
    owner,
    proposal_id: newProposalId(),
    status: 'committed' as const,
    plan: {
      ...plan,
      snapshot: {
        commercial_terms,
        terms_digest,
        parent_proposal_id: draft.proposal_id,
        ...defined({ opportunity_id }),
      },
    },
    expires_at: openUntil(now, HOLD_MS, { start_at, end_at: start_at }),
  }
  await proposals.add(tx, proposal)
  const source: ProposalRecord = {
    ...draft,
    plan: { ...plan, snapshot: { ...snapshot, finalized_as: proposal.proposal_id } },
  }
  await proposals.change(tx, source)
  return { ...proposal, created_at: now, updated_at: now }
}

function finalized(source_proposal_id: string, proposal: SnapshotRecord): RefinedResult {
  return { source_proposal_id, outcome: 'finalized', proposal: canonicalProposalOf(proposal) }
}

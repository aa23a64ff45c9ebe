// The response of buy_products and accept_proposal for a created buy: the same for both, and the same again for a
// call whose response was lost.

import { defined } from '../../lib/defined.ts'
import type { Transaction } from '../../lib/transaction.ts'
import type { CommitmentResponse } from '../../protocol/schemas/compact/commitment.ts'
import type { MediaBuyRecord } from '../media-buy.ts'
import type { ProposalStore } from '../proposals/proposal-store.ts'
import { routedActions } from './routed-actions.ts'
import { canonicalProposalOf, hasSnapshot } from './snapshot.ts'

export async function commitmentOf(
  { proposals }: { proposals: ProposalStore },
  tx: Transaction,
  buy: MediaBuyRecord,
): Promise<CommitmentResponse> {
  const { media_buy_id, owner, revision, status, confirmed_at, terms } = buy
  const accepted = await proposals.lock(tx, owner, terms.proposal_id ?? '')
  if (!accepted || !hasSnapshot(accepted)) throw new Error(`${media_buy_id} has no accepted terms`)
  const { purchases } = accepted.plan.snapshot.commercial_terms
  return {
    media_buy_id,
    ...defined({ name: terms.name }),
    revision,
    media_buy_status: status,
    confirmed_at: confirmed_at === undefined ? null : new Date(confirmed_at).toISOString(),
    accepted_proposal: canonicalProposalOf(accepted),
    // Packages are created in the order of the purchases; packages added since come after them.
    purchase_bindings: buy.packages
      .slice(0, purchases.length)
      .map(({ product_id, package_id }, purchase_index) => ({
        purchase_index,
        product_id,
        package_id,
      })),
    available_actions: routedActions(buy),
  }
}

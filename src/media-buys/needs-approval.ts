// Whether an operator decides on a buy first: above a configured budget, or if a product requires it.

import type { RequestedBuy } from './approvals.ts'
import type { Draft } from './draft-package.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { isoOf } from './serialize-buy.ts'

export interface ApprovalRule {
  /**
   * Larger total budgets wait for approval, by currency; `*` is for the others. Empty: none waits because of its
   * budget.
   */
  above: ReadonlyMap<string, number>
}

/** Why it waits; undefined when it does not. */
export function approvalReason(
  { above }: ApprovalRule,
  { total_budget, currency }: Pick<MediaBuyRecord, 'total_budget' | 'currency'>,
  drafts: readonly Pick<Draft, 'product'>[],
): string | undefined {
  const limit = above.get(currency) ?? above.get('*')
  if (limit !== undefined && total_budget > limit) {
    return `a budget of ${total_budget} ${currency} is above ${limit} ${currency}, from where the seller approves each buy`
  }
  const product = drafts.find((draft) => draft.product.requires_approval)?.product
  return product && `the seller approves each buy of ${product.product_id}`
}

/** How many people have to approve a buy that waits: two above the amount of its currency. */
export function approversAbove(
  above: ApprovalRule['above'],
): (requested: Pick<RequestedBuy, 'total_budget' | 'currency'>) => number {
  return ({ total_budget, currency }) => {
    const limit = above.get(currency) ?? above.get('*')
    return limit !== undefined && total_budget > limit ? 2 : 1
  }
}

export function requestedBy(buy: MediaBuyRecord): RequestedBuy {
  const { total_budget, currency, packages, start_at, end_at } = buy
  return {
    total_budget,
    currency,
    product_ids: [...new Set(packages.map(({ product_id }) => product_id))],
    start_time: isoOf(start_at),
    end_time: isoOf(end_at),
  }
}

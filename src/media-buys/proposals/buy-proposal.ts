// A finalised proposal as the packages of a buy (spec 4.5, of 3.x): each product with its part of the budget, at the price
// that was held for it. A proposal is bought once.

import type { Transaction } from '../../lib/transaction.ts'
import type { CreateMediaBuyRequest } from '../../protocol/schemas/media-buys.ts'
import type { RequestedPackage } from '../draft-package.ts'
import type { Faults } from '../faults.ts'
import { sumOf } from '../media-buy.ts'
import type { ProposalRecord, ProposalStore } from './proposal-store.ts'

export interface BuyProposalPorts {
  proposals: ProposalStore
}

type Request = Pick<CreateMediaBuyRequest, 'proposal_id' | 'packages' | 'total_budget'>

export interface RequestedPackages {
  asked: readonly RequestedPackage[]
  /** Held until the transaction has ended. */
  proposal?: ProposalRecord
}

/** The packages of a request, or those of the proposal that it names. What is wrong is told. */
export async function packagesOf(
  { proposals }: BuyProposalPorts,
  tx: Transaction,
  request: Request,
  {
    owner,
    faults,
    isAccepted,
  }: {
    owner: string
    faults: Faults
    /** Whether it was accepted before, and only the seller’s word was waited for. */
    isAccepted: boolean
  },
): Promise<RequestedPackages> {
  const { proposal_id, packages = [], total_budget } = request
  if (proposal_id === undefined) {
    return { asked: packages.map((terms, index) => ({ terms, pointer: `/packages/${index}` })) }
  }
  if (packages.length > 0) {
    const message = 'A proposal defines the packages: omit packages or proposal_id.'
    faults.add('INVALID_REQUEST', '/packages', message)
  }
  const found = await proposals.lock(tx, owner, proposal_id)
  const isGood = found && mayBeBought(found, await tx.now(), { faults, isAccepted })
  if (!found) {
    const message =
      'No proposal with this id belongs to you. Use a proposal_id returned by get_products.'
    faults.add('PROPOSAL_NOT_FOUND', '/proposal_id', message)
  }
  if (!total_budget) {
    faults.add(
      'INVALID_REQUEST',
      '/total_budget',
      'total_budget is required: the budget for the whole proposal.',
    )
  } else if (found && total_budget.currency !== found.plan.currency) {
    const message = `The currency of the budget must be that of the proposal, ${found.plan.currency}.`
    faults.add('VALIDATION_ERROR', '/total_budget/currency', message)
  }
  if (!isGood || !total_budget) return { asked: [] }
  return { asked: termsOf(found, total_budget.amount), proposal: found }
}

function mayBeBought(
  { status, media_buy_id, expires_at }: ProposalRecord,
  now: number,
  { faults, isAccepted }: { faults: Faults; isAccepted: boolean },
): boolean {
  if (media_buy_id !== undefined) {
    const message = `It was bought as ${media_buy_id}: request a new proposal.`
    faults.add('INVALID_STATE', '/proposal_id', message)
    return false
  }
  if (expires_at <= now && !isAccepted) {
    const message = 'It has expired. Request a new one with get_products.'
    faults.add('PROPOSAL_EXPIRED', '/proposal_id', message)
    return false
  }
  if (status === 'committed') return true
  const message = 'It is a draft: finalise it with get_products, buying_mode refine.'
  faults.add('PROPOSAL_NOT_COMMITTED', '/proposal_id', message)
  return false
}

/** In hundredths, and paid as it was held; what rounding leaves goes to the last. */
function termsOf({ plan }: ProposalRecord, budget: number): RequestedPackages['asked'] {
  const parts = plan.allocations.map(
    ({ allocation_percentage }) => Math.floor(budget * allocation_percentage) / 100,
  )
  const rest = sumOf([budget, ...parts.map((one) => -one)])
  return plan.allocations.map(({ product_id, pricing_option_id, held }, index) => {
    const part = parts[index] as number
    const isLast = index === parts.length - 1
    const amount = isLast ? sumOf([part, rest]) : part
    const terms = { product_id, pricing_option_id, budget: amount }
    return { terms, pointer: '/proposal_id', held }
  })
}

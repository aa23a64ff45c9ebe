// Turns a finalised proposal into the packages of a buy (spec 4.5, of 3.x): each product with its share of the
// budget, at the price that was guaranteed. A proposal can be bought once.

import { defined } from '../../lib/defined.ts'
import type { Transaction } from '../../lib/transaction.ts'
import type { CreateMediaBuyRequest } from '../../protocol/schemas/media-buys.ts'
import type { RequestedPackage } from '../draft-package.ts'
import type { Faults } from '../faults.ts'
import { sumOf } from '../media-buy.ts'
import type { Allocation, ProposalRecord, ProposalStore } from './proposal-store.ts'

export interface BuyProposalPorts {
  proposals: ProposalStore
}

type Request = Pick<
  CreateMediaBuyRequest,
  'proposal_id' | 'packages' | 'total_budget' | 'start_time' | 'end_time'
>

export interface RequestedPackages {
  requested: readonly RequestedPackage[]
  /** Locked until the transaction has ended. */
  proposal?: ProposalRecord
}

interface PackagesRequest {
  request: Request
  owner: string
  faults: Faults
  /** Whether it was accepted before, and only the seller’s decision was pending. */
  isAccepted: boolean
  /** The name of the packages in the request. Default `packages`. */
  list?: string | undefined
}

/** The packages of a request, or those of the proposal that it names. Errors are reported. */
export async function packagesOf(
  { proposals }: BuyProposalPorts,
  tx: Transaction,
  { request, owner, faults, isAccepted, list = 'packages' }: PackagesRequest,
): Promise<RequestedPackages> {
  const { proposal_id, packages = [], total_budget } = request
  if (proposal_id === undefined) {
    return { requested: packages.map((terms, index) => ({ terms, pointer: `/${list}/${index}` })) }
  }
  if (packages.length > 0) {
    const message = 'A proposal defines the packages: omit packages or proposal_id.'
    faults.add('INVALID_REQUEST', message, { pointer: '/packages' })
  }
  const found = await proposals.lock(tx, owner, proposal_id)
  const isGood = found && mayBeBought(found, await tx.now(), { faults, isAccepted })
  if (!found) {
    const message = 'No proposal with this id belongs to you.'
    faults.add('PROPOSAL_NOT_FOUND', message, { pointer: '/proposal_id' })
  }
  if (!total_budget) {
    faults.add('INVALID_REQUEST', 'total_budget is required: the budget for the whole proposal.', {
      pointer: '/total_budget',
    })
  } else if (found && total_budget.currency !== found.plan.currency) {
    const message = `The currency of the budget must be that of the proposal, ${found.plan.currency}.`
    faults.add('VALIDATION_ERROR', message, { pointer: '/total_budget/currency' })
  }
  if (!isGood || !total_budget) return { requested: [] }
  if (!hasItsTerms(found, request, faults)) return { requested: [] }
  return { requested: termsOf(found, total_budget.amount), proposal: found }
}

/** A proposal with agreed terms is bought on these terms. */
function hasItsTerms(
  { plan: { snapshot } }: ProposalRecord,
  { total_budget, start_time, end_time }: Request,
  faults: Faults,
): boolean {
  if (!snapshot) return true
  const { commercial_terms: agreed } = snapshot
  const places = [
    ['total_budget', total_budget?.amount === agreed.total_budget?.amount],
    ['start_time', isSameTime(start_time, agreed.start_time)],
    ['end_time', isSameTime(end_time, agreed.end_time)],
  ] as const
  for (const [member, isSame] of places) {
    if (isSame) continue
    const message = 'The terms of the proposal are others: refine it, or accept it as it is.'
    faults.add('VALIDATION_ERROR', message, { pointer: `/${member}` })
  }
  return places.every(([, isSame]) => isSame)
}

function isSameTime(one: string, other: string): boolean {
  return one === other || Date.parse(one) === Date.parse(other)
}

function mayBeBought(
  { status, media_buy_id, expires_at, plan }: ProposalRecord,
  now: number,
  { faults, isAccepted }: { faults: Faults; isAccepted: boolean },
): boolean {
  if (media_buy_id !== undefined) {
    const message = `It was bought as ${media_buy_id}: request a new proposal.`
    faults.add('INVALID_STATE', message, { pointer: '/proposal_id' })
    return false
  }
  if (status === 'declined') {
    const message = 'It was declined: request a new proposal.'
    faults.add('INVALID_STATE', message, { pointer: '/proposal_id' })
    return false
  }
  if (expires_at <= now && !isAccepted) {
    const offering = plan.snapshot ? 'request_proposals' : 'get_products'
    const message = `It has expired. Request a new one with ${offering}.`
    faults.add('PROPOSAL_EXPIRED', message, { pointer: '/proposal_id' })
    return false
  }
  if (status === 'committed') return true
  const finalising = plan.snapshot ? 'refine_proposals' : 'get_products, buying_mode refine'
  const message = `It is a draft: finalise it with ${finalising}.`
  faults.add('PROPOSAL_NOT_COMMITTED', message, { pointer: '/proposal_id' })
  return false
}

/** Paid as it was held. */
function termsOf({ plan }: ProposalRecord, budget: number): RequestedPackages['requested'] {
  const amounts = dividedBudget(plan.allocations, budget)
  const purchases = plan.snapshot?.commercial_terms.purchases
  return plan.allocations.map(({ product_id, pricing_option_id, held }, index) => {
    const { targeting_overlay } = (purchases?.[index] ?? {}) as { targeting_overlay?: Overlay }
    const terms = {
      product_id,
      pricing_option_id,
      budget: amounts[index] as number,
      ...defined({ targeting_overlay }),
    }
    return { terms, pointer: '/proposal_id', held }
  })
}

type Overlay = Readonly<Record<string, unknown>>

/** The share of a budget for each allocation: in hundredths; the rounding remainder goes to the last one. */
export function dividedBudget(
  allocations: readonly Pick<Allocation, 'allocation_percentage'>[],
  budget: number,
): number[] {
  const parts = allocations.map(
    ({ allocation_percentage }) => Math.floor(budget * allocation_percentage) / 100,
  )
  const rest = sumOf([budget, ...parts.map((one) => -one)])
  return parts.map((part, index) => (index === parts.length - 1 ? sumOf([part, rest]) : part))
}

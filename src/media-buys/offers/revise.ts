// Revises one proposal: the products, the budget and the flight of a new draft. If a hard requirement cannot be met,
// there is no draft; parts of a free-text request that were not understood are reported.

import { defined } from '../../lib/defined.ts'
import type { Transact } from '../../lib/transaction.ts'
import type {
  ProposalRefinement,
  RefineConstraints,
  RefinedResult,
} from '../../protocol/schemas/compact/proposals.ts'
import type { CatalogueProduct } from '../../protocol/schemas/product.ts'
import { BUY_LIMITS } from '../limits.ts'
import type { ProductSearch } from '../product-search.ts'
import { DRAFT_MS } from '../proposals/offer-proposals.ts'
import type { Allocation, ProposalPlan, ProposalStore } from '../proposals/proposal-store.ts'
import { readAsk } from '../proposals/read-ask.ts'
import { changedPlan, meantBy, withParts } from '../proposals/refine-proposal.ts'
import { agreedPlan, newProposalId, openUntil, type PlannedFlight } from './propose.ts'
import { canonicalProposalOf, hasSnapshot, type SnapshotRecord } from './snapshot.ts'
import { hindranceOf, unable } from './unable.ts'

export interface RevisePorts {
  search: ProductSearch
  proposals: ProposalStore
  transact: Transact
}

type Products = ReadonlyMap<string, CatalogueProduct>
type Changes = NonNullable<ProposalRefinement['product_changes']>

/** `products` are those that the caller may buy. */
export async function reviseOne(
  { search, proposals, transact }: RevisePorts,
  requested: ProposalRefinement,
  { owner, products }: { owner: string; products: Products },
): Promise<RefinedResult> {
  const { proposal_id, ask, product_changes = {}, constraints = {}, change_kind } = requested
  const preference = ask === undefined ? undefined : await meantBy(search, readAsk(ask))
  return transact(async (tx): Promise<RefinedResult> => {
    const now = await tx.now()
    const source = await proposals.lock(tx, owner, proposal_id)
    const hindrance = hindranceOf(source, now)
    if (hindrance) return unable(proposal_id, hindrance.code, hindrance.reason)
    if (!source || !hasSnapshot(source)) throw new Error('a proposal without terms was let through')
    if (change_kind === 'cancellation') {
      const reason = 'it was not bought: decline it instead'
      return unable(proposal_id, 'commercially_declined', reason)
    }
    const worded = changedPlan(source.plan, preference, products)
    const chosen = withChanges(worded.plan, product_changes, products)
    const priced = withinCpm(chosen.plan, constraints)
    const flight = flightWithin(flightOf(source), constraints, now)
    const amount = amountWithin(source, priced.plan, constraints)
    const failed = [
      ...(priced.isMet ? [] : ['cpm']),
      ...(flight ? [] : ['flight']),
      ...(amount === undefined ? ['total_budget'] : []),
    ]
    const isUnmet = failed.length > 0 || Object.keys(chosen.unmet).length > 0
    if (isUnmet || !flight || amount === undefined) {
      return {
        ...unable(
          proposal_id,
          'constraint_unsatisfiable',
          reasonOf(failed, chosen.unmet, priced.plan),
        ),
        ...(failed.length > 0 ? { unsatisfied_constraints: failed } : {}),
        ...(Object.keys(chosen.unmet).length > 0
          ? { unsatisfied_product_changes: chosen.unmet }
          : {}),
      }
    }
    const isTyped = Object.keys(product_changes).length + Object.keys(constraints).length > 0
    if (worded.status === 'unable' && !isTyped) {
      return unable(proposal_id, 'uninterpreted', worded.notes.join('; '))
    }
    const { brand, purchases, source_feed_version } = source.plan.snapshot.commercial_terms
    const { targeting_overlay } = (purchases[0] ?? {}) as {
      targeting_overlay?: Record<string, unknown>
    }
    const { opportunity_id } = source.plan.snapshot
    const draft = {
      owner,
      proposal_id: newProposalId(),
      status: 'draft' as const,
      plan: agreedPlan(priced.plan, {
        brand,
        flight,
        amount,
        parent_proposal_id: proposal_id,
        ...defined({ source_feed_version, targeting_overlay, opportunity_id }),
      }),
      expires_at: openUntil(now, DRAFT_MS, flight),
    }
    await proposals.add(tx, draft)
    await proposals.keepNewest(tx, owner, BUY_LIMITS.draftProposals.value)
    const kept = { ...draft, created_at: now, updated_at: now }
    if (!hasSnapshot(kept)) throw new Error('a proposal was made without its terms')
    const made = { source_proposal_id: proposal_id, proposals: [canonicalProposalOf(kept)] }
    if (worded.status === 'applied') return { ...made, outcome: 'revised' }
    const reason = worded.notes.join('; ')
    return { ...made, outcome: 'partial', reason_code: 'uninterpreted', reason }
  })
}

function reasonOf(failed: readonly string[], unmet: Changes, plan: ProposalPlan): string {
  const reported = [
    ...failed.map((name) =>
      name === 'total_budget'
        ? `total_budget: its products need at least ${plan.least_budget} ${plan.currency}`
        : name === 'cpm'
          ? 'cpm: no product of it has such a price'
          : 'flight: it cannot start by then any more',
    ),
    ...Object.entries(unmet).map(([id, verb]) =>
      verb === 'include'
        ? `${id} cannot be included: it is not offered to you at a fixed price in ${plan.currency}`
        : `${id} cannot be left out: nothing would be left`,
    ),
  ]
  return reported.join('; ')
}

/** An added product gets the average share of the existing ones. */
function withChanges(
  plan: ProposalPlan,
  changes: Changes,
  products: Products,
): { plan: ProposalPlan; unmet: Changes } {
  const unmet: Changes = {}
  const kept = plan.allocations.filter(({ product_id }) => changes[product_id] !== 'omit')
  let allocations: readonly Allocation[] = kept
  for (const [id, verb] of Object.entries(changes)) {
    if (verb === 'omit' || allocations.some((one) => one.product_id === id)) continue
    const joined = allocationFor(products.get(id), plan, allocations.length)
    if (joined) allocations = [...allocations, joined]
    else unmet[id] = 'include'
  }
  if (allocations.length > 0) return { plan: withParts(plan, allocations), unmet }
  for (const [id, verb] of Object.entries(changes)) if (verb === 'omit') unmet[id] = 'omit'
  return { plan, unmet }
}

function allocationFor(
  product: CatalogueProduct | undefined,
  { currency, allocations }: ProposalPlan,
  others: number,
): Allocation | undefined {
  const held = product?.pricing_options.find(
    (option) => option.fixed_price !== undefined && option.currency === currency,
  )
  if (!product || !held || allocations.length === 0) return undefined
  return {
    product_id: product.product_id,
    pricing_option_id: held.pricing_option_id,
    allocation_percentage: 100 / Math.max(1, others),
    held,
    rationale: 'you requested it',
  }
}

/** Only products with a price in this range are kept. */
function withinCpm(
  plan: ProposalPlan,
  { cpm }: RefineConstraints,
): { plan: ProposalPlan; isMet: boolean } {
  if (!cpm) return { plan, isMet: true }
  const kept = plan.allocations.filter(
    ({ held }) =>
      (held.pricing_model === 'cpm' || held.pricing_model === 'vcpm') &&
      held.currency === cpm.currency &&
      held.fixed_price !== undefined &&
      held.fixed_price <= cpm.max,
  )
  if (kept.length === 0) return { plan, isMet: false }
  return { plan: withParts(plan, kept), isMet: true }
}

function flightOf({ plan }: SnapshotRecord): PlannedFlight {
  const { start_time, end_time } = plan.snapshot.commercial_terms
  return { start_at: Date.parse(start_time), end_at: Date.parse(end_time) }
}

/** Undefined if it would have to start in the past. */
function flightWithin(
  { start_at, end_at }: PlannedFlight,
  { flight = {} }: RefineConstraints,
  now: number,
): PlannedFlight | undefined {
  const { start_no_later_than: first, end_no_earlier_than: last } = flight
  const start = first === undefined ? start_at : Math.min(start_at, Date.parse(first))
  const end = last === undefined ? end_at : Math.max(end_at, Date.parse(last))
  return start > now ? { start_at: start, end_at: end } : undefined
}

/** The previous budget, adjusted to the bounds; undefined if its products need more. */
function amountWithin(
  { plan: { currency, snapshot } }: SnapshotRecord,
  { least_budget }: ProposalPlan,
  { total_budget }: RefineConstraints,
): number | undefined {
  const before = snapshot.commercial_terms.total_budget?.amount ?? least_budget
  if (!total_budget) return Math.max(before, least_budget)
  if (total_budget.currency !== currency) return undefined
  const { min = 0, max = Number.POSITIVE_INFINITY } = total_budget
  const amount = Math.min(max, Math.max(min, before, least_budget))
  return amount >= least_budget ? amount : undefined
}

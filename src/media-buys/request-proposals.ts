// `request_proposals`, of 3.2: a media plan for a brief, as a draft with complete terms. If nothing can be planned,
// the response says why.

import { filterPaced } from '../lib/chunks.ts'
import { defined } from '../lib/defined.ts'
import { brandOf } from '../protocol/schemas/compact/brand-source.ts'
import {
  type RequestProposalsRequest,
  type RequestProposalsResponse,
  requestProposalsRequest,
  requestProposalsResponse,
} from '../protocol/schemas/compact/proposals.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { buyerOf } from './buyer-of.ts'
import { BUY_LIMITS } from './limits.ts'
import type { ListProductsPorts } from './list-products.ts'
import { brandKeyOf } from './offers/brand-key.ts'
import { canonicalProductOf } from './offers/canonical-product.ts'
import { agreedPlan, budgetFor, flightFor, newProposalId, openUntil } from './offers/propose.ts'
import { criteriaFilter } from './offers/read-criteria.ts'
import { canonicalProposalOf, hasSnapshot } from './offers/snapshot.ts'
import type { FoundProduct } from './product-search.ts'
import { isPast, mayBuy } from './product-store.ts'
import { makePlan } from './proposals/make-plan.ts'
import { DRAFT_MS, type OfferPorts } from './proposals/offer-proposals.ts'
import type { ProposalPlan } from './proposals/proposal-store.ts'

export interface RequestProposalsPorts extends ListProductsPorts, OfferPorts {}

/** Units for each product that is read. */
const COST = { call: 200, read: 0.2 } as const

export function requestProposals(
  ports: RequestProposalsPorts,
): Task<RequestProposalsRequest, RequestProposalsResponse> {
  return defineTask({
    name: 'request_proposals',
    summary: 'A media plan for a brief, as a draft with all its terms',
    area: 'media-buy',
    access: 'tasks',
    changes: true,
    feature: 'compact_lifecycle',
    request: requestProposalsRequest,
    response: requestProposalsResponse,
    cost: {
      grows: 'products of the catalogue',
      limit: 50_000,
      estimate: async () => COST.call + COST.read * (await ports.search.count()),
    },
    handle: (request, call) => answer(ports, request, call),
  })
}

async function answer(
  ports: RequestProposalsPorts,
  request: RequestProposalsRequest,
  call: CallContext,
): Promise<RequestProposalsResponse> {
  const { search, clock, feed, formatOption, transact, proposals } = ports
  const { brief, criteria, opportunity } = request
  const { offer_filters: filters = {}, targeting_overlay } = criteria ?? {}
  const owner = buyerOf(call)
  const isWanted = criteriaFilter(criteria, { optionOf: formatOption })
  const now = clock.now()
  const flight = flightFor(filters, now)
  const source_feed_version = await feed()
  const found = await filterPaced(
    await search.find(brief),
    ({ product }) => mayBuy(product, owner) && !isPast(product, now) && isWanted(product),
  )
  const plan = makePlan(inCurrency(found, filters.budget_range?.currency))
  if (!plan) return NOTHING_TO_PLAN
  const amount = budgetFor(plan, filters.budget_range)
  if (amount === undefined) return tooLittle(plan)
  const agreed = agreedPlan(plan, {
    brand: brandKeyOf(brandOf(request)),
    flight,
    amount,
    source_feed_version,
    ...defined({ targeting_overlay, opportunity_id: opportunity?.opportunity_id }),
  })
  const kept = await transact(async (tx) => {
    const draft = {
      owner,
      proposal_id: newProposalId(),
      status: 'draft' as const,
      plan: agreed,
      expires_at: openUntil(await tx.now(), DRAFT_MS, flight),
    }
    await proposals.add(tx, draft)
    await proposals.keepNewest(tx, owner, BUY_LIMITS.draftProposals.value)
    return { ...draft, created_at: now, updated_at: now }
  })
  if (!hasSnapshot(kept)) throw new Error('a proposal was made without its terms')
  const ids = new Set(plan.allocations.map(({ product_id }) => product_id))
  return {
    outcome: 'proposed',
    proposals: [canonicalProposalOf(kept)],
    products: found
      .filter(({ product }) => ids.has(product.product_id))
      .map((one) => canonicalProductOf(one, { formatOption })),
  }
}

/** The products with a price in it, at that price. */
function inCurrency(found: readonly FoundProduct[], currency: string | undefined) {
  if (currency === undefined) return found
  return found.flatMap((one) => {
    const { product } = one
    const pricing_options = product.pricing_options.filter((it) => it.currency === currency)
    return pricing_options.length > 0 ? [{ ...one, product: { ...product, pricing_options } }] : []
  })
}

const NOTHING_TO_PLAN: RequestProposalsResponse = {
  outcome: 'rejected',
  reason: 'no product with a fixed price matches the brief and the criteria',
  suggestions: ['describe it in other words', 'leave out some of the criteria'],
}

function tooLittle({ least_budget, currency }: ProposalPlan): RequestProposalsResponse {
  return {
    outcome: 'rejected',
    reason: `the least that buys what matches the brief is ${least_budget} ${currency}`,
    suggestions: [`raise the budget to ${least_budget} ${currency}`],
  }
}

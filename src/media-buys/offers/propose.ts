// Turns a plan into a proposal of 3.2: its flight, its budget and the resulting purchases are fixed, so that nothing
// is left open when it is accepted.

import { randomUUID } from 'node:crypto'
import { defined } from '../../lib/defined.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { BrandRef } from '../../protocol/schemas/common.ts'
import type { CommercialTerms } from '../../protocol/schemas/compact/canonical-proposal.ts'
import type { OfferFilters } from '../../protocol/schemas/compact/product-criteria.ts'
import { dividedBudget } from '../proposals/buy-proposal.ts'
import type { ProposalPlan, ProposalSnapshot } from '../proposals/proposal-store.ts'
import { canonicalPricingOf } from './canonical-product.ts'
import { termsDigest } from './snapshot.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const HOUR_MS = 60 * 60 * 1_000

/** The default flight of a plan without dates: starts in a week and lasts thirty days. */
const DEFAULT_START_DAYS = 7
const DEFAULT_DAYS = 30
/** The default budget of a plan without one, if it can be bought for that. */
const DEFAULT_BUDGET = 1_000

export interface PlannedFlight {
  start_at: number
  end_at: number
}

/** The flight that the filters request. Throws if it is in the past. */
export function flightFor(
  { start_date, end_date }: Pick<OfferFilters, 'start_date' | 'end_date'>,
  now: number,
): PlannedFlight {
  const nextDay = Math.ceil(now / DAY_MS) * DAY_MS
  const requested = start_date === undefined ? nextDay + DEFAULT_START_DAYS * DAY_MS : undefined
  const first = requested ?? Date.parse(`${start_date}T00:00:00Z`)
  // A flight that starts today starts in an hour: no one can accept it before then.
  const start_at = Math.max(first, Math.ceil((now + HOUR_MS) / HOUR_MS) * HOUR_MS)
  const end_at =
    end_date === undefined ? start_at + DEFAULT_DAYS * DAY_MS : Date.parse(`${end_date}T23:59:59Z`)
  const refuse = (member: string, message: string): never => {
    const field = `/criteria/offer_filters/${member}`
    throw new ProtocolError('INVALID_REQUEST', `${field}: ${message}`, { field })
  }
  if (start_date !== undefined && first + DAY_MS <= now) {
    refuse('start_date', 'The day is over: give one from today on.')
  }
  if (end_at <= start_at) refuse('end_date', 'The flight must end after it starts.')
  return { start_at, end_at }
}

/** The budget used for pricing a plan; undefined if the range does not reach its minimum. */
export function budgetFor(
  { least_budget }: Pick<ProposalPlan, 'least_budget'>,
  { min = 0, max }: { min?: number | undefined; max?: number | undefined } = {},
): number | undefined {
  if (max !== undefined) return max >= least_budget && max >= min ? max : undefined
  return Math.max(min, least_budget, DEFAULT_BUDGET)
}

export interface ToAgree {
  brand: BrandRef
  flight: PlannedFlight
  amount: number
  source_feed_version?: string | undefined
  targeting_overlay?: Readonly<Record<string, unknown>> | undefined
  parent_proposal_id?: string | undefined
  opportunity_id?: string | undefined
}

/** The plan with its terms. */
export function agreedPlan(plan: ProposalPlan, about: ToAgree): ProposalPlan {
  const { brand, flight, amount, source_feed_version, targeting_overlay } = about
  const { parent_proposal_id, opportunity_id } = about
  const start_time = new Date(flight.start_at).toISOString()
  const end_time = new Date(flight.end_at).toISOString()
  const budgets = dividedBudget(plan.allocations, amount)
  const commercial_terms: CommercialTerms = {
    ...defined({ source_feed_version }),
    brand,
    purchases: plan.allocations.map(({ product_id, pricing_option_id, held }, index) => ({
      product_id,
      pricing_option_id,
      pricing: canonicalPricingOf(held),
      budget: budgets[index] as number,
      start_time,
      end_time,
      ...defined({ targeting_overlay }),
    })),
    start_time,
    end_time,
    total_budget: { amount, currency: plan.currency },
  }
  const snapshot: ProposalSnapshot = {
    commercial_terms,
    terms_digest: termsDigest(commercial_terms),
    ...defined({ parent_proposal_id, opportunity_id }),
  }
  return { ...plan, snapshot }
}

/** A proposal expires no later than its flight starts. */
export function openUntil(now: number, ms: number, { start_at }: PlannedFlight): number {
  return Math.min(now + ms, start_at)
}

export function newProposalId(): string {
  return `prop_${randomUUID()}`
}

// `buy_products`, of 3.2: buys products as offered by list_products, and stores the accepted terms. Creatives are
// added later.

import { randomUUID } from 'node:crypto'
import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { brandOf } from '../protocol/schemas/compact/brand-source.ts'
import {
  type BuyProductsRequest,
  buyProductsRequest,
  type PurchaseInput,
} from '../protocol/schemas/compact/buy-products.ts'
import type { CommercialTerms } from '../protocol/schemas/compact/canonical-proposal.ts'
import {
  type CommitmentResponse,
  commitmentResponse,
} from '../protocol/schemas/compact/commitment.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import type { Task } from '../protocol/task.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import { type BuyPorts, type BuyTaskOptions, buyTask } from './buy-task.ts'
import type { CreateRequest, DraftedBuy } from './draft-buy.ts'
import type { Draft } from './draft-package.ts'
import { createFaults, type Faults } from './faults.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { brandKeyOf } from './offers/brand-key.ts'
import { canonicalPricingOf } from './offers/canonical-product.ts'
import { commitmentOf } from './offers/commitment.ts'
import { checkFeedVersion, type FeedVersion } from './offers/feed-version.ts'
import { termsDigest } from './offers/snapshot.ts'
import { bidOf, refuseAllocation, refuseUnserved } from './offers/unserved.ts'
import type { FindOption } from './product-filters.ts'
import { isoOf } from './serialize-buy.ts'

export interface BuyProductsPorts extends BuyPorts {
  feed: FeedVersion
  /** The formats of products by their canonical kinds. Default none. */
  formatOption?: FindOption
}

type Request = BuyProductsRequest & RequestEnvelope

/** Units of a call, and for each purchase: written, looked up and returned. */
const COST = { call: 50, purchase: 30 } as const

const UNSERVED = [
  'daily_budget_cap',
  'frequency_cap',
  'budget_cap_timezone',
  'pacing',
  'bidding',
  'invoice_recipient',
  'packages',
  'proposal_id',
  'creatives',
  'creative_assignments',
  'artifact_webhook',
] as const

const UNSERVED_OF_PURCHASES = [
  'catalog_ids',
  'daily_budget_cap',
  'min_spend_target',
  'optimization_goals',
  'audience_evidence_requirements',
  'audience_evidence_pins',
  'performance_standards',
  'creatives',
  'creative_assignments',
  'catalogs',
] as const

export function buyProducts(
  ports: BuyProductsPorts,
  engine: TaskEngine,
  options: BuyTaskOptions,
): Task<BuyProductsRequest, CommitmentResponse> {
  return buyTask<BuyProductsRequest, CommitmentResponse>(
    ports,
    {
      task_type: 'buy_products',
      summary: 'Buys products as they are offered, for a flight and a budget',
      feature: 'compact_lifecycle',
      list: 'purchases',
      request: buyProductsRequest,
      response: commitmentResponse,
      cost: {
        grows: 'purchases',
        limit: 10_000,
        estimate: ({ purchases }) => COST.call + COST.purchase * purchases.length,
        reduce: { field: '/purchases', advice: 'Send fewer purchases per call.' },
      },
      checkOffer: ({ feed_version }) => checkFeedVersion(ports.feed, feed_version),
      read: async (_tx, _owner, request) => createOf(request),
      keep: (tx, drafted, request) => accept(ports, tx, { drafted, request }),
      returned: (tx, buy) => commitmentOf(ports, tx, buy),
    },
    { engine, ...options },
  )
}

function createOf(request: Request): CreateRequest {
  const faults = createFaults()
  refuseUnserved(request, UNSERVED, { pointer: '', faults })
  refuseAllocation(request.budget_allocation, faults)
  const { purchases, purchase_order_ref, total_budget, pricing_version } = request
  if (pricing_version !== undefined) {
    const message = 'Prices have no version of their own here: leave it out.'
    faults.add('VALIDATION_ERROR', message, { pointer: '/pricing_version' })
  }
  const packages = purchases.map((one, index) =>
    packageOf(one, { pointer: `/purchases/${index}`, faults }),
  )
  faults.refuse()
  const { account, start_time, end_time, paused, name, reporting_webhook, context, ext } = request
  const created = {
    packages,
    start_time,
    end_time,
    ...defined({
      brand: brandOf(request),
      account,
      total_budget,
      currency: total_budget?.currency,
      paused,
      name,
      po_number: purchase_order_ref,
      reporting_webhook,
      context,
      ext,
    }),
  }
  return created as CreateRequest
}

function packageOf(one: PurchaseInput, at: { pointer: string; faults: Faults }) {
  const { pointer, faults } = at
  refuseUnserved(one, UNSERVED_OF_PURCHASES, at)
  const { product_id, pricing_option_id, budget, impressions, pacing, bidding } = one
  const { start_time, end_time, measurement_terms, context, ext } = one
  if (budget === undefined) {
    faults.add('INVALID_REQUEST', 'Each purchase needs a budget.', { pointer: `${pointer}/budget` })
  }
  const { pricing_option_id: priced = pricing_option_id } = (one.pricing ?? {}) as {
    pricing_option_id?: string
  }
  if (priced !== pricing_option_id) {
    const message = 'It is another pricing option than pricing_option_id: give one of them.'
    faults.add('VALIDATION_ERROR', message, { pointer: `${pointer}/pricing/pricing_option_id` })
  }
  return {
    product_id,
    pricing_option_id,
    budget: budget ?? 0,
    ...defined({
      impressions,
      pacing,
      bid_price: bidOf(bidding, at),
      start_time,
      end_time,
      targeting_overlay: withoutCleared(one.targeting_overlay),
      measurement_terms,
      context,
      ext,
    }),
  }
}

/** `null` clears what the product sets, and our products set nothing. */
function withoutCleared(overlay: object | undefined): Record<string, unknown> | undefined {
  const kept = Object.entries(overlay ?? {}).filter(([, value]) => value !== null)
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

/** Stores the agreed terms as a proposal that is already accepted. */
async function accept(
  ports: BuyProductsPorts,
  tx: Transaction,
  { drafted: { buy, drafts }, request }: { drafted: DraftedBuy; request: Request },
): Promise<MediaBuyRecord> {
  checkFormats(ports, drafts, request)
  const commercial_terms = termsOf(buy, drafts, request)
  const proposal_id = `prop_${randomUUID()}`
  const { owner, media_buy_id, currency, end_at, created_at: accepted_at } = buy
  await ports.proposals.add(tx, {
    owner,
    proposal_id,
    status: 'committed',
    media_buy_id,
    plan: {
      name: request.name ?? 'Direct purchase',
      description: '',
      currency,
      least_budget: 0,
      allocations: [],
      snapshot: { commercial_terms, terms_digest: termsDigest(commercial_terms), accepted_at },
    },
    expires_at: end_at,
  })
  return { ...buy, terms: { ...buy.terms, proposal_id } }
}

function termsOf(buy: MediaBuyRecord, drafts: readonly Draft[], request: Request): CommercialTerms {
  const { total_budget: amount, currency, start_at, end_at } = buy
  const { feed_version, purchase_order_ref, purchases } = request
  return {
    source_feed_version: feed_version,
    brand: brandKeyOf(brandOf(request)),
    purchases: drafts.map(({ record, option }, index) => {
      const { product_id, pricing_option_id, budget, impressions, pacing } = record
      const { targeting_overlay, measurement_terms, context, ext } = record
      const { bidding, format_option_refs } = purchases[index] ?? {}
      return {
        product_id,
        pricing_option_id,
        pricing: canonicalPricingOf(option),
        budget,
        start_time: isoOf(record.start_at ?? start_at),
        end_time: isoOf(record.end_at ?? end_at),
        ...defined({ impressions, pacing, bidding, targeting_overlay, format_option_refs }),
        ...defined({ measurement_terms, context, ext }),
      }
    }),
    start_time: isoOf(start_at),
    end_time: isoOf(end_at),
    total_budget: { amount, currency },
    ...defined({ purchase_order_ref }),
  }
}

/** Throws for an entry of format_options that the product does not have. */
function checkFormats(
  { formatOption }: BuyProductsPorts,
  drafts: readonly Draft[],
  { purchases }: Request,
): void {
  for (const [index, { product }] of drafts.entries()) {
    const { format_option_refs: refs = [] } = purchases[index] ?? {}
    const known = product.format_ids.flatMap((id) => formatOption?.(id)?.format_option_id ?? [])
    const at = refs.findIndex(({ format_option_id }) => !known.includes(format_option_id))
    if (at < 0) continue
    const field = `/purchases/${index}/format_option_refs/${at}`
    const message = `${product.product_id} has the format options ${known.join(', ') || 'none'}`
    throw new ProtocolError('VALIDATION_ERROR', `${field}: ${message}`, { field })
  }
}

// A proposal in the tasks of 3.2: an immutable snapshot of terms, with their digest. Different terms are a different
// proposal.

import { z } from 'zod'
import { brandRef, count, currency, isoTime, money, opaqueId, quantity, text } from '../common.ts'
import { startTime } from '../media-buy.ts'
import { canonicalPricing } from './canonical-product.ts'

const purchase = z.looseObject({
  product_id: opaqueId,
  pricing_option_id: opaqueId,
  pricing: canonicalPricing,
  budget: quantity.optional(),
  start_time: isoTime,
  end_time: isoTime,
})

const commercialTerms = z.looseObject({
  source_feed_version: z.string().optional().describe('Of the offers that were bought.'),
  brand: brandRef,
  purchases: z.array(purchase).min(1),
  start_time: startTime,
  end_time: isoTime,
  total_budget: money.optional(),
})
export type CommercialTerms = z.infer<typeof commercialTerms>

export const canonicalProposal = z.strictObject({
  proposal_id: opaqueId.describe('Of this snapshot.'),
  proposal_kind: z.enum(['new_media_buy']),
  parent_proposal_id: opaqueId.optional().describe('The proposal that this one was made from.'),
  media_buy_id: opaqueId.optional().describe('What it was bought as.'),
  opportunity_id: opaqueId.optional().describe('The planning cycle that it belongs to.'),
  proposal_status: z.enum(['draft', 'committed', 'accepted']),
  accepted_at: isoTime.optional(),
  expires_at: isoTime.optional().describe('Until when it can be finalised, or accepted.'),
  name: text(500),
  description: text(2_000).optional(),
  brief_alignment: text(2_000).optional().describe('What of the brief it meets.'),
  commercial_terms: commercialTerms,
  terms_digest: z.string().describe('SHA-256 of commercial_terms in RFC 8785 form.'),
  total_budget_guidance: z
    .strictObject({ min: quantity.optional(), recommended: quantity.optional(), currency })
    .optional(),
})
export type CanonicalProposal = z.infer<typeof canonicalProposal>

export const routedAction = z.strictObject({
  task: z.enum(['control_media_buy', 'sync_creatives']),
  action: z.string(),
  mode: z.enum(['self_serve', 'requires_approval']),
})
export type RoutedAction = z.infer<typeof routedAction>

export const purchaseBinding = z.strictObject({
  purchase_index: count.describe('Place in commercial_terms.purchases.'),
  product_id: opaqueId,
  package_id: opaqueId.describe('For control_media_buy and sync_creatives.'),
})

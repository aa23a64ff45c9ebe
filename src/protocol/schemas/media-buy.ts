// The media buy and its parts (spec 2.12, 3.4, 6.3): states, packages, impairments.

import { z } from 'zod'
import { MEDIA_BUY_STATUSES } from '../statuses.ts'
import {
  atLeastOne,
  context,
  currency,
  ext,
  isoTime,
  money,
  opaqueId,
  quantity,
  summedQuantity,
  text,
} from './common.ts'
import { briefly } from './json-schema.ts'
import { syncedCreative } from './sync-creatives.ts'
import { webhookActivity } from './webhook-activity.ts'

export const mediaBuyStatus = z.enum(MEDIA_BUY_STATUSES)
export type MediaBuyStatus = z.infer<typeof mediaBuyStatus>

/** A time, or as soon as possible. */
export const startTime = z.union([z.literal('asap'), isoTime])

/** What a buyer sends about a package, whether new or changed. */
export const packageTerms = {
  budget: quantity.optional().describe('Budget, in the currency of the buy.'),
  pricing_option_id: opaqueId.optional().describe('How it is paid for.'),
  start_time: startTime.optional(),
  end_time: isoTime.optional(),
  paused: z.boolean().optional().describe('Whether it is paused; default false.'),
  pacing: z.string().optional().describe('How fast the budget is spent.'),
  bid_price: quantity.optional(),
  impressions: quantity.optional().describe('Impressions wanted.'),
  targeting_overlay: z.looseObject({}).optional().describe('Whom to reach.'),
  creative_ids: z.array(opaqueId).max(100).optional().describe('Creatives of the library.'),
  creative_assignments: z
    .array(z.looseObject({ creative_id: opaqueId }))
    .max(100)
    .optional(),
  creatives: z
    .array(briefly(syncedCreative, 'A creative, as in sync_creatives.'))
    .max(100)
    .optional()
    .describe('Creatives to add at once.'),
  buyer_ref: opaqueId.optional().describe('The buyer’s reference.'),
  context: context.optional(),
  ext: ext.optional(),
}

/** Open: other members that the buyer sent are returned. */
export const mediaBuyPackage = z.looseObject({
  package_id: opaqueId.describe('The package.'),
  product_id: z.string().optional().describe('Product to buy.'),
  budget: quantity.optional().describe('Budget.'),
  paused: z.boolean().optional().describe('Whether it is paused.'),
})

export const impairment = z.looseObject({
  impairment_id: opaqueId.describe('The impairment; notification_id of its webhooks.'),
  resource_type: z
    .enum(['audience', 'creative', 'catalog_item', 'event_source', 'property'])
    .describe('What is impaired.'),
  resource_id: opaqueId.describe('Which one.'),
  package_ids: z.array(opaqueId).min(1).describe('Packages that suffer.'),
  transition: z
    .looseObject({ from: z.string().optional(), to: z.string() })
    .describe('The change.'),
  reason_code: z.string().describe('Why.'),
  observed_at: isoTime.describe('When it was seen.'),
  reason: z.string().max(500).optional(),
  remediation: z.string().max(500).optional().describe('What would help.'),
})
export type Impairment = z.infer<typeof impairment>

export const cancellation = z.strictObject({
  canceled_at: isoTime,
  canceled_by: z.enum(['buyer', 'seller']),
  reason: text(500).optional(),
})

/** Members of every answer about a buy. */
export const buyMembers = {
  media_buy_id: opaqueId.describe('The media buy.'),
  revision: atLeastOne.describe('Grows with every change.'),
  confirmed_at: isoTime.nullable().describe('When the seller committed; null until then.'),
  buyer_ref: z.string().optional().describe('The buyer’s reference.'),
  proposal_id: z.string().optional().describe('The proposal that was bought.'),
  creative_deadline: isoTime.optional().describe('Until when creatives are taken.'),
  valid_actions: z.array(z.string()).optional().describe('What can be done now.'),
  cancellation: cancellation.optional(),
  rejection_reason: z.string().optional(),
}

export const mediaBuy = z.strictObject({
  ...buyMembers,
  status: mediaBuyStatus.describe('State of the buy.'),
  media_buy_status: mediaBuyStatus.optional().describe('The same, under its other name.'),
  name: z.string().optional().describe('Display name.'),
  accepted_proposal_id: z.string().optional().describe('The proposal whose terms it has.'),
  currency,
  total_budget: z.union([summedQuantity, money]).describe('Budget of all packages.'),
  start_time: isoTime.optional(),
  end_time: isoTime.optional(),
  created_at: isoTime.optional(),
  updated_at: isoTime.optional(),
  brand: z.looseObject({}).optional(),
  account: z.looseObject({}).optional(),
  packages: z.array(mediaBuyPackage),
  health: z.enum(['ok', 'impaired']).optional().describe('impaired while something is.'),
  impairments: z.array(impairment).optional().describe('What is impaired now.'),
  webhook_activity: z
    .array(webhookActivity)
    .max(200)
    .optional()
    .describe('The caller’s own deliveries, newest first.'),
  history: z.array(z.looseObject({})).optional(),
  snapshot: z.looseObject({}).optional(),
  context: context.optional(),
  ext: ext.optional(),
})
export type MediaBuy = z.infer<typeof mediaBuy>

// `buy_products`, of 3.2: buys products as offered by list_products. Creatives are added later, by sync_creatives.

import { z } from 'zod'
import { withRule } from '../checks.ts'
import { brandRef, context, ext, isoTime, money, opaqueId, quantity, text } from '../common.ts'
import { startTime } from '../media-buy.ts'
import { reportingWebhook } from '../push-notification-config.ts'
import { checkBrand } from './brand-source.ts'

const MAX_PURCHASES = 100

const purchase = z
  .looseObject({
    product_id: opaqueId.describe('Product to buy.'),
    pricing_option_id: opaqueId.describe('How it is paid for.'),
    budget: quantity.optional().describe('Most that it may spend, in the currency of the buy.'),
    impressions: quantity.optional().describe('Impressions wanted.'),
    start_time: isoTime.optional().describe('Default that of the buy.'),
    end_time: isoTime.optional().describe('Default that of the buy.'),
    pacing: text(100).optional().describe('How fast the budget is spent.'),
    bidding: z
      .looseObject({})
      .optional()
      .describe('bid_amount or max_bid, for auctioned products.'),
    targeting_overlay: z.looseObject({}).optional().describe('Whom to reach.'),
    format_option_refs: z
      .array(z.looseObject({ format_option_id: text(255) }))
      .min(1)
      .max(50)
      .optional()
      .describe('Entries of format_options that will be used.'),
    measurement_terms: z.looseObject({}).optional(),
    context: context.optional(),
    ext: ext.optional(),
  })
  .meta({ examples: [{ product_id: 'video_sports', pricing_option_id: 'cpm_usd', budget: 5000 }] })
export type PurchaseInput = z.infer<typeof purchase>

export const buyProductsRequest = withRule(
  z.looseObject({
    brand: brandRef.optional().describe('The brand that advertises, unless the account names it.'),
    feed_version: text(255).describe('Of list_products; refused if the offers have changed.'),
    pricing_version: text(255).optional().describe('Prices have no version of their own.'),
    purchases: z.array(purchase).min(1).max(MAX_PURCHASES),
    total_budget: money.optional().describe('Sum of the purchases.'),
    start_time: startTime.describe('asap, or a time.'),
    end_time: isoTime.describe('When it ends.'),
    paused: z.boolean().optional().describe('Whether it is paused; default false.'),
    name: text(255).regex(/\S/, 'A name has something to read.').optional(),
    purchase_order_ref: text(255).optional().describe('Number of the order.'),
    reporting_webhook: reportingWebhook.optional().describe('Where delivery reports go.'),
  }),
  (request, report) => {
    checkBrand(request, report, { isNeeded: true })
    const { account } = request as { account?: unknown }
    if (account === undefined) report(['account'], 'Give the account that buys.', 'required')
  },
)
export type BuyProductsRequest = z.infer<typeof buyProductsRequest>

// The tasks for media buys (spec 4.5): create and update one, and read buys and deliveries.

import { z } from 'zod'
import { withRule } from './checks.ts'
import {
  atLeastOne,
  brandRef,
  count,
  currency,
  ext,
  isoDate,
  isoTime,
  money,
  opaqueId,
  paginationRequest,
  paginationResponse,
  quantity,
  summedQuantity,
  text,
} from './common.ts'
import { deliveryMetrics, mediaBuyDelivery, reportingPeriod } from './delivery-report.ts'
import { errorList } from './error-object.ts'
import {
  buyMembers,
  mediaBuy,
  mediaBuyPackage,
  mediaBuyStatus,
  packageTerms,
  startTime,
} from './media-buy.ts'
import { REPORTING_FREQUENCIES, reportingWebhook } from './push-notification-config.ts'

const MAX_PACKAGES = 100

const newPackage = z
  .looseObject({
    ...packageTerms,
    product_id: opaqueId.describe('Product to buy.'),
    budget: quantity.describe('Budget, in the currency of the buy.'),
  })
  .meta({ examples: [{ product_id: 'video_sports', pricing_option_id: 'cpm_usd', budget: 5000 }] })

export const createMediaBuyRequest = withRule(
  z.looseObject({
    brand: brandRef.optional().describe('The brand that advertises.'),
    buyer_ref: opaqueId.optional().describe('The buyer’s reference.'),
    packages: z
      .array(newPackage)
      .min(1)
      .max(MAX_PACKAGES)
      .optional()
      .describe('The products to buy.'),
    proposal_id: opaqueId.optional().describe('Proposal to accept, instead of packages.'),
    total_budget: money.optional().describe('Budget of the proposal.'),
    currency: currency.optional().describe('Currency of the budgets; default that of the product.'),
    start_time: startTime.describe('asap, or a time.'),
    end_time: isoTime.describe('When it ends.'),
    paused: z.boolean().optional().describe('Whether it is paused; default false.'),
    name: text(255).optional().describe('Display name.'),
    po_number: text(100).optional().describe('Number of the order.'),
    reporting_webhook: reportingWebhook.optional().describe('Where delivery reports go.'),
    artifact_webhook: z.looseObject({}).optional().describe('Where artifacts go.'),
  }),
  ({ packages, proposal_id }, report) => {
    if (packages === undefined && proposal_id === undefined) {
      report(['packages'], 'Give packages, or a proposal_id.', 'required')
    }
  },
)
export type CreateMediaBuyRequest = z.infer<typeof createMediaBuyRequest>

const changed = {
  errors: errorList.optional().describe('Warnings.'),
  sandbox: z.boolean().optional(),
  ext: ext.optional(),
}

export const createMediaBuyResponse = z.strictObject({
  ...buyMembers,
  media_buy_status: mediaBuyStatus.describe('State of the buy; status is that of the call.'),
  packages: z.array(mediaBuyPackage).describe('The packages, with their ids.'),
  ...changed,
})
export type CreateMediaBuyResponse = z.infer<typeof createMediaBuyResponse>

export const updateMediaBuyRequest = z.looseObject({
  media_buy_id: opaqueId.describe('The media buy.'),
  revision: atLeastOne.optional().describe('The revision that was read; refused if outdated.'),
  name: text(255).optional().describe('Display name.'),
  paused: z.boolean().optional().describe('Pause or resume.'),
  canceled: z.literal(true).optional().describe('Cancel permanently.'),
  cancellation_reason: text(500).optional().describe('Why.'),
  start_time: startTime.optional(),
  end_time: isoTime.optional(),
  packages: z
    .array(z.looseObject({ ...packageTerms, package_id: opaqueId }))
    .max(MAX_PACKAGES)
    .optional()
    .describe('Packages to change.'),
  new_packages: z.array(newPackage).max(MAX_PACKAGES).optional().describe('Packages to add.'),
  reporting_webhook: reportingWebhook.optional().describe('Replaces the existing one.'),
})
export type UpdateMediaBuyRequest = z.infer<typeof updateMediaBuyRequest>

export const updateMediaBuyResponse = z.strictObject({
  ...buyMembers,
  confirmed_at: buyMembers.confirmed_at.optional(),
  media_buy_status: mediaBuyStatus.optional().describe('State of the buy.'),
  implementation_date: isoTime.nullable().optional().describe('When it takes effect.'),
  affected_packages: z.array(mediaBuyPackage).optional().describe('Packages that changed.'),
  ...changed,
})
export type UpdateMediaBuyResponse = z.infer<typeof updateMediaBuyResponse>

const statusFilter = z
  .union([mediaBuyStatus, z.array(mediaBuyStatus).min(1).max(10)])
  .optional()
  .describe('Only buys with this status.')
const mediaBuyIds = z.array(opaqueId).min(1).max(100).optional().describe('Only these.')

export const getMediaBuysRequest = z.looseObject({
  media_buy_ids: mediaBuyIds,
  status_filter: statusFilter,
  include_snapshot: z.boolean().optional().describe('Default false.'),
  include_history: count.max(1000).optional().describe('Entries of history; default 0.'),
  include_webhook_activity: z.boolean().optional().describe('Default false.'),
  webhook_activity_limit: atLeastOne.max(200).optional().describe('1 to 200; default 50.'),
  pagination: paginationRequest.optional().describe('Pages; default 50 a page.'),
})
export type GetMediaBuysRequest = z.infer<typeof getMediaBuysRequest>

export const getMediaBuysResponse = z.strictObject({
  media_buys: z.array(mediaBuy),
  pagination: paginationResponse.optional(),
  ...changed,
})
export type GetMediaBuysResponse = z.infer<typeof getMediaBuysResponse>

export const getMediaBuyDeliveryRequest = z.looseObject({
  media_buy_ids: mediaBuyIds,
  status_filter: statusFilter,
  start_date: isoDate.optional().describe('First day, in the time zone of the buy.'),
  end_date: isoDate.optional().describe('The day after the last one.'),
  time_granularity: z.enum(REPORTING_FREQUENCIES).optional().describe('Length of the windows.'),
  include_window_breakdown: z.boolean().optional().describe('Window by window; default false.'),
  include_package_daily_breakdown: z.boolean().optional().describe('Day by day; default false.'),
  reporting_dimensions: z.looseObject({}).optional().describe('Further breakdowns.'),
  pagination: paginationRequest.optional().describe('Pages.'),
})
export type GetMediaBuyDeliveryRequest = z.infer<typeof getMediaBuyDeliveryRequest>

export const getMediaBuyDeliveryResponse = z.strictObject({
  reporting_period: reportingPeriod,
  currency,
  media_buy_deliveries: z.array(mediaBuyDelivery).describe('One row for each media buy.'),
  aggregated_totals: deliveryMetrics
    .extend({ impressions: summedQuantity, media_buy_count: count })
    .optional()
    .describe('Sums over all of them.'),
  pagination: paginationResponse.optional(),
  ...changed,
})
export type GetMediaBuyDeliveryResponse = z.infer<typeof getMediaBuyDeliveryResponse>

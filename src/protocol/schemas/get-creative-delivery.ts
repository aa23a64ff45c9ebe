// `get_creative_delivery` (of 3.x): what creatives have delivered in media buys, each with its variants that ran.

import { z } from 'zod'
import { withRule } from './checks.ts'
import {
  atLeastOne,
  count,
  currency,
  ext,
  isoDate,
  opaqueId,
  paginationRequest,
  summedQuantity,
} from './common.ts'
import { deliveryMetrics, reportingPeriod } from './delivery-report.ts'
import { errorList } from './error-object.ts'

const ids = (most: number) => z.array(opaqueId).min(1).max(most).optional()

export const getCreativeDeliveryRequest = withRule(
  z.looseObject({
    media_buy_ids: ids(50).describe('Creatives of these media buys.'),
    creative_ids: ids(100).describe('Only these creatives.'),
    start_date: isoDate.optional().describe('First day, in the time zone of the buy.'),
    end_date: isoDate.optional().describe('The day after the last one.'),
    max_variants: atLeastOne.optional().describe('Variants per creative; each has one.'),
    pagination: paginationRequest.optional().describe('Pages; default 50 a page.'),
  }),
  ({ media_buy_ids, creative_ids }, report) => {
    if (media_buy_ids === undefined && creative_ids === undefined) {
      report(['media_buy_ids'], 'Give media_buy_ids, or creative_ids.', 'anyOf')
    }
  },
)
export type GetCreativeDeliveryRequest = z.infer<typeof getCreativeDeliveryRequest>

const metrics = deliveryMetrics.extend({ impressions: summedQuantity })

const creativeDelivery = z.looseObject({
  creative_id: opaqueId,
  media_buy_id: opaqueId.describe('Where it ran.'),
  format_id: z.looseObject({ id: z.string() }).optional().describe('To callers before 3.2.'),
  format_kind: z.string().optional().describe('Its canonical kind, to callers of 3.2.'),
  totals: metrics,
  variant_count: count.describe('How many variants ran.'),
  variants: z.array(metrics.extend({ variant_id: opaqueId })),
})
export type CreativeDelivery = z.infer<typeof creativeDelivery>

export const getCreativeDeliveryResponse = z.strictObject({
  media_buy_id: opaqueId.optional().describe('Where it is one.'),
  currency,
  reporting_period: reportingPeriod,
  creatives: z.array(creativeDelivery).describe('One row for each creative of each media buy.'),
  pagination: z
    .looseObject({
      limit: atLeastOne,
      offset: count,
      has_more: z.boolean(),
      total_count: count,
      total: count.describe('The same, under its older name.'),
      cursor: z.string().optional().describe('Cursor of the next page.'),
    })
    .optional(),
  errors: errorList.optional().describe('Warnings.'),
  sandbox: z.boolean().optional(),
  ext: ext.optional(),
})
export type GetCreativeDeliveryResponse = z.infer<typeof getCreativeDeliveryResponse>

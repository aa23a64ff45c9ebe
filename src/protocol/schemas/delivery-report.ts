// The delivery of a media buy (spec 2.11): the result of a reporting webhook, and the rows that
// get_media_buy_delivery also returns. Metrics are extensible, because products add their own.

import { z } from 'zod'
import { withRule } from './checks.ts'
import {
  atLeastOne,
  context,
  count,
  currency,
  ext,
  isoTime,
  opaqueId,
  summedQuantity,
} from './common.ts'
import { errorList } from './error-object.ts'

export const NOTIFICATION_TYPES = ['scheduled', 'final', 'delayed', 'adjusted'] as const

/** spec 3.4, and the states before a buy becomes active. */
export const DELIVERY_STATUSES = [
  'pending_creatives',
  'pending_start',
  'active',
  'paused',
  'reporting_delayed',
  'completed',
  'canceled',
  'rejected',
  'failed',
] as const

export const deliveryMetrics = z.looseObject({
  impressions: summedQuantity.optional().describe('Impressions served.'),
  spend: summedQuantity.describe('Money spent, in the currency of the report.'),
  clicks: summedQuantity.optional().describe('Clicks.'),
  ctr: z.number().min(0).max(1).optional().describe('Clicks per impression.'),
  completion_rate: z.number().min(0).max(1).nullable().optional().describe('Views to the end.'),
})

const packageDelivery = deliveryMetrics.extend({
  package_id: opaqueId.optional().describe('The package.'),
  metric_values: z
    .array(
      z.looseObject({
        scope: z.string().describe('standard: a metric of the protocol.'),
        metric_id: z.string().describe('The metric; never spend.'),
        qualifier: z.looseObject({}).optional().describe('How it was measured.'),
        value: z.number().describe('The count.'),
      }),
    )
    .optional()
    .describe('Counts with the way they were measured. They are not repeated as plain members.'),
})

export const reportingPeriod = z.strictObject({
  start: isoTime.describe('First instant, in UTC.'),
  end: isoTime.describe('First instant after it, in UTC.'),
  timezone: z.string().optional().describe('In which the windows were cut; IANA name.'),
})

export const mediaBuyDelivery = z.looseObject({
  media_buy_id: opaqueId.describe('The media buy.'),
  status: z.enum(DELIVERY_STATUSES).describe('State of the buy, not of a task.'),
  totals: deliveryMetrics.describe('Sums over the packages.'),
  by_package: z.array(packageDelivery).describe('The same, package by package.'),
  expected_availability: isoTime.optional().describe('When late data are expected.'),
  is_adjusted: z.boolean().optional().describe('Whether earlier figures are corrected.'),
  is_final: z.boolean().optional().describe('Whether the figures will not change again.'),
  finalized_at: isoTime.optional().describe('When they became final.'),
})
export type MediaBuyDelivery = z.infer<typeof mediaBuyDelivery>

/** `result` of a reporting webhook; only the pulled response contains sums over several buys. */
export const deliveryReport = withRule(
  z.looseObject({
    notification_type: z.enum(NOTIFICATION_TYPES).describe('Why this report was sent.'),
    sequence_number: atLeastOne.optional().describe('Place in the stream, from 1.'),
    next_expected_at: isoTime.optional().describe('When the next one comes; absent on final.'),
    reporting_period: reportingPeriod,
    currency,
    media_buy_deliveries: z.array(mediaBuyDelivery).describe('One row for each media buy.'),
    partial_data: z.boolean().optional().describe('Whether some rows lack their data.'),
    unavailable_count: count.optional().describe('How many rows lack their data.'),
    errors: errorList.optional(),
    context: context.optional(),
    ext: ext.optional(),
  }),
  (members, report) => {
    for (const forbidden of ['aggregated_totals', 'notification_id']) {
      if (members[forbidden] !== undefined) {
        report([forbidden], `${forbidden} does not belong in a delivery report.`, 'not')
      }
    }
  },
)
export type DeliveryReport = z.infer<typeof deliveryReport>

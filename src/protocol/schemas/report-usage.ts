// `report_usage` (of 3.x): usage of signals, creatives and media buys, for billing.

import { z } from 'zod'
import { accountRef, count, currency, ext, isoTime, opaqueId, quantity, text } from './common.ts'
import { errorList } from './error-object.ts'
import { reportedPeriod } from './performance-feedback.ts'

const usage = z.looseObject({
  account: accountRef.describe('The account that it is for.'),
  vendor_cost: quantity.describe('Amount due.'),
  currency,
  media_buy_id: opaqueId.optional(),
  pricing_option_id: opaqueId.optional().describe('The price that was applied.'),
  impressions: count.optional(),
  media_spend: quantity.optional(),
  signal_agent_segment_id: opaqueId.optional().describe('The segment that was used.'),
  creative_id: opaqueId.optional().describe('A creative that was used.'),
  final: z.boolean().optional().describe('Whether these figures are settled.'),
  finalized_at: isoTime.optional().describe('When they were.'),
  measurement_window: text(50).optional(),
})
export type ReportedUsage = z.infer<typeof usage>

export const reportUsageRequest = z.looseObject({
  reporting_period: reportedPeriod.describe('What all records are about.'),
  usage: z.array(usage).min(1).max(1_000).describe('Records, each for itself.'),
})
export type ReportUsageRequest = z.infer<typeof reportUsageRequest>

export const reportUsageResponse = z.strictObject({
  accepted: count.describe('Records that were stored.'),
  errors: errorList.optional().describe('Why the others were not.'),
  sandbox: z.boolean().optional(),
  ext: ext.optional(),
})
export type ReportUsageResponse = z.infer<typeof reportUsageResponse>

// `get_reporting_status`: which delivery reports are pending and the state of each (spec 6.2).

import { z } from 'zod'
import { REPORT_STATES } from '../report-states.ts'
import {
  atLeastOne,
  count,
  ext,
  isoTime,
  opaqueId,
  paginationRequest,
  paginationResponse,
} from './common.ts'
import { NOTIFICATION_TYPES, reportingPeriod } from './delivery-report.ts'
import { errorList } from './error-object.ts'
import { mediaBuyStatus } from './media-buy.ts'
import { REPORTING_FREQUENCIES } from './push-notification-config.ts'

const state = z.enum(REPORT_STATES)

export const REPORTING_HEALTH = [
  'healthy',
  'waiting',
  'delayed',
  'action_required',
  'complete',
] as const
const health = z.enum(REPORTING_HEALTH)

export const getReportingStatusRequest = z.looseObject({
  media_buy_ids: z.array(opaqueId).min(1).max(100).optional().describe('Only these.'),
  view: z
    .enum(['summary', 'periods'])
    .optional()
    .describe('summary (default): what is missing; periods: every window.'),
  states: z.array(state).min(1).max(5).optional().describe('Only windows with this status.'),
  pagination: paginationRequest.optional().describe('Pages of windows; default 50 a page.'),
})
export type GetReportingStatusRequest = z.infer<typeof getReportingStatusRequest>

const period = z.strictObject({
  media_buy_id: opaqueId,
  reporting_period: reportingPeriod,
  state: state.describe('Status of the report of this window.'),
  is_final_report: z.boolean().optional().describe('Whether this is the last report of the buy.'),
  sequence_number: atLeastOne.optional().describe('Of the last report about it.'),
  notification_types: z
    .array(z.enum(NOTIFICATION_TYPES))
    .describe('Of the reports about it, in their order.'),
  expected_availability: isoTime.optional().describe('When late figures are expected.'),
  sent_at: isoTime.optional().describe('When the last report about it was sent.'),
  ended_at: isoTime.optional().describe('When it was acknowledged, or failed permanently.'),
  reason: z.string().optional().describe('Why it failed permanently.'),
})

export const getReportingStatusResponse = z.strictObject({
  ledger_as_of: isoTime.describe('The time at which these figures were read.'),
  health: health.describe('The worst of the buys.'),
  reporting_statuses: z.array(
    z.strictObject({
      media_buy_id: opaqueId,
      media_buy_status: mediaBuyStatus,
      reporting_frequency: z.enum(REPORTING_FREQUENCIES),
      health,
      data_through: isoTime.optional().describe('Until when every window has been reported.'),
      next_expected_at: isoTime.optional().describe('When the next report is expected.'),
      last_sequence_number: count.describe('Of the last report.'),
      obligation_counts: z.strictObject(
        Object.fromEntries(REPORT_STATES.map((name) => [name, count])) as Record<
          (typeof REPORT_STATES)[number],
          typeof count
        >,
      ),
      is_final: z.boolean().describe('Whether the last report was sent.'),
    }),
  ),
  periods: z.array(period).describe('Windows, the latest first.'),
  pagination: paginationResponse.optional(),
  errors: errorList.optional(),
  ext: ext.optional(),
})
export type GetReportingStatusResponse = z.infer<typeof getReportingStatusResponse>

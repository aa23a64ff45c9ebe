// Media buys: how each delivers against what was bought, its pending reports, its impairments, and everything that
// was done to it.

import { z } from 'zod'
import { IMPAIRMENT_TYPES, REASON_CODES, RESOURCE_TYPES } from '../../protocol/impairment-words.ts'
import { REPORT_STATES } from '../../protocol/report-states.ts'
import { MEDIA_BUY_STATUSES } from '../../protocol/statuses.ts'
import { amount, pageOf, pageQuery, textFilter, time, timeFilter } from './common.ts'
import { approvalItem } from './tasks.ts'

const buyItem = z.strictObject({
  media_buy_id: z.string(),
  status: z.enum(MEDIA_BUY_STATUSES),
  principal_id: z.string(),
  principal_name: z.string().optional(),
  /** As the buyer calls it. */
  name: z.string().optional(),
  buyer_ref: z.string().optional(),
  /** The brand that advertises, identified by its domain. */
  brand: z.string().optional(),
  currency: z.string(),
  total_budget: amount,
  packages: z.number(),
  /** As reported so far; missing if no reports were requested. */
  reported_spend: amount.optional(),
  open_impairments: z.number(),
  late_reports: z.number(),
  given_up_reports: z.number(),
  start_at: time,
  end_at: time,
  created_at: time,
})
export type BuyItem = z.infer<typeof buyItem>

export const buysQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(MEDIA_BUY_STATUSES).optional(),
  principal_id: textFilter.optional(),
  /** The domain of the brand. */
  brand: textFilter.optional(),
  /** The kind of problem; with this filter, the buy that most recently developed it comes first. */
  trouble: z.enum(['impaired', 'late', 'given_up']).optional(),
  /** Created at or after. */
  since: timeFilter.optional(),
  /** Created before. */
  until: timeFilter.optional(),
  /** The id of a buy or package, or a part of its name, reference or brand. */
  q: textFilter.optional(),
})
export type BuysQuery = z.infer<typeof buysQuery>

export const buysPage = pageOf(buyItem)
export type BuysPage = z.infer<typeof buysPage>

const buyPackage = z.strictObject({
  package_id: z.string(),
  product_id: z.string(),
  budget: amount,
  pricing_model: z.string(),
  rate: amount,
  pacing: z.string(),
  paused: z.boolean(),
  canceled: z.boolean(),
  start_at: time,
  end_at: time,
  impressions: amount.optional(),
  buyer_ref: z.string().optional(),
  creatives: z.array(z.strictObject({ creative_id: z.string(), status: z.string() })),
})
export type BuyPackage = z.infer<typeof buyPackage>

const impairment = z.strictObject({
  impairment_id: z.string(),
  impairment_type: z.enum(IMPAIRMENT_TYPES),
  resource_type: z.enum(RESOURCE_TYPES),
  resource_id: z.string(),
  package_ids: z.array(z.string()),
  from: z.string().optional(),
  to: z.string(),
  reason_code: z.string(),
  reason: z.string().optional(),
  remediation: z.string().optional(),
  /** `system`: the server detects when it is over. */
  raised_by: z.enum(['operator', 'system']),
  observed_at: time,
  cleared_at: time.optional(),
})
export type SerializedImpairment = z.infer<typeof impairment>

export const buy = z.strictObject({
  ...buyItem.shape,
  account_id: z.string().optional(),
  po_number: z.string().optional(),
  revision: z.number(),
  /** Whether the buyer asked for it to wait. */
  is_held: z.boolean(),
  time_zone: z.string(),
  updated_at: time,
  status_changed_at: time,
  /** When the clock moves it next. */
  next_move_at: time.optional(),
  ending: z
    .strictObject({ by: z.enum(['buyer', 'seller']), at: time, reason: z.string().optional() })
    .optional(),
  package_list: z.array(buyPackage),
  impairments: z.strictObject({
    open: z.array(impairment),
    /** The most recently cleared ones, newest first. */
    cleared: z.array(impairment),
    /** When pending changes are reported. */
    told_at: time.optional(),
    /** What was reported to the buyer, newest first. */
    reported: z.array(
      z.strictObject({
        notification_id: z.string(),
        at: time,
        changes: z.array(z.string()),
        health: z.string(),
      }),
    ),
  }),
  /** What was done to it, newest first. */
  history: z.array(
    z.strictObject({
      revision: z.number(),
      at: time,
      actor: z.enum(['buyer', 'seller', 'clock']),
      action: z.string(),
      status: z.enum(MEDIA_BUY_STATUSES).optional(),
      package_ids: z.array(z.string()).optional(),
    }),
  ),
  /** Approvals that operators were asked for, newest first. */
  approvals: z.array(approvalItem),
  /** Whether an impairment can be raised: not for a buy that has ended. */
  may: z.strictObject({ impair: z.boolean() }),
})
export type Buy = z.infer<typeof buy>

export const buyParams = z.strictObject({ media_buy_id: z.string().min(1).max(256) })

const amounts = z.strictObject({ spend: z.number(), impressions: z.number().optional() })

const PACES = ['not_begun', 'behind', 'on_pace', 'ahead', 'ended', 'unknown'] as const

const pace = z.strictObject({
  pace: z.enum(PACES),
  delivered: z.strictObject({ spend: z.number(), impressions: z.number() }),
  /** Expected up to the time of the latest figures, spread according to the pacing. */
  expected: amounts,
  bought: amounts,
})
export type Pace = z.infer<typeof pace>

export const pacing = z.strictObject({
  /** The time up to which delivery is known. */
  through: time,
  currency: z.string(),
  /** The number of windows before that time without figures. */
  missing: z.number(),
  is_final: z.boolean(),
  total: pace,
  packages: z.array(z.strictObject({ package_id: z.string(), ...pace.shape })),
  /** Sums up to each time. */
  curve: z.array(
    z.strictObject({
      at: time,
      spend: z.number(),
      expected_spend: z.number(),
      impressions: z.number(),
      expected_impressions: z.number().optional(),
    }),
  ),
})
export type Pacing = z.infer<typeof pacing>

const reportWindow = z.strictObject({
  kind: z.enum(['window', 'final']),
  start: time,
  end: time,
  state: z.enum(REPORT_STATES),
  sequence_number: z.number().optional(),
  /** The kinds of reports about it, in order; `adjusted`: its figures were corrected. */
  notification_types: z.array(z.string()),
  spend: z.number().optional(),
  impressions: z.number().optional(),
  /** When the figures of a late window are expected. */
  expected_at: time.optional(),
  sent_at: time.optional(),
  ended_at: time.optional(),
  /** Why delivery failed permanently. */
  reason: z.string().optional(),
  /** Of the last report about it, as long as that is kept. */
  delivery: z.strictObject({ delivery_id: z.number(), state: z.string() }).optional(),
})
export type SerializedWindow = z.infer<typeof reportWindow>

export const buyReportsQuery = z.strictObject({
  ...pageQuery,
  /** `missing`: any report that was not acknowledged. */
  state: z.enum(['missing', ...REPORT_STATES]).optional(),
})
export type BuyReportsQuery = z.infer<typeof buyReportsQuery>

export const buyReports = z.strictObject({
  ...pageOf(reportWindow).shape,
  /** Missing if the buyer requested no reports. */
  stream: z
    .strictObject({
      reporting_frequency: z.string(),
      counts: z.strictObject({
        owed: z.number(),
        sent: z.number(),
        delivered: z.number(),
        late: z.number(),
        given_up: z.number(),
      }),
      last_sequence_number: z.number(),
      is_final: z.boolean(),
      /** The next window, and when its report is due. */
      next: z.strictObject({ window_end: time, due_at: time }).optional(),
    })
    .optional(),
})
export type BuyReports = z.infer<typeof buyReports>

export const buyActivity = z.strictObject({
  /** Attempts, newest first; pending if there was no attempt yet. */
  items: z.array(
    z.strictObject({
      delivery_id: z.number(),
      notification_type: z.string(),
      sequence_number: z.number().optional(),
      attempt: z.number(),
      status: z.enum(['success', 'failed', 'timeout', 'connection_error', 'pending']),
      url: z.string(),
      http_status_code: z.number().optional(),
      response_time_ms: z.number().optional(),
      error_message: z.string().optional(),
      fired_at: time,
    }),
  ),
  /** Whether any webhook is registered for the buy. */
  has_webhook: z.boolean(),
})
export type BuyActivity = z.infer<typeof buyActivity>

export const raiseBody = z.strictObject({
  impairment_type: z.enum(IMPAIRMENT_TYPES).default('general'),
  resource_type: z.enum(RESOURCE_TYPES),
  resource_id: z.string().min(1).max(255),
  to: z.string().min(1).max(64),
  from: z.string().max(64).optional(),
  reason_code: z.enum(REASON_CODES),
  /** The affected packages. Default: all that are not canceled. */
  package_ids: z.array(z.string().max(256)).min(1).max(500).optional(),
  reason: z.string().max(2_000).optional(),
  remediation: z.string().max(2_000).optional(),
})
export type RaiseBody = z.infer<typeof raiseBody>

export const impairmentParams = z.strictObject({
  ...buyParams.shape,
  impairment_id: z.string().min(1).max(256),
})

// `provide_performance_feedback` (of 3.x): how a buy, a package or a creative performs, as the buyer measured it.

import { z } from 'zod'
import { withRule } from './checks.ts'
import { brandRef, ext, isoTime, opaqueId, quantity, text } from './common.ts'

const datetimeRange = withRule(
  z.looseObject({ start: isoTime, end: isoTime }),
  ({ start, end }, report) => {
    if (typeof start !== 'string' || typeof end !== 'string') return
    if (Date.parse(end) < Date.parse(start))
      report(['end'], 'It must not end before it starts.', 'end')
  },
)
export const reportedPeriod = datetimeRange

export const providePerformanceFeedbackRequest = withRule(
  z.looseObject({
    media_buy_id: opaqueId.describe('The media buy.'),
    package_id: opaqueId.optional().describe('A package of it, if it is about one.'),
    creative_id: opaqueId.optional().describe('A creative of it, if it is about one.'),
    measurement_period: datetimeRange.describe('When it was measured.'),
    performance_index: quantity.describe('1 is as expected, more is better.'),
    baseline: text(100).optional().describe('What was expected.'),
    metric: z.looseObject({ scope: text(50), metric_id: text(255) }).optional(),
    metric_type: text(100).optional().describe('The metric, by its older name.'),
    producer: brandRef.optional().describe('Who measured.'),
    feedback_source: text(100).optional(),
    methodology: text(100).optional(),
    methodology_version: text(100).optional(),
    study_ref: text(255).optional(),
    evidence: z.looseObject({}).optional(),
    as_of: isoTime.optional().describe('When it was computed.'),
    final: z.boolean().optional().describe('Whether it will not change any more.'),
    supersedes_feedback_id: opaqueId.optional().describe('The feedback that it replaces.'),
  }),
  ({ methodology, methodology_version, producer }, report) => {
    if (producer !== undefined) return
    for (const [name, given] of Object.entries({ methodology, methodology_version })) {
      if (given !== undefined) report(['producer'], `Give producer with ${name}.`, 'dependencies')
    }
  },
)
export type ProvidePerformanceFeedbackRequest = z.infer<typeof providePerformanceFeedbackRequest>

export const providePerformanceFeedbackResponse = z.strictObject({
  success: z.literal(true),
  feedback_id: opaqueId.describe('For supersedes_feedback_id.'),
  application_status: z.literal('accepted').describe('It is kept, and the seller can read it.'),
  received_at: isoTime,
  sandbox: z.boolean().optional(),
  ext: ext.optional(),
})
export type ProvidePerformanceFeedbackResponse = z.infer<typeof providePerformanceFeedbackResponse>

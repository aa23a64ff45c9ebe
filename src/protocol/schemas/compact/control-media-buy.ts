// `control_media_buy`, of 3.2: pauses, resumes, cancels or renames a buy, and changes money and targeting of its packages.

import { z } from 'zod'
import { withRule } from '../checks.ts'
import { atLeastOne, ext, isoTime, money, opaqueId, quantity, text } from '../common.ts'
import { mediaBuyStatus } from '../media-buy.ts'
import { reportingWebhook } from '../push-notification-config.ts'
import { routedAction } from './canonical-proposal.ts'

const packageControl = withRule(
  z.looseObject({
    package_id: opaqueId,
    budget: quantity.nullable().optional().describe('Its new budget.'),
    impressions: quantity.optional().describe('Impressions wanted.'),
    pacing: text(100).optional(),
    bidding: z.looseObject({}).nullable().optional().describe('bid_amount or max_bid.'),
    paused: z.boolean().optional(),
    canceled: z.literal(true).optional().describe('Cancel permanently.'),
    cancellation_reason: text(500).optional().describe('Why.'),
    targeting_overlay: z
      .looseObject({})
      .optional()
      .describe('Dimensions to replace; null clears one, and those left out stay.'),
  }),
  (given, report) => checkCanceled(given, report, { kept: ['package_id'] }),
)
export type PackageControl = z.infer<typeof packageControl>

const CONTROLS = [
  'name',
  'paused',
  'canceled',
  'total_budget',
  'daily_budget_cap',
  'frequency_cap',
  'budget_cap_timezone',
  'budget_allocation',
  'pacing',
  'bidding',
  'packages',
  'reporting_webhook',
] as const

export const controlMediaBuyRequest = withRule(
  z.looseObject({
    media_buy_id: opaqueId.describe('The media buy.'),
    revision: atLeastOne.describe('The revision that was read; refused if outdated.'),
    name: text(255).regex(/\S/, 'A name has something to read.').optional(),
    paused: z.boolean().optional().describe('Pause or resume.'),
    canceled: z.literal(true).optional().describe('Cancel permanently, and nothing else.'),
    cancellation_reason: text(500).optional().describe('Why.'),
    total_budget: money.optional().describe('The packages are scaled to it.'),
    packages: z.array(packageControl).min(1).max(100).optional().describe('Packages to change.'),
    reporting_webhook: reportingWebhook.optional().describe('Replaces the existing one.'),
  }),
  (given, report) => {
    if (CONTROLS.every((member) => given[member] === undefined)) {
      report(['paused'], `Say what to change: ${CONTROLS.join(', ')}.`, 'anyOf')
    }
    const others = CONTROLS.filter((member) => member !== 'canceled')
    checkCanceled(given, report, { others })
  },
)
export type ControlMediaBuyRequest = z.infer<typeof controlMediaBuyRequest>

export const controlMediaBuyResponse = z.strictObject({
  media_buy_id: opaqueId.describe('The media buy.'),
  revision: atLeastOne.describe('Grows with every change.'),
  media_buy_status: mediaBuyStatus.optional().describe('State of the buy.'),
  implementation_date: isoTime.nullable().optional().describe('When it takes effect.'),
  affected_package_ids: z.array(opaqueId).optional().describe('Packages that changed.'),
  available_actions: z.array(routedAction).optional().describe('What can be done now.'),
  ext: ext.optional(),
})
export type ControlMediaBuyResponse = z.infer<typeof controlMediaBuyResponse>

interface CanceledOptions {
  /** Members that a cancellation may be sent with. */
  kept?: readonly string[]
  /** Members that could change something. Default: all that were sent. */
  others?: readonly string[]
}

/** A canceled item cannot also be changed in the same call. */
function checkCanceled(
  given: Readonly<Record<string, unknown>>,
  report: (path: readonly PropertyKey[], message: string, keyword: string) => void,
  { kept = [], others = Object.keys(given) }: CanceledOptions,
): void {
  const { canceled, cancellation_reason } = given
  if (cancellation_reason !== undefined && canceled === undefined) {
    report(['canceled'], 'A cancellation_reason belongs to canceled: true.', 'required')
  }
  if (canceled === undefined) return
  const own = new Set(['canceled', 'cancellation_reason', ...kept])
  const extra = others.find((member) => !own.has(member) && given[member] !== undefined)
  if (extra) report([extra], 'What is canceled cannot be changed as well: leave it out.', 'not')
}

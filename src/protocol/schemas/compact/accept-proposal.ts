// `accept_proposal`, of 3.2: buys a finalised proposal, by its id and the digest of its terms.

import { z } from 'zod'
import { withRule } from '../checks.ts'
import { money, opaqueId, text } from '../common.ts'
import { reportingWebhook } from '../push-notification-config.ts'

export const acceptProposalRequest = withRule(
  z.looseObject({
    proposal_id: opaqueId.describe('A committed proposal.'),
    proposal_terms_digest: z
      .string()
      .regex(/^sha256:[A-Za-z0-9_-]{43}$/, 'This is terms_digest of the proposal.')
      .describe('Its terms_digest.'),
    total_budget: money.optional().describe('Only the one that the proposal has.'),
    name: text(255).regex(/\S/, 'A name has something to read.').optional(),
    purchase_order_ref: text(255).optional().describe('Number of the order.'),
    reporting_webhook: reportingWebhook.optional().describe('Where delivery reports go.'),
  }),
  ({ account }: { account?: unknown }, report) => {
    if (account === undefined) report(['account'], 'Give the account that buys.', 'required')
  },
)
export type AcceptProposalRequest = z.infer<typeof acceptProposalRequest>

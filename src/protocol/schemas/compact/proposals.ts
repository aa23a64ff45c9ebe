// The 3.2 tasks for proposals: request, refine or finalise, and decline.

import { z } from 'zod'
import { withRule } from '../checks.ts'
import { brandRef, currency, ext, isoTime, opaqueId, quantity, text } from '../common.ts'
import { taskStatus } from '../task-status.ts'
import { checkBrand } from './brand-source.ts'
import { canonicalProduct } from './canonical-product.ts'
import { canonicalProposal } from './canonical-proposal.ts'
import { productCriteria } from './product-criteria.ts'

const MAX_BRIEF = 10_000
/** Maximum number of proposals in one call, each of which is a transaction. */
const MAX_PROPOSALS = 25

const opportunity = z.looseObject({
  opportunity_id: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,255}$/, 'This may hold letters, digits and _ . : - only.')
    .describe('The planning cycle of the buyer.'),
})

export const requestProposalsRequest = withRule(
  z.looseObject({
    brief: text(MAX_BRIEF).describe('What the buyer wants, as free text.'),
    brand: brandRef.optional().describe('The brand that advertises, unless the account names it.'),
    criteria: productCriteria.optional().describe('What the products must meet.'),
    opportunity: opportunity.optional().describe('What the proposals belong to.'),
  }),
  (request, report) => checkBrand(request, report, { isNeeded: true }),
)
export type RequestProposalsRequest = z.infer<typeof requestProposalsRequest>

export const requestProposalsResponse = z.strictObject({
  outcome: z.enum(['proposed', 'rejected']).describe('Whether there is a proposal.'),
  proposals: z.array(canonicalProposal).min(1).optional(),
  products: z.array(canonicalProduct).min(1).optional().describe('Those of the proposals.'),
  reason: z.string().optional().describe('Why there is none.'),
  suggestions: z.array(z.string()).min(1).optional().describe('What to change.'),
  ext: ext.optional(),
})
export type RequestProposalsResponse = z.infer<typeof requestProposalsResponse>

const constraints = z.looseObject({
  total_budget: z
    .looseObject({ min: quantity.optional(), max: quantity.optional(), currency })
    .optional(),
  cpm: z.looseObject({ max: quantity.gt(0), currency }).optional(),
  flight: z
    .looseObject({
      start_no_later_than: isoTime.optional(),
      end_no_earlier_than: isoTime.optional(),
    })
    .optional(),
})
export type RefineConstraints = z.infer<typeof constraints>

const productChanges = z.record(opaqueId, z.enum(['include', 'omit']))

const REVISIONS = ['constraints', 'product_changes', 'ask', 'alternatives', 'criteria'] as const

const refinement = withRule(
  z.looseObject({
    proposal_id: opaqueId.describe('The proposal that stays as it is.'),
    action: z.enum(['revise', 'finalize']).describe('A changed draft, or prices that are held.'),
    change_kind: z
      .enum(['amendment', 'cancellation'])
      .optional()
      .describe('Of one that was bought.'),
    constraints: constraints.optional().describe('What the new draft must meet.'),
    product_changes: productChanges.optional().describe('include or omit, by product_id.'),
    ask: text(MAX_BRIEF).optional().describe('What to change, as free text.'),
  }),
  (given, report) => {
    const { action, change_kind } = given
    const named = REVISIONS.filter((member) => given[member] !== undefined)
    const others = [...named, 'change_kind', 'remove_media_buy_frequency_cap']
    if (action === 'finalize') {
      const extra = others.find((member) => given[member] !== undefined)
      if (extra) report([extra], 'A proposal is finalised as it is: revise it before.', 'not')
    }
    const isRequested = named.length > 0 || given.remove_media_buy_frequency_cap !== undefined
    if (action === 'revise' && !isRequested && change_kind !== 'cancellation') {
      report(['ask'], `Say what to change: ${REVISIONS.join(', ')}.`, 'anyOf')
    }
  },
)
export type ProposalRefinement = z.infer<typeof refinement>

export const refineProposalsRequest = withRule(
  z.looseObject({ refinements: z.array(refinement).min(1).max(MAX_PROPOSALS) }),
  ({ refinements }, report) => {
    checkOnce(refinements, 'refinements', report)
    const actions = listOf(refinements).map(({ action }) => action)
    const other = actions.findIndex((action) => action !== 'finalize')
    if (actions.includes('finalize') && other >= 0) {
      const message = 'A call that finalises does nothing else: send this one apart.'
      report(['refinements', String(other), 'action'], message, 'const')
    }
  },
)
export type RefineProposalsRequest = z.infer<typeof refineProposalsRequest>

const REFINE_REASONS = [
  'commercially_declined',
  'constraint_unsatisfiable',
  'uninterpreted',
  'source_unavailable',
] as const
export type RefineReason = (typeof REFINE_REASONS)[number]

const refined = z.strictObject({
  source_proposal_id: opaqueId,
  outcome: z.enum(['revised', 'partial', 'finalized', 'unable']),
  proposal: canonicalProposal.optional().describe('Finalised.'),
  proposals: z.array(canonicalProposal).min(1).optional().describe('The new draft.'),
  reason_code: z.enum(REFINE_REASONS).optional(),
  reason: z.string().optional().describe('What was not done, and why.'),
  unsatisfied_constraints: z.array(z.string()).min(1).optional(),
  unsatisfied_product_changes: productChanges.optional(),
  suggestions: z.array(z.string()).min(1).optional(),
})
export type RefinedResult = z.infer<typeof refined>

export const refineProposalsResponse = z.strictObject({
  results: z.array(refined).min(1).describe('In the order of the request.'),
  products: z.array(canonicalProduct).describe('Those of the new proposals.'),
  ext: ext.optional(),
})
export type RefineProposalsResponse = z.infer<typeof refineProposalsResponse>

const decline = withRule(
  z.looseObject({
    proposal_id: opaqueId,
    reason: text(100).describe('Why, in a word of the protocol.'),
    detail: text(500).optional().describe('The reason, as free text.'),
  }),
  ({ reason, detail }, report) => {
    if (reason === 'other' && detail === undefined) {
      report(['detail'], 'Say in detail what the reason is.', 'required')
    }
  },
)

export const declineProposalsRequest = withRule(
  z.looseObject({
    declines: z.array(decline).min(1).max(MAX_PROPOSALS),
    opportunity: opportunity.optional().describe('What all of them belong to.'),
  }),
  ({ declines }, report) => checkOnce(declines, 'declines', report),
)
export type DeclineProposalsRequest = z.infer<typeof declineProposalsRequest>

export const declineProposalsResponse = z.strictObject({
  status: taskStatus.optional().describe('Of a call that failed; others have none.'),
  results: z
    .array(
      z.strictObject({
        proposal_id: opaqueId,
        outcome: z.enum(['declined', 'unable']),
        reason: z.string().optional().describe('Why it could not be declined.'),
      }),
    )
    .min(1)
    .describe('In the order of the request.'),
  ext: ext.optional(),
})
export type DeclineProposalsResponse = z.infer<typeof declineProposalsResponse>

function listOf(value: unknown): readonly { proposal_id?: unknown; action?: unknown }[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}

function checkOnce(
  value: unknown,
  list: string,
  report: (path: readonly PropertyKey[], message: string, keyword: string) => void,
): void {
  const seen = new Set<unknown>()
  for (const [index, { proposal_id }] of listOf(value).entries()) {
    if (seen.has(proposal_id)) {
      const message = 'Each proposal is named once in a call.'
      report([list, String(index), 'proposal_id'], message, 'uniqueItems')
    }
    seen.add(proposal_id)
  }
}

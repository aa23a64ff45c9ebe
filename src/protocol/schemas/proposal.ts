// A proposal of get_products (spec 4.5, of 3.x): a media plan over products of the response, which can be bought
// unchanged.

import { z } from 'zod'
import { currency, isoTime, opaqueId, summedQuantity } from './common.ts'

const allocation = z.strictObject({
  product_id: opaqueId.describe('A product of this answer.'),
  allocation_percentage: z.number().min(0).max(100).describe('Of the budget.'),
  pricing_option_id: opaqueId.describe('How it is paid.'),
  rationale: z.string().optional().describe('Why.'),
  sequence: z.int().min(1).optional(),
})

export const proposal = z.strictObject({
  proposal_id: opaqueId.describe('For refine, and for create_media_buy.'),
  name: z.string(),
  description: z.string().optional(),
  allocations: z.array(allocation).min(1).describe('They add up to 100.'),
  proposal_status: z
    .enum(['draft', 'committed'])
    .describe('A draft is finalised before it is bought; of a committed one the prices hold.'),
  expires_at: isoTime.describe('Until when it can be finalised, or bought.'),
  total_budget_guidance: z
    .strictObject({ min: summedQuantity, currency })
    .optional()
    .describe('Minimum budget for the whole proposal.'),
  brief_alignment: z.string().optional().describe('What of the brief it meets.'),
})
export type Proposal = z.infer<typeof proposal>

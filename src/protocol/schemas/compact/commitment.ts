// The response of buy_products and accept_proposal: the buy, the accepted terms, and the package of each purchase.

import { z } from 'zod'
import { atLeastOne, ext, isoTime, opaqueId, text } from '../common.ts'
import { mediaBuyStatus } from '../media-buy.ts'
import { canonicalProposal, purchaseBinding, routedAction } from './canonical-proposal.ts'

export const commitmentResponse = z.strictObject({
  media_buy_id: opaqueId.describe('The media buy.'),
  name: text(255).optional().describe('Display name.'),
  revision: atLeastOne.describe('Grows with every change.'),
  media_buy_status: mediaBuyStatus.describe('State of the buy; status is that of the call.'),
  confirmed_at: isoTime.nullable().describe('When the seller committed.'),
  accepted_proposal: canonicalProposal,
  purchase_bindings: z.array(purchaseBinding).min(1),
  available_actions: z.array(routedAction).describe('What can be done now, and by which task.'),
  ext: ext.optional(),
})
export type CommitmentResponse = z.infer<typeof commitmentResponse>

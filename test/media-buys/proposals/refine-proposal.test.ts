import { expect, test } from 'vitest'
import type { Transact } from '../../../src/lib/transaction.ts'
import { BUY_LIMITS } from '../../../src/media-buys/limits.ts'
import type {
  ProposalRecord,
  ProposalStore,
} from '../../../src/media-buys/proposals/proposal-store.ts'
import { refineProposal } from '../../../src/media-buys/proposals/refine-proposal.ts'
import { catalogueProduct } from '../../support/media-buys.ts'

const product = catalogueProduct()
const held = product.pricing_options[0]!
const { pricing_option_id } = held
const { product_id } = product
const draft: ProposalRecord = {
  owner: 'prn_a',
  proposal_id: 'prop_1',
  status: 'draft',
  created_at: 0,
  updated_at: 0,
  expires_at: 1_000,
  plan: {
    name: 'Plan',
    description: 'd',
    currency: 'USD',
    least_budget: 100,
    allocations: [
      { product_id, pricing_option_id, allocation_percentage: 100, held, rationale: 'r' },
    ],
  },
}

test.each([
  [BUY_LIMITS.heldProposals.value - 1, 'applied'],
  [BUY_LIMITS.heldProposals.value, 'unable'],
])('who has %d finalised proposals and finalises another is answered %s', async (count, status) => {
  const changed: string[] = []
  const proposals = {
    lock: async () => draft,
    countHeld: async () => count,
    change: async (_tx: unknown, { status: now }: ProposalRecord) => void changed.push(now),
  } as unknown as ProposalStore
  const transact = ((work: (tx: object) => unknown) => work({ now: async () => 1 })) as Transact
  const { refined } = await refineProposal(
    { proposals, transact, search: { find: async () => [] } },
    { scope: 'proposal', proposal_id: 'prop_1', action: 'finalize' },
    { owner: 'prn_a', products: new Map([[product_id, product]]) },
  )
  expect(refined.status).toBe(status)
  expect(changed).toEqual(status === 'applied' ? ['committed'] : [])
})

// `refine_proposals`, of 3.2: a changed draft next to the proposal that it was made from, or the same terms with
// guaranteed prices. The source proposal does not change.

import { filterPaced } from '../lib/chunks.ts'
import { ProtocolError } from '../protocol/errors.ts'
import {
  type ProposalRefinement,
  type RefinedResult,
  type RefineProposalsRequest,
  type RefineProposalsResponse,
  refineProposalsRequest,
  refineProposalsResponse,
} from '../protocol/schemas/compact/proposals.ts'
import type { CatalogueProduct } from '../protocol/schemas/product.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { buyerOf } from './buyer-of.ts'
import { createFaults } from './faults.ts'
import { canonicalProductOf } from './offers/canonical-product.ts'
import { finalizeAll } from './offers/finalize.ts'
import { REFINED_DIMENSIONS } from './offers/refined-dimensions.ts'
import { reviseOne } from './offers/revise.ts'
import { isPast, mayBuy } from './product-store.ts'
import type { RequestProposalsPorts } from './request-proposals.ts'

/** Units for each product that is read, and for each refinement. */
const COST = { call: 50, read: 0.2, refinement: 300 } as const

export function refineProposals(
  ports: RequestProposalsPorts,
): Task<RefineProposalsRequest, RefineProposalsResponse> {
  return defineTask({
    name: 'refine_proposals',
    summary: 'Changed drafts of proposals, or proposals whose prices are held',
    area: 'media-buy',
    access: 'tasks',
    changes: true,
    feature: 'compact_lifecycle',
    request: refineProposalsRequest,
    response: refineProposalsResponse,
    cost: {
      grows: 'products of the catalogue × refinements',
      limit: 100_000,
      estimate: async ({ refinements }) =>
        COST.call +
        (COST.read * (await ports.search.count()) + COST.refinement) * refinements.length,
      reduce: { field: '/refinements', advice: 'Send fewer refinements per call.' },
    },
    handle: (request, call) => answer(ports, request, call),
  })
}

async function answer(
  ports: RequestProposalsPorts,
  { refinements }: RefineProposalsRequest,
  call: CallContext,
): Promise<RefineProposalsResponse> {
  refuseUnserved(refinements)
  const owner = buyerOf(call)
  const { search, clock, formatOption } = ports
  const now = clock.now()
  const all = await filterPaced(
    await search.find(undefined),
    ({ product }) => mayBuy(product, owner) && !isPast(product, now),
  )
  const products = new Map<string, CatalogueProduct>(
    all.map(({ product }) => [product.product_id, product]),
  )
  await refuseDeclined(ports, owner, refinements)
  const results: RefinedResult[] = []
  if (refinements[0]?.action === 'finalize') {
    const ids = refinements.map(({ proposal_id }) => proposal_id)
    results.push(...(await finalizeAll(ports, ids, { owner, products })))
  } else {
    for (const one of refinements) {
      results.push(await reviseOne(ports, one, { owner, products }))
    }
  }
  const named = new Set(results.flatMap(productIdsOf))
  return {
    results,
    products: all
      .filter(({ product }) => named.has(product.product_id))
      .map((one) => canonicalProductOf(one, { formatOption })),
  }
}

function productIdsOf({ proposal, proposals = [] }: RefinedResult): string[] {
  return [...proposals, ...(proposal ? [proposal] : [])].flatMap(({ commercial_terms }) =>
    commercial_terms.purchases.map(({ product_id }) => product_id),
  )
}

const CONSTRAINTS: readonly string[] = ['total_budget', 'cpm', 'flight']
const OTHERS = ['criteria', 'alternatives', 'remove_media_buy_frequency_cap'] as const

function refuseUnserved(refinements: readonly ProposalRefinement[]): void {
  const faults = createFaults()
  const refuse = (pointer: string, unsupported_dimension: string) =>
    faults.add('UNSUPPORTED_FEATURE', 'This is not served: say it in ask.', {
      pointer,
      details: { unsupported_dimension, supported_dimensions: REFINED_DIMENSIONS },
    })
  for (const [index, one] of refinements.entries()) {
    const at = `/refinements/${index}`
    for (const member of OTHERS) if (one[member] !== undefined) refuse(`${at}/${member}`, member)
    for (const member of Object.keys(one.constraints ?? {})) {
      if (!CONSTRAINTS.includes(member)) refuse(`${at}/constraints/${member.slice(0, 100)}`, member)
    }
    const { min = 0, max = Number.POSITIVE_INFINITY } = one.constraints?.total_budget ?? {}
    if (min > max) {
      const message = 'min must not be above max.'
      faults.add('VALIDATION_ERROR', message, { pointer: `${at}/constraints/total_budget/min` })
    }
  }
  faults.refuse()
}

/** A declined proposal is final: requesting it is an error, not an outcome. */
async function refuseDeclined(
  { transact, proposals }: RequestProposalsPorts,
  owner: string,
  refinements: readonly ProposalRefinement[],
): Promise<void> {
  await transact(async (tx) => {
    for (const [index, { proposal_id }] of refinements.entries()) {
      const found = await proposals.lock(tx, owner, proposal_id)
      if (found?.status !== 'declined') continue
      const field = `/refinements/${index}/proposal_id`
      const message = `${proposal_id} was declined: request a new proposal`
      throw new ProtocolError('INVALID_STATE', message, { field })
    }
  })
}

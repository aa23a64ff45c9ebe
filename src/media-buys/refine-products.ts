// `buying_mode: refine` of get_products (spec 4.5): an earlier response, changed as each part of `refine` requests.
// That response is not stored: the products that the request names represent it. The outcome of each part is
// reported, in order.

import { filterPaced } from '../lib/chunks.ts'
import type { Refined, Refinement } from '../protocol/schemas/get-products.ts'
import type { CatalogueProduct } from '../protocol/schemas/product.ts'
import type { FoundProduct, ProductSearch } from './product-search.ts'
import type { ProposalRecord } from './proposals/proposal-store.ts'
import type { RefinedProposal } from './proposals/refine-proposal.ts'

type Requested<Scope extends Refinement['scope']> = Extract<Refinement, { scope: Scope }>

export interface RefinedProducts {
  found: readonly FoundProduct[]
  applied: Refined[]
  /** The named products in their current state. */
  proposals: readonly ProposalRecord[]
}

export interface RefineOptions {
  /** Whether the caller may see a product and its filters accept it. */
  mayHave: (product: CatalogueProduct) => boolean
  /** Default: no proposals are made. */
  refineProposal?: (
    part: Requested<'proposal'>,
    products: ReadonlyMap<string, CatalogueProduct>,
  ) => Promise<RefinedProposal>
}

export async function refineProducts(
  search: ProductSearch,
  parts: readonly Refinement[],
  { mayHave, refineProposal }: RefineOptions,
): Promise<RefinedProducts> {
  const all = await filterPaced(await search.find(undefined), ({ product }) => mayHave(product))
  const byId = new Map(all.map((one) => [one.product.product_id, one]))
  const state: State = {
    byId,
    named: new Map(),
    omitted: new Set(),
    kept: () => true,
    ranked: [],
    products: new Map(all.map(({ product }) => [product.product_id, product])),
    proposals: new Map(),
    refineProposal,
  }
  const applied: Refined[] = []
  for (const part of parts) applied.push(await apply(search, state, part))
  const { named, ranked, omitted, kept } = state
  const base = [...named.values(), ...ranked]
  const wanted = base.length > 0 ? base : all
  const found = new Map(wanted.map((one) => [one.product.product_id, one]))
  return {
    found: [...found.values()].filter(
      ({ product }) => !omitted.has(product.product_id) && kept(product),
    ),
    applied,
    proposals: [...state.proposals.values()],
  }
}

interface State {
  byId: ReadonlyMap<string, FoundProduct>
  /** The named products, which come first. */
  named: Map<string, FoundProduct>
  omitted: Set<string>
  kept: (product: CatalogueProduct) => boolean
  /** Found by the text of the request. */
  ranked: FoundProduct[]
  /** Each as it is after the last part that names it. */
  proposals: Map<string, ProposalRecord>
  products: ReadonlyMap<string, CatalogueProduct>
  refineProposal: RefineOptions['refineProposal']
}

async function apply(search: ProductSearch, state: State, part: Refinement): Promise<Refined> {
  if (part.scope === 'request') return applyRequest(search, state, part)
  if (part.scope === 'product') return applyProduct(search, state, part)
  if (state.refineProposal) return applyProposal(state, part, state.refineProposal)
  const { scope, proposal_id } = part
  const notes = 'no proposals are made here: buy the products themselves'
  return { scope, proposal_id, status: 'unable', notes }
}

/** The products of the proposal represent it among the others. */
async function applyProposal(
  state: State,
  part: Requested<'proposal'>,
  refineProposal: NonNullable<State['refineProposal']>,
): Promise<Refined> {
  const { refined, proposal } = await refineProposal(part, state.products)
  if (!proposal) return refined
  state.proposals.set(proposal.proposal_id, proposal)
  for (const { product_id } of proposal.plan.allocations) {
    const known = state.byId.get(product_id)
    if (known) state.named.set(product_id, known)
  }
  return refined
}

async function applyRequest(
  search: ProductSearch,
  state: State,
  { scope, ask }: Requested<'request'>,
): Promise<Refined> {
  const rules = RULES.filter(({ says }) => says.test(ask))
  for (const { keeps } of rules) {
    const before = state.kept
    state.kept = (product) => before(product) && keeps(product)
  }
  const found = await allowed(search, state, ask)
  state.ranked.push(...found)
  const words = [...new Set(found.flatMap(({ matched }) => matched))]
  if (rules.length === 0 && words.length === 0) {
    return { scope, status: 'unable', notes: 'no product has any of these words' }
  }
  const notes = [
    ...rules.map(({ done }) => done),
    ...(words.length > 0 ? [`products with these words come first: ${words.join(', ')}`] : []),
    'the rest of the request was not understood',
  ]
  return { scope, status: 'partial', notes: notes.join('; ') }
}

async function applyProduct(
  search: ProductSearch,
  state: State,
  { scope, product_id, action = 'include', ask }: Requested<'product'>,
): Promise<Refined> {
  const known = state.byId.get(product_id)
  const about = { scope, product_id } as const
  if (!known) {
    return { ...about, status: 'unable', notes: 'no product with this id is available to you' }
  }
  if (action === 'omit') {
    state.omitted.add(product_id)
    return { ...about, status: 'applied' }
  }
  state.named.set(product_id, known)
  if (action === 'more_like_this') {
    const { name, description, keywords = [] } = known.product
    const words = [name, description, ...keywords, ask ?? ''].join(' ')
    state.ranked.push(...(await allowed(search, state, words)))
    return { ...about, status: 'applied', notes: 'products that share its words follow it' }
  }
  if (ask === undefined) return { ...about, status: 'applied' }
  const notes = 'the product is offered as it is: give budget, dates and targeting to its package'
  return { ...about, status: 'partial', notes }
}

async function allowed(search: ProductSearch, { byId }: State, words: string) {
  return filterPaced(await search.find(words), ({ product }) => byId.has(product.product_id))
}

/** Requested properties that a product either has or does not have. */
const RULES: readonly {
  says: RegExp
  keeps: (product: CatalogueProduct) => boolean
  done: string
}[] = [
  {
    says: /\bnon[- ]guaranteed\b/i,
    keeps: ({ delivery_type }) => delivery_type === 'non_guaranteed',
    done: 'only non-guaranteed products are kept',
  },
  {
    says: /(?<!non[- ])\bguaranteed\b/i,
    keeps: ({ delivery_type }) => delivery_type === 'guaranteed',
    done: 'only guaranteed products are kept',
  },
  {
    says: /\bfixed[- ]price\b/i,
    keeps: ({ pricing_options }) =>
      pricing_options.some(({ fixed_price }) => fixed_price !== undefined),
    done: 'only products with a fixed price are kept',
  },
]

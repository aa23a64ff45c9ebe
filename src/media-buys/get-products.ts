// `get_products`: the products available to buy, found by words and filters, in pages (spec 4.5). Each principal sees
// the products it may buy.

import { canonicalDigest } from '../lib/canonical-json.ts'
import { filterPaced } from '../lib/chunks.ts'
import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { cursorOf, pageAfter } from '../protocol/cursor.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import {
  type GetProductsRequest,
  type GetProductsResponse,
  getProductsRequest,
  getProductsResponse,
  type Refined,
} from '../protocol/schemas/get-products.ts'
import type { CatalogueProduct, Product } from '../protocol/schemas/product.ts'
import { type CallContext, defineTask, type Task, type TaskCost } from '../protocol/task.ts'
import { buyerOf } from './buyer-of.ts'
import { createFaults } from './faults.ts'
import { namesFormats, noteUnknownFormats } from './note-formats.ts'
import { type FindOption, productFilter } from './product-filters.ts'
import type { CountedProductSearch, FoundProduct } from './product-search.ts'
import { isPast, mayBuy } from './product-store.ts'
import { type OfferPorts, offerProposals, serializeProposal } from './proposals/offer-proposals.ts'
import type { ProposalRecord } from './proposals/proposal-store.ts'
import { refineProposal } from './proposals/refine-proposal.ts'
import { refineProducts } from './refine-products.ts'
import { refuseOverlay } from './targeting.ts'

export interface GetProductsPorts extends OfferPorts {
  search: CountedProductSearch
  clock: Clock
  /** The URL of this server, which is the default agent_url of formats. */
  publicUrl: () => string
  /** The formats of products by their canonical kinds. Default none. */
  formatOption?: FindOption
}

const DEFAULT_PAGE = 50

export function getProducts(
  ports: GetProductsPorts,
): Task<GetProductsRequest, GetProductsResponse> {
  return defineTask({
    name: 'get_products',
    summary: 'Products that can be bought, found by words and filters, with their prices',
    area: 'media-buy',
    access: 'tasks',
    changes: false,
    newerMembers: ['buying_mode'],
    request: getProductsRequest,
    response: getProductsResponse,
    cost: costOf(ports),
    handle: (request, call) => answer(ports, request, call),
  })
}

/** Units for each product that one search or one filter reads, and for each that is returned. */
const COST = { call: 50, read: 0.2, returned: 1 } as const

function costOf({ search }: GetProductsPorts): TaskCost<GetProductsRequest> {
  return {
    grows: 'products of the catalogue × entries of refine',
    limit: 50_000,
    estimate: async ({ refine = [], filters, pagination }) => {
      const looks = 1 + refine.length + (namesFormats(filters) ? 1 : 0)
      const reads = looks * (await search.count())
      const returned = pagination?.max_results ?? DEFAULT_PAGE
      return COST.call + COST.read * reads + COST.returned * returned
    },
    reduce: { field: '/refine', advice: 'Send fewer entries in refine.' },
  }
}

async function answer(
  ports: GetProductsPorts,
  request: GetProductsRequest,
  call: CallContext,
): Promise<GetProductsResponse> {
  const { clock, formatOption } = ports
  const owner = buyerOf(call)
  const { targeting_overlay: overlay } = request
  const faults = createFaults()
  refuseOverlay(overlay, '/targeting_overlay', faults)
  faults.refuse()
  const isWanted = productFilter(request.filters, { optionOf: formatOption, overlay })
  const now = clock.now()
  const mayHave = (product: CatalogueProduct) =>
    mayBuy(product, owner) && !isPast(product, now) && isWanted(product)
  const hasProposals = hasFeature(call.version, 'proposals')
  const {
    found: wanted,
    applied,
    proposals,
  } = await foundBy(ports, request, { owner, mayHave, hasProposals })
  await noteUnknownFormats(ports, request.filters, { call, mayBuy: (one) => mayBuy(one, owner) })
  const { filters, brief, promoted_offering, refine, pagination } = request
  const sought = { filters, brief, promoted_offering, ...defined({ refine, overlay }) }
  const list = () => `products ${canonicalDigest(sought)}`
  const cursor = pagination?.cursor
  const place = cursor === undefined ? undefined : pageAfter(list(), cursor, ['integer'])
  const first = place?.[0] ?? 0
  const next = first + (pagination?.max_results ?? DEFAULT_PAGE)
  const hasMore = next < wanted.length
  return {
    products: wanted.slice(first, next).map((one) => serializeProduct(one, ports, call)),
    ...defined({ proposals: first === 0 ? proposals?.map(serializeProposal) : undefined }),
    ...defined({ refinement_applied: applied }),
    // What a caller may buy is its own.
    cache_scope: 'account',
    pagination: {
      has_more: hasMore,
      ...defined({ cursor: hasMore ? cursorOf(list(), [next]) : undefined }),
      total_count: wanted.length,
    },
  }
}

interface Found {
  found: readonly FoundProduct[]
  /** The result of each part of `refine`. */
  applied?: Refined[]
  /** Undefined: none are spoken of. */
  proposals?: readonly ProposalRecord[]
}

interface FindOptions {
  owner: string
  /** Whether a product is offered to the caller and passes its filters. */
  mayHave: (product: CatalogueProduct) => boolean
  hasProposals: boolean
}

async function foundBy(
  ports: GetProductsPorts,
  request: GetProductsRequest,
  { owner, mayHave, hasProposals }: FindOptions,
): Promise<Found> {
  const { search } = ports
  const { buying_mode, refine } = request
  if ((buying_mode === 'refine') !== (refine !== undefined)) {
    const message = 'buying_mode refine and the list refine belong together: give both or neither'
    throw new ProtocolError('INVALID_REQUEST', message, { field: '/refine' })
  }
  if (refine) {
    refuseMixed(refine)
    const { proposals, ...refined } = await refineProducts(search, refine, {
      mayHave,
      refineProposal: (part, products) => refineProposal(ports, part, { owner, products }),
    })
    const speaksOfThem = refine.some(({ scope }) => scope === 'proposal')
    if (speaksOfThem) return { ...refined, proposals }
    const offered = await offerProposals(ports, refined.found, { owner, requested: refine })
    return { ...refined, proposals: offered }
  }
  const words = wordsOf(request)
  const found = await filterPaced(await search.find(words), ({ product }) => mayHave(product))
  if (!hasProposals || words === undefined || isFurtherPage(request)) return { found }
  return { found, proposals: await offerProposals(ports, found, { owner, requested: words }) }
}

/** spec 4.5, of 3.x: a request that finalises a proposal must not do anything else. */
function refuseMixed(refine: NonNullable<GetProductsRequest['refine']>): void {
  const isFinal = (part: (typeof refine)[number]) =>
    part.scope === 'proposal' && part.action === 'finalize'
  if (!refine.some(isFinal)) return
  const other = refine.findIndex((part) => !isFinal(part))
  if (other < 0) return
  const message = 'a request with action finalize contains only such entries: send this one apart'
  throw new ProtocolError('INVALID_REQUEST', message, { field: `/refine/${other}` })
}

function isFurtherPage({ pagination }: GetProductsRequest): boolean {
  return pagination?.cursor !== undefined
}

/** Undefined: all are listed. */
function wordsOf(request: GetProductsRequest): string | undefined {
  const { buying_mode, brief, promoted_offering } = request
  if (buying_mode === 'wholesale') return undefined
  const words = [brief, promoted_offering].filter((text) => text !== undefined)
  return words.length > 0 ? words.join(' ') : undefined
}

function serializeProduct(
  { product, matched }: FoundProduct,
  { publicUrl, formatOption }: Pick<GetProductsPorts, 'publicUrl' | 'formatOption'>,
  { version }: Pick<CallContext, 'version'>,
): Product {
  const { visible_to, format_ids, pricing_options, ...reported } = product
  const options =
    formatOption && hasFeature(version, 'format_options')
      ? format_ids.flatMap((id) => formatOption(id) ?? [])
      : undefined
  return {
    ...reported,
    ...defined({ format_options: options }),
    format_ids: format_ids.map(({ agent_url = publicUrl(), ...one }) => ({ agent_url, ...one })),
    pricing_options: pricing_options.map((option) => ({
      ...option,
      is_fixed: option.fixed_price !== undefined,
      ...defined({ rate: option.fixed_price }),
    })),
    ...defined({
      brief_relevance:
        matched.length > 0 ? `it shares these words: ${matched.join(', ')}` : undefined,
    }),
  }
}

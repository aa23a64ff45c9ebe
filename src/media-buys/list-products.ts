// `list_products`, of 3.2: the products available to buy, by structured criteria, in pages. Each principal sees the
// products it may buy. It always answers immediately, and makes no proposals.

import { canonicalDigest } from '../lib/canonical-json.ts'
import { filterPaced } from '../lib/chunks.ts'
import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { cursorOf, NO_CURSOR, readCursor } from '../protocol/cursor.ts'
import { ProtocolError } from '../protocol/errors.ts'
import {
  type ListProductsRequest,
  type ListProductsResponse,
  listProductsRequest,
  listProductsResponse,
} from '../protocol/schemas/compact/list-products.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { buyerOf } from './buyer-of.ts'
import { canonicalProductOf } from './offers/canonical-product.ts'
import type { FeedVersion } from './offers/feed-version.ts'
import { criteriaFilter } from './offers/read-criteria.ts'
import type { FindOption } from './product-filters.ts'
import type { CountedProductSearch } from './product-search.ts'
import { isPast, mayBuy } from './product-store.ts'

export interface ListProductsPorts {
  search: CountedProductSearch
  clock: Clock
  feed: FeedVersion
  /** The formats of products by their canonical kinds. Default none. */
  formatOption?: FindOption
}

const DEFAULT_PAGE = 25

/** Units for each product that is read, and for each that is returned. */
const COST = { call: 50, read: 0.2, returned: 1 } as const

export function listProducts(
  ports: ListProductsPorts,
): Task<ListProductsRequest, ListProductsResponse> {
  return defineTask({
    name: 'list_products',
    summary: 'Products that can be bought, by structured criteria, with their prices',
    area: 'media-buy',
    access: 'tasks',
    changes: false,
    feature: 'compact_lifecycle',
    hasNoStatus: true,
    request: listProductsRequest,
    response: listProductsResponse,
    cost: {
      grows: 'products of the catalogue',
      limit: 50_000,
      estimate: async ({ max_results = DEFAULT_PAGE }) =>
        COST.call + COST.read * (await ports.search.count()) + COST.returned * max_results,
    },
    handle: (request, call) => answer(ports, request, call),
  })
}

async function answer(
  { search, clock, feed, formatOption }: ListProductsPorts,
  request: ListProductsRequest,
  call: CallContext,
): Promise<ListProductsResponse> {
  const { criteria, fields, max_results = DEFAULT_PAGE, cursor, if_feed_version } = request
  const owner = buyerOf(call)
  const inert = ['outcome_target']
  const isWanted = criteriaFilter(criteria, { optionOf: formatOption, inert })
  const feed_version = await feed()
  // What a caller may buy is its own.
  const about = { feed_version, cache_scope: 'account' } as const
  if (if_feed_version === feed_version && cursor === undefined) {
    return { outcome: 'unchanged', ...about }
  }
  const list = `offers ${canonicalDigest({ criteria })}`
  const first = placeOf(list, cursor)
  const now = clock.now()
  const wanted = await filterPaced(
    await search.find(undefined),
    ({ product }) => mayBuy(product, owner) && !isPast(product, now) && isWanted(product),
  )
  const next = first + max_results
  return {
    outcome: 'listed',
    products: wanted
      .slice(first, next)
      .map((one) => canonicalProductOf(one, { formatOption, fields })),
    ...defined({ next_cursor: next < wanted.length ? cursorOf(list, [next]) : undefined }),
    ...about,
  }
}

function placeOf(list: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const place = readCursor(list, cursor, ['integer'])
  if (place) return place[0]
  throw new ProtocolError('INVALID_REQUEST', `/cursor: ${NO_CURSOR}`, {
    issues: [{ pointer: '/cursor', message: NO_CURSOR, keyword: 'cursor' }],
  })
}

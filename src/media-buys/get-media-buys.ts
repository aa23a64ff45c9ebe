// `get_media_buys`: the caller's media buys, with their status and valid actions (spec 2.12, 4.5). Without ids it
// lists the active ones, unless a status_filter says otherwise. Another caller's buy is treated as nonexistent.

import { defined } from '../lib/defined.ts'
import { oncePer } from '../lib/once-per.ts'
import type { Transact } from '../lib/transaction.ts'
import { cursorOf, pageAfter } from '../protocol/cursor.ts'
import { noteMissing } from '../protocol/note-missing.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import {
  type GetMediaBuysRequest,
  type GetMediaBuysResponse,
  getMediaBuysRequest,
  getMediaBuysResponse,
} from '../protocol/schemas/media-buys.ts'
import { type CallContext, defineTask, type Task, type TaskCost } from '../protocol/task.ts'
import { type AccountStore, accountKeyOf } from './account-store.ts'
import { buyerOf } from './buyer-of.ts'
import { type FillPagePorts, fillPage, fittingOf, type PageRequest } from './fill-buy-page.ts'
import { BUY_LIMITS } from './limits.ts'
import { newestBuys } from './near-buys.ts'
import type { BuyPage, BuyQuery, MediaBuyStore } from './store.ts'

export interface GetMediaBuysPorts extends FillPagePorts {
  buys: MediaBuyStore
  accounts: AccountStore
  transact: Transact
}

const DEFAULT_PAGE = 50

export function getMediaBuys(
  ports: GetMediaBuysPorts,
): Task<GetMediaBuysRequest, GetMediaBuysResponse> {
  const pageOf = oncePer((request: Request, owner: string) => readPage(ports, request, owner))
  return defineTask({
    name: 'get_media_buys',
    summary: 'The media buys of the caller: state, packages, health, and what can be done',
    area: 'media-buy',
    access: 'tasks',
    changes: false,
    request: getMediaBuysRequest,
    response: getMediaBuysResponse,
    cost: costOf(ports, pageOf),
    handle: async (request, call) => {
      const owner = buyerOf(call)
      const page = await pageOf(request, owner)
      await noteUnknown(ports, request, { page, call })
      return answer(ports, page, { request, owner })
    },
  })
}

type Request = GetMediaBuysRequest & RequestEnvelope

/** A buy that a filter or an earlier page excluded is not unknown. */
async function noteUnknown(
  { buys: store }: GetMediaBuysPorts,
  request: Request,
  { page: { buys, hasMore }, call }: { page: BuyPage; call: CallContext },
): Promise<void> {
  const { media_buy_ids: ids, status_filter, pagination } = request
  if (
    ids === undefined ||
    hasMore ||
    status_filter !== undefined ||
    pagination?.cursor !== undefined
  )
    return
  const found = buys.map(({ media_buy_id }) => media_buy_id)
  const isMissing = ids.some((id) => !found.includes(id))
  const known = isMissing ? await newestBuys(store, buyerOf(call)) : []
  noteMissing(call, { field: '/media_buy_ids', ids, found, what: 'media buy', known })
}

/** A page ends early before it becomes too large, so it never costs more than this. */
const MOST_UNITS = 3 * BUY_LIMITS.pageUnits.value

function costOf(
  { buys }: GetMediaBuysPorts,
  pageOf: (request: Request, owner: string) => Promise<BuyPage>,
): TaskCost<GetMediaBuysRequest> {
  return {
    grows: 'buys × (packages + creatives + entries of history and webhook activity) of a page',
    limit: MOST_UNITS,
    estimate: async (request, call) => {
      const page = await pageOf(request, buyerOf(call))
      const { outlines, units } = fittingOf(page.buys, request)
      const ids = outlines.map(({ media_buy_id }) => media_buy_id)
      return units + (await buys.countAssignments(ids, BUY_LIMITS.pageUnits.value))
    },
  }
}

async function readPage(
  ports: GetMediaBuysPorts,
  request: Request,
  owner: string,
): Promise<BuyPage> {
  const account_id = await accountOf(ports, request, owner)
  return ports.buys.list(owner, { ...queryOf(request), account_id })
}

async function answer(
  ports: GetMediaBuysPorts,
  { buys, hasMore, total }: BuyPage,
  requested: PageRequest,
): Promise<GetMediaBuysResponse> {
  const { returned, last, isCut } = await fillPage(ports, buys, requested)
  const has_more = hasMore || isCut
  return {
    media_buys: returned,
    pagination: {
      has_more,
      ...(has_more && last
        ? { cursor: cursorOf('media_buys', [last.created_at, last.media_buy_id]) }
        : {}),
      ...defined({ total_count: total }),
    },
  }
}

/** Undefined: of all accounts. A nonexistent account has no buys. */
async function accountOf(
  { transact, accounts }: GetMediaBuysPorts,
  { account }: RequestEnvelope,
  owner: string,
): Promise<string | undefined> {
  if (account === undefined || typeof account === 'string') return account
  const { account_id, brand, operator, sandbox, currency, timezone } = account
  if (account_id !== undefined || !brand || operator === undefined) return account_id
  const key = accountKeyOf({ brand, operator, sandbox, currency, timezone })
  const [found] = await transact((tx) => accounts.byKeys(tx, owner, [key]))
  return found?.account_id ?? ''
}

function queryOf(request: GetMediaBuysRequest): BuyQuery {
  const { media_buy_ids, status_filter, pagination } = request
  const wanted = typeof status_filter === 'string' ? [status_filter] : status_filter
  const unfiltered = media_buy_ids ? undefined : (['active'] as const)
  const place = pageAfter('media_buys', pagination?.cursor, ['integer', 'text'])
  return {
    media_buy_ids,
    statuses: wanted ?? unfiltered,
    limit: pagination?.max_results ?? DEFAULT_PAGE,
    after: place && { created_at: place[0], media_buy_id: place[1] },
  }
}

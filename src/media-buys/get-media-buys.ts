// `get_media_buys`: the caller's media buys, with how they stand and what can be done (spec 2.12, 4.5). Without ids
// it lists those that are active, unless a status_filter says otherwise. Another's buy is like none.

import type { Transact } from '../lib/transaction.ts'
import { cursorOf, pageAfter } from '../protocol/cursor.ts'
import type { Account } from '../protocol/schemas/accounts.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import type { MediaBuy } from '../protocol/schemas/media-buy.ts'
import {
  type GetMediaBuysRequest,
  type GetMediaBuysResponse,
  getMediaBuysRequest,
  getMediaBuysResponse,
} from '../protocol/schemas/media-buys.ts'
import { defineTask, type Task } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import { type AccountStore, accountKeyOf } from './account-store.ts'
import { buyerOf } from './buyer-of.ts'
import { shownAccount } from './list-accounts.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { isoOf, shownBuy } from './shown-buy.ts'
import type { BuyQuery, HistoryEntry, MediaBuyStore, PackageCreatives } from './store.ts'

/** What else is told of buys, by id: health and impairments, webhook_activity, a snapshot. */
export interface BuyView {
  membersOf(
    buys: readonly MediaBuyRecord[],
    request: GetMediaBuysRequest,
    owner: string,
  ): Promise<ReadonlyMap<string, Partial<MediaBuy>>>
}

export interface GetMediaBuysPorts {
  buys: MediaBuyStore
  creatives: PackageCreatives
  accounts: AccountStore
  transact: Transact
  views: readonly BuyView[]
}

const DEFAULT_PAGE = 50

export function getMediaBuys(
  ports: GetMediaBuysPorts,
): Task<GetMediaBuysRequest, GetMediaBuysResponse> {
  return defineTask({
    name: 'get_media_buys',
    summary: 'The media buys of the caller: state, packages, health, and what can be done',
    area: 'media-buy',
    access: 'tasks',
    changes: false,
    request: getMediaBuysRequest,
    response: getMediaBuysResponse,
    cost: constantCost(500, 'packages'),
    handle: async (request, call) => answer(ports, request, buyerOf(call)),
  })
}

async function answer(
  ports: GetMediaBuysPorts,
  request: GetMediaBuysRequest & RequestEnvelope,
  owner: string,
): Promise<GetMediaBuysResponse> {
  const account_id = await accountOf(ports, request, owner)
  const query = { ...queryOf(request), account_id }
  const { buys: found, hasMore, total } = await ports.buys.list(owner, query)
  const ids = found.map(({ media_buy_id }) => media_buy_id)
  const packages = found.flatMap((buy) => buy.packages.map(({ package_id }) => package_id))
  const creatives = await ports.creatives.list(owner, packages)
  const history = await ports.buys.history(ids, request.include_history ?? 0)
  const more = await Promise.all(ports.views.map((view) => view.membersOf(found, request, owner)))
  const accounts = await accountsOf(ports, found, owner)
  const last = found.at(-1)
  return {
    media_buys: await Promise.all(
      found.map(async (buy) => ({
        ...(await shownBuy(buy, creatives, accounts.get(buy.account_id ?? ''))),
        ...(request.include_history
          ? { history: shownHistory(history.get(buy.media_buy_id)) }
          : {}),
        ...Object.assign({}, ...more.map((members) => members.get(buy.media_buy_id))),
      })),
    ),
    pagination: {
      has_more: hasMore,
      ...(hasMore && last
        ? { cursor: cursorOf('media_buys', [last.created_at, last.media_buy_id]) }
        : {}),
      total_count: total,
    },
  }
}

async function accountsOf(
  { accounts }: GetMediaBuysPorts,
  buys: readonly MediaBuyRecord[],
  owner: string,
): Promise<ReadonlyMap<string, Account>> {
  const ids = [...new Set(buys.flatMap(({ account_id }) => account_id ?? []))]
  const found = ids.length > 0 ? await accounts.byIds(owner, ids) : []
  return new Map(found.map((record) => [record.account_id, shownAccount(record)]))
}

/** Undefined: of all accounts. One that is not there has no buys. */
async function accountOf(
  { transact, accounts }: GetMediaBuysPorts,
  { account }: RequestEnvelope,
  owner: string,
): Promise<string | undefined> {
  if (account === undefined || typeof account === 'string') return account
  const { account_id, brand, operator, sandbox } = account
  if (account_id !== undefined || !brand || operator === undefined) return account_id
  const key = accountKeyOf(brand, operator, sandbox)
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

function shownHistory(entries: readonly HistoryEntry[] = []): Record<string, unknown>[] {
  return entries.map(({ at, ...entry }) => ({ ...entry, timestamp: isoOf(at) }))
}

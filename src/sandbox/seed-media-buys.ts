// `seed_media_buy`: creates a buy of the caller's in the given state. From then on it behaves like any other.

import { isLongerAsJson } from '../lib/json-size.ts'
import type { Transaction } from '../lib/transaction.ts'
import { type AccountStore, type NewAccount, resolveAccount } from '../media-buys/account-store.ts'
import type { BuyObserver } from '../media-buys/change-buy.ts'
import { newAccount } from '../media-buys/draft-buy.ts'
import { BUY_LIMITS } from '../media-buys/limits.ts'
import { type MediaBuyRecord, type PackageRecord, sumOf } from '../media-buys/media-buy.ts'
import { nextMoveAt } from '../media-buys/states.ts'
import type { MediaBuyStore } from '../media-buys/store.ts'
import {
  type AccountRef,
  accountRef,
  currency,
  MAX_QUANTITY,
  quantity,
} from '../protocol/schemas/common.ts'
import { mediaBuyStatus } from '../protocol/schemas/media-buy.ts'
import { type Fixture, invalidFixture, type SeedKind, textIn } from './seeds.ts'

export interface SeedBuyPorts {
  buys: MediaBuyStore
  accounts: AccountStore
  observers: readonly BuyObserver[]
}

const DAY_MS = 24 * 60 * 60 * 1_000

export function mediaBuySeed({ buys, observers, accounts }: SeedBuyPorts): SeedKind {
  return {
    name: 'seed_media_buy',
    ids: ['media_buy_id'],
    put: async (tx, { ids: { media_buy_id = '' }, fixture }, { owner, account }) => {
      if (await buys.lock(tx, { media_buy_id })) throw invalidFixture(['media_buy_id is taken'])
      if (isLongerAsJson(fixture, BUY_LIMITS.termsBytes.value)) throw invalidFixture(['too long'])
      const now = await tx.now()
      const ref = accountRef.safeParse(fixture.account ?? fixture.account_id ?? account).data
      const account_id = await accountOf(accounts, tx, { owner, ref, now })
      const buy = buyIn(fixture, { media_buy_id, owner, account_id, now })
      await buys.add(tx, buy)
      for (const observer of observers) await observer.created?.(tx, buy)
    },
  }
}

interface Now {
  now: number
}

/** An account named by an id does not have to exist: lists by that id still include the buy. */
async function accountOf(
  accounts: AccountStore,
  tx: Transaction,
  { owner, ref, now }: { owner: string; ref: AccountRef | undefined } & Now,
): Promise<string | undefined> {
  const id = typeof ref === 'string' ? ref : ref?.account_id
  if (id !== undefined || typeof ref !== 'object') return id
  if (!ref.brand || ref.operator === undefined) return undefined
  const most = Number.POSITIVE_INFINITY
  const make = (wanted: NewAccount) => newAccount(wanted, now)
  return (await resolveAccount(accounts, tx, { owner, ref, make, most }))?.account_id
}

function buyIn(
  fixture: Fixture,
  { now, ...whose }: Pick<MediaBuyRecord, 'media_buy_id' | 'owner' | 'account_id'> & Now,
): MediaBuyRecord {
  const status = mediaBuyStatus.safeParse(fixture.status ?? 'active')
  if (!status.success) throw invalidFixture(['status must be one of a media buy'])
  const money = currency.safeParse(fixture.currency ?? 'USD')
  if (!money.success) throw invalidFixture(['currency must be such as USD'])
  const [start_at, end_at] = [timeIn(fixture, 'start_time'), timeIn(fixture, 'end_time')]
  const interim = {
    status: status.data,
    is_held: status.data === 'paused',
    start_at: start_at ?? now - DAY_MS,
    end_at: end_at ?? now + 30 * DAY_MS,
  }
  const packages = packagesIn(fixture, whose.media_buy_id)
  return {
    ...interim,
    ...whose,
    revision: 1,
    currency: money.data,
    total_budget: sumOf(packages.map(({ budget }) => budget)),
    time_zone: 'UTC',
    confirmed_at: now,
    status_changed_at: now,
    created_at: now,
    updated_at: now,
    due_at: nextMoveAt(interim),
    reporting: undefined,
    terms: { buyer_ref: textIn(fixture, 'buyer_ref'), name: textIn(fixture, 'name') },
    context: undefined,
    ending: undefined,
    packages,
  }
}

function timeIn(fixture: Fixture, member: string): number | undefined {
  const at = Date.parse(textIn(fixture, member) ?? '')
  return Number.isNaN(at) ? undefined : at
}

function budgetIn(fixture: Fixture): number {
  if (typeof fixture.budget !== 'number') return 1_000
  const budget = quantity.safeParse(fixture.budget)
  if (!budget.success) throw invalidFixture([`budget must be a number from 0 to ${MAX_QUANTITY}`])
  return budget.data
}

function packagesIn(fixture: Fixture, media_buy_id: string): PackageRecord[] {
  const given = Array.isArray(fixture.packages) ? (fixture.packages as Fixture[]) : [{}]
  return given.map((one, index) => ({
    package_id: textIn(one, 'package_id') ?? `${media_buy_id}_package_${index + 1}`,
    product_id: textIn(one, 'product_id') ?? 'sandbox_product',
    pricing_option_id: textIn(one, 'pricing_option_id') ?? 'sandbox_default',
    pricing: { pricing_model: 'cpm', rate: 10 },
    budget: budgetIn(one),
    paused: one.paused === true,
    signals: [],
  }))
}

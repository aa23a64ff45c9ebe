// Media buys and their packages as rows, and back.

import { parseVerbatim, verbatimOf } from '../../../lib/verbatim-json.ts'
import type { MediaBuyRecord, PackageRecord } from '../../../media-buys/media-buy.ts'
import type { SqlValue } from '../../sql/database.ts'

export const BUY_COLUMNS = `media_buy_id, owner, account_id, status, is_held, revision, currency,
  total_budget, time_zone, start_at, end_at, confirmed_at, status_changed_at, created_at, updated_at,
  due_at, reporting, terms, context, ending`

export interface BuyRow {
  media_buy_id: string
  owner: string
  account_id: string | null
  status: MediaBuyRecord['status']
  is_held: number
  revision: number
  currency: string
  total_budget: number
  time_zone: string
  start_at: number
  end_at: number
  confirmed_at: number | null
  status_changed_at: number
  created_at: number
  updated_at: number
  due_at: number | null
  reporting: string | null
  terms: string
  context: string | null
  ending: string | null
}

export interface PackageRow {
  package_id: string
  media_buy_id: string
  product_id: string
  package: string
}

export function buyOf(row: BuyRow, packages: readonly PackageRecord[]): MediaBuyRecord {
  return {
    ...row,
    account_id: row.account_id ?? undefined,
    is_held: row.is_held === 1,
    confirmed_at: row.confirmed_at ?? undefined,
    due_at: row.due_at ?? undefined,
    reporting: parsed<MediaBuyRecord['reporting']>(row.reporting),
    terms: JSON.parse(row.terms) as MediaBuyRecord['terms'],
    context: row.context === null ? undefined : (parseVerbatim(row.context) as object),
    ending: parsed<MediaBuyRecord['ending']>(row.ending),
    packages,
  }
}

/** In the order of `BUY_COLUMNS`. */
export function buyValues(buy: MediaBuyRecord): SqlValue[] {
  return [
    buy.media_buy_id,
    buy.owner,
    buy.account_id ?? null,
    buy.status,
    buy.is_held ? 1 : 0,
    buy.revision,
    buy.currency,
    buy.total_budget,
    buy.time_zone,
    buy.start_at,
    buy.end_at,
    buy.confirmed_at ?? null,
    buy.status_changed_at,
    buy.created_at,
    buy.updated_at,
    buy.due_at ?? null,
    json(buy.reporting),
    JSON.stringify(buy.terms),
    buy.context === undefined ? null : (verbatimOf(buy.context) ?? JSON.stringify(buy.context)),
    json(buy.ending),
  ]
}

export function packageOf({ package_id, product_id, package: rest }: PackageRow): PackageRecord {
  const others = JSON.parse(rest) as Omit<PackageRecord, 'package_id' | 'product_id'>
  return { package_id, product_id, ...others }
}

export function packageText({ package_id, product_id, ...others }: PackageRecord): string {
  return JSON.stringify(others)
}

function json(value: unknown): SqlValue {
  return value === undefined ? null : JSON.stringify(value)
}

function parsed<T>(text: string | null): T | undefined {
  return text === null ? undefined : (JSON.parse(text) as T)
}

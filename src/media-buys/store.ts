// What media buys need from a database (spec 3.4, 4.5). Writes take the transaction they belong to; reads see what
// has been committed. A buy is visible only to its owner: other callers find nothing.

import type { Transaction } from '../lib/transaction.ts'
import type { MediaBuyStatus } from '../protocol/schemas/media-buy.ts'
import type { MediaBuyRecord, TargetedSignal } from './media-buy.ts'

/** Wakes those who see to what the clock brings: a buy was made, or its dates were changed. */
export const BUYS_DUE_TOPIC = 'media_buys.due'

/** How long a repeated request is known by its key. */
export const BUY_KEY_MS = 24 * 60 * 60 * 1_000

export interface BuyKey {
  media_buy_id: string
  owner: string
}

interface NewBuyKey {
  idempotency_key: string
  request_digest: string
}

/** One change, as it is kept. */
export interface HistoryEntry {
  revision: number
  at: number
  /** Who changed it. */
  actor: 'buyer' | 'seller' | 'clock'
  /** What was done, in the words of valid_actions. */
  action: string
  /** The status after it, where that changed. */
  status?: MediaBuyStatus | undefined
  /** Packages that changed. */
  package_ids?: readonly string[] | undefined
}

export interface BuyQuery {
  media_buy_ids?: readonly string[] | undefined
  statuses?: readonly MediaBuyStatus[] | undefined
  account_id?: string | undefined
  limit: number
  /** The last buy of the page before. */
  after?: { created_at: number; media_buy_id: string } | undefined
}

/** A buy without its packages, which may be a hundred. */
export type BuyOutline = Omit<MediaBuyRecord, 'packages'> & { package_count: number }

export interface BuyPage {
  buys: BuyOutline[]
  hasMore: boolean
  /** Undefined: more than are counted. */
  total: number | undefined
}

/** More buys than this are not counted for a page. */
export const MOST_COUNTED = 10_000

export interface WholeBuy {
  buy: MediaBuyRecord
  /** Characters of its packages, as they are stored. */
  chars: number
}

export interface DueBuys {
  media_buy_ids: string[]
  /** When the next one is due, if any is. */
  nextDueAt: number | undefined
}

export interface MediaBuyStore {
  /** Adds it with its packages, due when the clock moves it next. Throws QUOTA_EXCEEDED. */
  add(tx: Transaction, buy: MediaBuyRecord, key?: NewBuyKey): Promise<void>
  /** The newest buy of the owner that was made under the key less than `BUY_KEY_MS` ago. */
  findByKey(
    tx: Transaction,
    key: { owner: string; idempotency_key: string },
  ): Promise<(MediaBuyRecord & { request_digest: string }) | undefined>
  /**
   * Held, before any of them, by who changes buys together with creatives or signals of their owner: two who do
   * wait for each other instead of blocking each other, and neither misses what the other has just changed.
   */
  holdOwner(tx: Transaction, owner: string): Promise<void>
  /** As it is now, and unchanged by others until the transaction has ended. */
  lock(
    tx: Transaction,
    key: { media_buy_id: string; owner?: string },
  ): Promise<MediaBuyRecord | undefined>
  /** The owner's buys that have one of these packages, in the order in which several are locked. */
  ofPackages(
    tx: Transaction,
    owner: string,
    packageIds: readonly string[],
    filter?: { status?: MediaBuyStatus },
  ): Promise<string[]>
  /** Writes one that was locked, with its packages, and with what was done to it. */
  save(
    tx: Transaction,
    buy: MediaBuyRecord,
    entry: HistoryEntry,
    idempotencyKey?: string,
  ): Promise<void>
  /** Whether a change of the buy was made under this key less than `BUY_KEY_MS` ago. */
  isDone(tx: Transaction, mediaBuyId: string, idempotencyKey: string): Promise<boolean>
  /** The newest first. */
  list(owner: string, query: BuyQuery): Promise<BuyPage>
  /** These with their packages, as committed. */
  whole(outlines: readonly BuyOutline[]): Promise<WholeBuy[]>
  /** The products of the packages of these buys, each once. */
  productsOf(mediaBuyIds: readonly string[]): Promise<string[]>
  /** Assignments of creatives to the packages of these buys, counted up to `most`. */
  countAssignments(mediaBuyIds: readonly string[], most: number): Promise<number>
  /** The last changes of each, the newest first. */
  history(mediaBuyIds: readonly string[], limit: number): Promise<Map<string, HistoryEntry[]>>
  /** Takes what the clock has to move, each for `leaseMs`. No two callers get the same. */
  claimDue(tx: Transaction, options: { limit: number; leaseMs: number }): Promise<DueBuys>
  /** Ends a claim without a change: the buy is due at this time. */
  endClaim(tx: Transaction, mediaBuyId: string, dueAt: number | undefined): Promise<void>
  /** Buys that have not ended with packages that target this signal of the owner's; the packages by buy. */
  targeting(
    tx: Transaction,
    owner: string,
    signalId: string,
  ): Promise<{ media_buy_id: string; package_id: string; key_text: string }[]>
}

/** The caller's own live signals, by what targeting names them by. */
export interface OwnSignals {
  /** By the text of the key, in the order of the ids where several have it; what is missing is not live. */
  byKeyText(
    tx: Transaction,
    owner: string,
    keyTexts: readonly string[],
  ): Promise<Map<string, TargetedSignal>>
}

export interface PackageCreative {
  creative_id: string
  package_id: string
  weight?: number | undefined
  placement_ids?: readonly string[] | undefined
  /** How the creative itself stands. */
  status: string
}

export interface NewAssignment {
  creative_id: string
  weight?: number | undefined
  placement_ids?: readonly string[] | undefined
}

/** The creatives of the library, as packages use them. */
export interface PackageCreatives {
  /** Of these of the owner's those there are and are not archived: their format_id. */
  find(tx: Transaction, owner: string, creativeIds: readonly string[]): Promise<Map<string, string>>
  /** Makes these the creatives of packages, by their ids, instead of those they had. */
  replace(
    tx: Transaction,
    owner: string,
    assignments: ReadonlyMap<string, readonly NewAssignment[]>,
  ): Promise<void>
  /** Of these packages those with a creative that can run. */
  supplied(tx: Transaction, owner: string, packageIds: readonly string[]): Promise<Set<string>>
  /** The packages that have one of these, as committed. */
  packagesWith(owner: string, creativeIds: readonly string[]): Promise<string[]>
  /** By package. */
  ofPackages(
    tx: Transaction,
    owner: string,
    packageIds: readonly string[],
  ): Promise<Map<string, PackageCreative[]>>
  /** The same as committed. */
  list(owner: string, packageIds: readonly string[]): Promise<Map<string, PackageCreative[]>>
}

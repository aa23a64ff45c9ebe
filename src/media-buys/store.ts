// What media buys need from a database (spec 3.4, 4.5). Writes take the transaction they belong to; reads return
// committed data. A buy is visible only to its owner: other callers find nothing.

import type { Transaction } from '../lib/transaction.ts'
import type { MediaBuyStatus } from '../protocol/schemas/media-buy.ts'
import type { MediaBuyRecord, TargetedSignal } from './media-buy.ts'

/** Wakes the workers that apply transitions by the clock: a buy was created, or its dates were changed. */
export const BUYS_DUE_TOPIC = 'media_buys.due'

/** How long a repeated request is recognized by its key. */
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
  /** The action, in the terms of valid_actions. */
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

/** Maximum number of buys that are counted for a page. */
export const MOST_COUNTED = 10_000

export interface WholeBuy {
  buy: MediaBuyRecord
  /** Size of its stored packages in characters. */
  chars: number
}

export interface DueBuys {
  media_buy_ids: string[]
  /** When the next one is due, if any. */
  nextDueAt: number | undefined
}

export interface MediaBuyStore {
  /** Adds it with its packages, due at its next transition by the clock. Throws QUOTA_EXCEEDED. */
  add(tx: Transaction, buy: MediaBuyRecord, key?: NewBuyKey): Promise<void>
  /** The newest buy of the owner that was made under the key less than `BUY_KEY_MS` ago. */
  findByKey(
    tx: Transaction,
    key: { owner: string; idempotency_key: string },
  ): Promise<(MediaBuyRecord & { request_digest: string }) | undefined>
  /**
   * A lock taken, before any buy, by code that changes buys together with creatives or signals of their owner: two
   * such callers wait for each other instead of deadlocking, and each sees what the other has just changed.
   */
  holdOwner(tx: Transaction, owner: string): Promise<void>
  /** The current version, locked against changes by others until the transaction has ended. */
  lock(
    tx: Transaction,
    key: { media_buy_id: string; owner?: string },
  ): Promise<MediaBuyRecord | undefined>
  /** The owner's buys that have one of these packages, in the order in which several are locked. */
  ofPackages(
    tx: Transaction,
    owner: string,
    filter: { packageIds: readonly string[]; status?: MediaBuyStatus },
  ): Promise<string[]>
  /** Writes a locked buy with its packages, and the history entry of the change. */
  save(
    tx: Transaction,
    buy: MediaBuyRecord,
    change: { entry: HistoryEntry; idempotencyKey?: string | undefined },
  ): Promise<void>
  /** Whether a change of the buy was made under this key less than `BUY_KEY_MS` ago. */
  isDone(tx: Transaction, mediaBuyId: string, idempotencyKey: string): Promise<boolean>
  /** The newest first. */
  list(owner: string, query: BuyQuery): Promise<BuyPage>
  /** These buys with their packages, as committed. */
  whole(outlines: readonly BuyOutline[]): Promise<WholeBuy[]>
  /** The distinct products of the packages of these buys. */
  productsOf(mediaBuyIds: readonly string[]): Promise<string[]>
  /** Number of creatives assigned to the packages of these buys, counted up to `most`. */
  countAssignments(mediaBuyIds: readonly string[], most: number): Promise<number>
  /** The last changes of each buy, the newest first. */
  history(mediaBuyIds: readonly string[], limit: number): Promise<Map<string, HistoryEntry[]>>
  /** Claims buys with a transition due by the clock, each for `leaseMs`. No two callers get the same one. */
  claimDue(tx: Transaction, options: { limit: number; leaseMs: number }): Promise<DueBuys>
  /** Ends a claim without a change: the buy is due at this time. */
  endClaim(tx: Transaction, mediaBuyId: string, dueAt: number | undefined): Promise<void>
  /** Buys that have not ended and have packages that target this signal of the owner; the packages by buy. */
  targeting(
    tx: Transaction,
    owner: string,
    signalId: string,
  ): Promise<{ media_buy_id: string; package_id: string; key_text: string }[]>
}

/** The caller's own live signals, by the key that targeting uses. */
export interface OwnSignals {
  /** By the text of the key, ordered by id if several have it; missing ones are not live. */
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
  /** The format_id of those of the owner's creatives that exist and are not archived. */
  find(tx: Transaction, owner: string, creativeIds: readonly string[]): Promise<Map<string, string>>
  /** Replaces the creatives of packages with these, by their ids. */
  replace(
    tx: Transaction,
    owner: string,
    assignments: ReadonlyMap<string, readonly NewAssignment[]>,
  ): Promise<void>
  /** The packages of these that have a creative that can run. */
  supplied(tx: Transaction, owner: string, packageIds: readonly string[]): Promise<Set<string>>
  /** The packages that use one of these creatives, as committed. */
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

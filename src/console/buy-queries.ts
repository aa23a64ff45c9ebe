// Queries for the views of media buys, in addition to the ports of the area: buys of all principals, and what belongs
// to one. Read-only, each bounded.

import type { Approval } from '../media-buys/approvals.ts'
import type { FiredFire } from '../media-buys/impairments/store.ts'
import type { MediaBuyRecord } from '../media-buys/media-buy.ts'

/**
 * Where a page of buys ended: for a list by creation a time and an id; for one by problem the time it was detected.
 */
export interface BuyPlace {
  at: number
  id: string
}

export interface BuyListFilter {
  status?: MediaBuyRecord['status'] | undefined
  owner?: string | undefined
  /** The domain of the brand. */
  brand?: string | undefined
  /** A part of the buyer's own text about the buy, or the id of the buy or of one of its packages. */
  word?: string | undefined
  trouble?: 'impaired' | 'late' | 'given_up' | undefined
  since?: number | undefined
  until?: number | undefined
  after?: BuyPlace | undefined
  limit: number
}

export interface ListedBuy
  extends Pick<
    MediaBuyRecord,
    | 'media_buy_id'
    | 'owner'
    | 'status'
    | 'currency'
    | 'total_budget'
    | 'start_at'
    | 'end_at'
    | 'created_at'
    | 'terms'
  > {
  packages: number
  /** As reported so far; undefined if there are no reports. */
  reported_spend: number | undefined
  open_impairments: number
  late_reports: number
  given_up_reports: number
}

export interface BuyQueries {
  /** `next`: where to continue; a page may be shorter than its limit. */
  buys(filter: BuyListFilter): Promise<{ rows: ListedBuy[]; next: BuyPlace | undefined }>
  buy(mediaBuyId: string): Promise<{ record: MediaBuyRecord; listed: ListedBuy } | undefined>
  /** Approvals that operators were asked for, newest first. */
  approvalsOf(mediaBuyId: string, limit: number): Promise<Approval[]>
  /** What was reported about its impairments, newest first. */
  fires(mediaBuyId: string, limit: number): Promise<FiredFire[]>
  /** When pending changes of its impairments are reported. */
  pendingFireAt(mediaBuyId: string): Promise<number | undefined>
  /** The newest delivery of each of these reports, by sequence number. */
  reportDeliveries(
    subject: string,
    sequenceNumbers: readonly number[],
  ): Promise<Map<number, { delivery_id: number; state: string }>>
}

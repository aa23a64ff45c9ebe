// What the views of media buys ask of the database beside the ports of the area: buys of all principals, and what
// belongs to one. Reads alone, each bounded.

import type { Approval } from '../media-buys/approvals.ts'
import type { FiredFire } from '../media-buys/impairments/store.ts'
import type { MediaBuyRecord } from '../media-buys/media-buy.ts'

/** Where a page of buys ended: of the list by creation a time and an id, of one by trouble when that was seen. */
export interface BuyPlace {
  at: number
  id: string
}

export interface BuyListFilter {
  status?: MediaBuyRecord['status'] | undefined
  owner?: string | undefined
  /** The domain of the brand. */
  brand?: string | undefined
  /** A part of what the buyer said of the buy, or the id of it or of one of its packages. */
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
  /** As reported so far; undefined where there are no reports. */
  reported_spend: number | undefined
  open_impairments: number
  late_reports: number
  given_up_reports: number
}

export interface BuyQueries {
  /** `next`: where to go on; a page may be short of its limit. */
  buys(filter: BuyListFilter): Promise<{ rows: ListedBuy[]; next: BuyPlace | undefined }>
  buy(mediaBuyId: string): Promise<{ record: MediaBuyRecord; listed: ListedBuy } | undefined>
  /** The approvals requested from an operator for it, newest first. */
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

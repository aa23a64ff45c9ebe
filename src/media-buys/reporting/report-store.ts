// What delivery reports need from a database (spec 2.11, 6.2). Every buy with a reporting_webhook has a stream:
// how far its windows have been opened, and the number of its last report. Every window that has ended is a row
// with the state of its report, so that one query finds what was not delivered.
//
//   owed ──figures──▶ sent ──acknowledged──▶ delivered
//    │                 ▲  └─not accepted in time──▶ given_up
//    └─none in time──▶ late ──figures──▶ sent      late ──never came──▶ given_up
//
// A window whose figures change later is `sent` again. The `final` report has a separate row.

import type { Transaction } from '../../lib/transaction.ts'
import type { REPORT_STATES } from '../../protocol/report-states.ts'
import type { MediaBuyRecord } from '../media-buy.ts'
import type { Figures } from './figures.ts'

/** Wakes the report workers: a buy got a webhook, ended, or was changed in another way. */
export const REPORTS_DUE_TOPIC = 'media_buys.reports'

export type ReportState = (typeof REPORT_STATES)[number]

export type NotificationType = 'scheduled' | 'delayed' | 'adjusted' | 'final'

export interface ReportStream {
  media_buy_id: string
  owner: string
  /** End of the last window that was opened; undefined when none was. */
  opened_until: number | undefined
  /** Of the last report, or 0. */
  sequence_number: number
  /** The sums over all windows, as last reported. */
  totals: Figures
  /** Windows whose figures never came. */
  unavailable: number
  /** How long after the end of a window its figures are expected, in milliseconds. */
  delay_ms: number
  /** When `final` was sent: no reports follow. */
  final_at: number | undefined
  /** When work is due next; undefined: never. */
  due_at: number | undefined
  /** Increases with every claim and every change of the buy: work with an older number has no effect. */
  claim_no: number
}

export interface ReportWindow {
  media_buy_id: string
  owner: string
  /** The window of a report, or the whole of the flight. */
  kind: 'window' | 'final'
  start: number
  end: number
  state: ReportState
  /** Whether its figures are no longer requested. */
  is_settled: boolean
  /** Of the last report about it. */
  sequence_number: number | undefined
  /** The types of its reports, in order. */
  notification_types: readonly NotificationType[]
  /** As last reported; undefined until then. */
  figures: Figures | undefined
  digest: string | undefined
  /** When the figures of a late window are expected. */
  expected_at: number | undefined
  /** When the last report about it was committed. */
  sent_at: number | undefined
  /** When the last report was acknowledged, or the sender gave up. */
  ended_at: number | undefined
  /** Why it failed permanently. */
  reason: string | undefined
}

/** A stream with all the data that a visit needs. */
export interface StreamVisit {
  stream: ReportStream
  buy: MediaBuyRecord
  /** The unsettled windows, in order. */
  windows: readonly ReportWindow[]
}

export interface VisitSize {
  owner: string
  packages: number
  /** Windows that are not settled. */
  windows: number
}

export interface WindowRange {
  media_buy_id: string
  from: number
  until: number
  limit: number
}

interface ClaimedStreams {
  media_buy_ids: string[]
  /** When the next one is due, if any. */
  nextDueAt: number | undefined
}

export interface WindowFilter {
  media_buy_ids?: readonly string[] | undefined
  owner?: string | undefined
  states?: readonly ReportState[] | undefined
  limit: number
  /** The last one of the page before. */
  after?: Pick<ReportWindow, 'end' | 'media_buy_id' | 'kind'> | undefined
}

/** Where among all that were sent. */
export interface SentPlace {
  sent_at: number
  media_buy_id: string
  kind: string
  start: number
}

export interface EndedReport extends Pick<ReportWindow, 'media_buy_id' | 'kind' | 'start'> {
  sequence_number: number
  state: 'delivered' | 'given_up'
  reason: string | undefined
  ended_at: number
}

export type StateCounts = Record<ReportState, number>

export interface ReportStore {
  /** Creates or updates the stream of a buy, and makes it due now. */
  touch(
    tx: Transaction,
    stream: { media_buy_id: string; owner: string; delay_ms?: number | undefined },
  ): Promise<void>
  /** Makes the stream due now, if there is one that has not ended. */
  wake(tx: Transaction, mediaBuyId: string): Promise<void>
  /** Claims due streams, each for `leaseMs`. No two callers get the same one. */
  claimDue(tx: Transaction, options: { limit: number; leaseMs: number }): Promise<ClaimedStreams>
  /** The amount of data that a visit reads for each of these, as committed. */
  sizes(mediaBuyIds: readonly string[]): Promise<Map<string, VisitSize>>
  /** As committed. */
  visits(mediaBuyIds: readonly string[]): Promise<StreamVisit[]>
  /** Ends claims without a visit: the streams are due again at this time. */
  giveBack(tx: Transaction, mediaBuyIds: readonly string[], dueAt: number): Promise<void>
  /** The streams whose claim is still valid, locked until the end of the transaction. */
  hold(
    tx: Transaction,
    streams: readonly Pick<ReportStream, 'media_buy_id' | 'claim_no'>[],
  ): Promise<Set<string>>
  /** Writes locked streams and windows, new or existing. */
  save(
    tx: Transaction,
    streams: readonly ReportStream[],
    windows: readonly ReportWindow[],
  ): Promise<void>
  /**
   * Of the first `limit` sent windows after a position: those whose delivery has ended, and the position to continue
   * from; no position after the last one.
   */
  ended(
    after: SentPlace | undefined,
    limit: number,
  ): Promise<{ ended: EndedReport[]; next: SentPlace | undefined }>
  /** Records the result in their windows, unless another report about the window was sent meanwhile. */
  markEnded(tx: Transaction, ended: readonly EndedReport[]): Promise<void>
  /** As committed, by buy. */
  streams(mediaBuyIds: readonly string[]): Promise<Map<string, ReportStream>>
  /** Windows of a buy that begin at or after `from` and end at or before `until`, the earliest first. */
  windows(range: WindowRange): Promise<{ windows: ReportWindow[]; hasMore: boolean }>
  /** How many windows of each buy wait for their figures; a buy without any is omitted. */
  unreported(mediaBuyIds: readonly string[]): Promise<Map<string, number>>
  /** Windows, the latest first. */
  list(filter: WindowFilter): Promise<{ windows: ReportWindow[]; hasMore: boolean }>
  /** How many windows of each buy are in each state. */
  counts(mediaBuyIds: readonly string[]): Promise<Map<string, StateCounts>>
  /** How many windows of all buys were not reported, by reason. */
  missing(): Promise<Pick<StateCounts, 'owed' | 'late' | 'given_up'>>
}

// The store of buyer feedback. Times are by the database's clock, in milliseconds.

import type { Transaction } from '../lib/transaction.ts'

export interface FeedbackRecord {
  feedback_id: string
  owner: string
  media_buy_id: string
  /** As it was sent. */
  assertion: Readonly<Record<string, unknown>>
  /** The later feedback that replaces it. */
  superseded_by?: string | undefined
  received_at: number
}

export interface FeedbackStore {
  add(tx: Transaction, feedback: FeedbackRecord): Promise<void>
  /** Of the owner's, about this buy. */
  find(
    tx: Transaction,
    key: Pick<FeedbackRecord, 'owner' | 'media_buy_id' | 'feedback_id'>,
  ): Promise<FeedbackRecord | undefined>
  /** Replaces earlier feedback with a later one. */
  supersede(tx: Transaction, feedbackId: string, by: string): Promise<void>
  /** Assertions about the buy, counted up to `most`. */
  count(tx: Transaction, mediaBuyId: string, most: number): Promise<number>
  /** The feedback of one buy or of all, the newest first. */
  list(query: { media_buy_id?: string | undefined; limit: number }): Promise<FeedbackRecord[]>
  /** Deletes feedback older than a time, up to some number at once. Returns how many. */
  sweep(tx: Transaction, before: number): Promise<number>
}

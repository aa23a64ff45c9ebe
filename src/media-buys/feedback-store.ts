// Where the feedback of buyers is kept. Times are by the database's clock, in milliseconds.

import type { Transaction } from '../lib/transaction.ts'

export interface FeedbackRecord {
  feedback_id: string
  owner: string
  media_buy_id: string
  /** As it was sent. */
  assertion: Readonly<Record<string, unknown>>
  /** The later one that counts in its place. */
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
  /** Puts a later one in the place of an earlier. */
  supersede(tx: Transaction, feedbackId: string, by: string): Promise<void>
  /** Assertions about the buy, counted up to `most`. */
  count(tx: Transaction, mediaBuyId: string, most: number): Promise<number>
  /** The newest first, of one buy or of all. */
  list(query: { media_buy_id?: string | undefined; limit: number }): Promise<FeedbackRecord[]>
  /** Forgets what came before, up to some number at once. Answers how many. */
  sweep(tx: Transaction, before: number): Promise<number>
}

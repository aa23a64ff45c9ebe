// The store of reported usage. Times are by the database's clock, in milliseconds.

import type { Transaction } from '../lib/transaction.ts'

export interface UsageRecord {
  usage_id: string
  owner: string
  account_id: string
  media_buy_id?: string | undefined
  period_start: number
  period_end: number
  /** As it was sent. */
  usage_record: Readonly<Record<string, unknown>>
  /** Whether it was replaced by a final record of the same account, media buy and period. */
  is_superseded: boolean
  received_at: number
}

type UsagePeriod = Pick<
  UsageRecord,
  'owner' | 'account_id' | 'media_buy_id' | 'period_start' | 'period_end'
>

export interface UsageStore {
  add(tx: Transaction, records: readonly UsageRecord[]): Promise<void>
  /** Earlier records of the same account, media buy and period no longer count. */
  supersede(tx: Transaction, period: UsagePeriod): Promise<void>
  /** Number of the owner's records, counted up to `most`. */
  count(tx: Transaction, owner: string, most: number): Promise<number>
  /** The records of one principal or of all, the newest first. */
  list(query: { owner?: string | undefined; limit: number }): Promise<UsageRecord[]>
  /** Deletes records older than a time, up to some number at once. Returns how many. */
  sweep(tx: Transaction, before: number): Promise<number>
}

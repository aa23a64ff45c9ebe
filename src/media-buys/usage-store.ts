// Where reported usage is kept. Times are by the database's clock, in milliseconds.

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
  /** Whether a final record of the same account, media buy and period counts in its place. */
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
  /** Records of the owner, counted up to `most`. */
  count(tx: Transaction, owner: string, most: number): Promise<number>
  /** The newest first, of one principal or of all. */
  list(query: { owner?: string | undefined; limit: number }): Promise<UsageRecord[]>
  /** Forgets what came before, up to some number at once. Answers how many. */
  sweep(tx: Transaction, before: number): Promise<number>
}

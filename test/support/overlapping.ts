// Two transactions at once: the second meets rows that the first has changed and not committed.

import type { Transaction } from '../../src/lib/transaction.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { eventually } from './eventually.ts'

/** Commits `first` when `second` waits for it or has ended; answers what `second` came to. */
export async function overlapping<T>(
  database: Database,
  first: (tx: Transaction) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  const begun = await database.transact(async (tx) => {
    await first(tx)
    const ends = second()
    ends.catch(() => {})
    // SQLite has one writer: there the second has not begun.
    if (database.dialect === 'postgres') {
      await Promise.race([ends, eventually(() => somebodyWaits(database))])
    }
    return { ends }
  })
  return begun.ends
}

async function somebodyWaits({ read }: Database): Promise<void> {
  const row = await read.get<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  if (!row?.waiting) throw new Error('nobody waits for a lock')
}

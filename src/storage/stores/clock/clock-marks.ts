// The last time that a server recorded, and work that a wrong clock has postponed, in SQL.

import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { bringNear } from './far-due-times.ts'

export interface ClockMarkStore {
  last(): Promise<number | undefined>
  note(tx: Transaction): Promise<void>
  /** Makes some of the work that a wrong clock has postponed due now; returns how much. 0 when there is no more. */
  bringNear(tx: Transaction): Promise<number>
}

export function createClockMarkStore(database: Database): ClockMarkStore {
  const { read } = database
  return {
    bringNear: (tx) => bringNear(database, tx),
    last: async () =>
      (await read.get<{ seen_at: number }>('SELECT seen_at FROM server_clock WHERE id = 1'))
        ?.seen_at,
    note: async (tx) => {
      await sqlOf(tx).run(
        `INSERT INTO server_clock (id, seen_at) VALUES (1, $1)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
        [await tx.now()],
      )
    },
  }
}

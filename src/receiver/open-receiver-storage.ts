// The stores of the receiver on a database of the buyer's choice: a SQLite file for one process, or a PostgreSQL
// schema that all instances share and that can also contain the buyer's own tables.

import { type OnWake, StorageUnavailable, type Transact } from '../lib/transaction.ts'
import { type DatabaseOptions, openMigrated } from '../storage/open-database.ts'
import { RECEIVER_OWNERS } from '../storage/sql/migrations.ts'
import { createInboxOperations } from '../storage/stores/inbox/dead.ts'
import { createInboxStore } from '../storage/stores/inbox/inbox.ts'
import { createReplayStore, type SweptReplayStore } from '../storage/stores/nonces/replay.ts'
import type { InboxOperations, InboxStore } from '../webhooks/receiver/store.ts'

/** A SQLite file for one process at a time, or a PostgreSQL database. */
export type ReceiverStorageOptions = DatabaseOptions

export interface ReceiverStorage {
  transact: Transact
  onWake: OnWake
  inbox: InboxStore
  /** For operators: inspect messages and dead letters. */
  operations: InboxOperations
  replay: SweptReplayStore
  /** Throws StorageUnavailable when the database cannot be reached or written. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Opens the database and migrates the receiver's tables; it creates no other tables. */
export async function openReceiverStorage(
  options: ReceiverStorageOptions,
): Promise<ReceiverStorage> {
  const database = await openMigrated(options, RECEIVER_OWNERS)
  return {
    transact: database.transact,
    onWake: database.onWake,
    inbox: createInboxStore(database),
    operations: createInboxOperations(database),
    replay: createReplayStore(database),
    ping: async () => {
      const faults = await database.faults()
      if (faults.length > 0) throw new StorageUnavailable(faults.join('; '))
    },
    close: database.close,
  }
}

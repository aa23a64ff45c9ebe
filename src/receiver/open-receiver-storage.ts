// The stores of the receiver on a database of the buyer's choice: a SQLite file for one process, or a
// PostgreSQL that all instances share, and that the buyer's own tables may share too.

import type { OnWake, Transact } from '../lib/transaction.ts'
import type { Database } from '../storage/sql/database.ts'
import { migrate } from '../storage/sql/migrate.ts'
import { createInboxOperations } from '../storage/stores/inbox/dead.ts'
import { createInboxStore } from '../storage/stores/inbox/inbox.ts'
import { createReplayStore, type SweptReplayStore } from '../storage/stores/nonces/replay.ts'
import type { InboxOperations, InboxStore } from '../webhooks/receiver/store.ts'

/** One of the two. */
export type ReceiverStorageOptions =
  | {
      /** Folder of a SQLite file, made when missing; one process at a time receives with it. */
      dataDir: string
    }
  | {
      /** A PostgreSQL 14 or later, in which the tables of Adwire are made. */
      databaseUrl: string
      /** Most connections. Default 10. */
      poolSize?: number
      /** Hears of connections that broke while nobody used them. Default: nobody. */
      onFault?: (error: Error) => void
    }

export interface ReceiverStorage {
  transact: Transact
  onWake: OnWake
  inbox: InboxStore
  /** For operators: looking at messages, and dead letters. */
  operations: InboxOperations
  replay: SweptReplayStore
  /** Throws StorageUnavailable when the database cannot be reached or written. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Opens the database and brings its tables up to date. */
export async function openReceiverStorage(
  options: ReceiverStorageOptions,
): Promise<ReceiverStorage> {
  const database = await openDatabase(options)
  await migrate(database).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  return {
    transact: database.transact,
    onWake: database.onWake,
    inbox: createInboxStore(database),
    operations: createInboxOperations(database),
    replay: createReplayStore(database),
    ping: database.ping,
    close: database.close,
  }
}

async function openDatabase(options: ReceiverStorageOptions): Promise<Database> {
  if ('dataDir' in options) {
    const { openSqlite } = await import('../storage/sqlite/open-sqlite.ts')
    return openSqlite(options)
  }
  const { openPostgres } = await import('../storage/postgres/open-postgres.ts')
  const { databaseUrl: url, ...rest } = options
  return openPostgres({ url, ...rest })
}

// The stores of the sender on a database of the seller's choice: a SQLite file for one process, or a
// PostgreSQL that its own tables may share.

import type { OnWake, Transact } from '../lib/transaction.ts'
import type { Database } from '../storage/sql/database.ts'
import { migrate } from '../storage/sql/migrate.ts'
import { createChannelStore } from '../storage/stores/outbox/channels.ts'
import { createOutboxOperations } from '../storage/stores/outbox/operations.ts'
import { createOutboxStore } from '../storage/stores/outbox/outbox.ts'
import { moveCircuit } from '../webhooks/sender/circuit.ts'
import type { ChannelStore, OutboxOperations, OutboxStore } from '../webhooks/sender/store.ts'

/** One of the two. */
export type SenderStorageOptions =
  | {
      /** Folder of a SQLite file, made when missing; one process at a time sends from it. */
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

export interface SenderStorage {
  transact: Transact
  onWake: OnWake
  channels: ChannelStore
  outbox: OutboxStore
  /** What an operator looks at, and does by hand. */
  operations: OutboxOperations
  close(): Promise<void>
}

/** Opens the database and brings its tables up to date. */
export async function openSenderStorage(options: SenderStorageOptions): Promise<SenderStorage> {
  const database = await openDatabase(options)
  await migrate(database).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  return {
    transact: database.transact,
    onWake: database.onWake,
    channels: createChannelStore(database),
    outbox: createOutboxStore(database, { moveCircuit }),
    operations: createOutboxOperations(database),
    close: database.close,
  }
}

async function openDatabase(options: SenderStorageOptions): Promise<Database> {
  if ('dataDir' in options) {
    const { openSqlite } = await import('../storage/sqlite/open-sqlite.ts')
    return openSqlite(options)
  }
  const { openPostgres } = await import('../storage/postgres/open-postgres.ts')
  const { databaseUrl: url, ...rest } = options
  return openPostgres({ url, ...rest })
}

// The stores of the sender on a database of the seller's choice: a SQLite file for one process, or a
// PostgreSQL that its own tables may share.

import type { OnWake, Transact } from '../lib/transaction.ts'
import { type DatabaseOptions, openMigrated } from '../storage/open-database.ts'
import { createChannelStore } from '../storage/stores/outbox/channels.ts'
import { createOutboxOperations } from '../storage/stores/outbox/operations.ts'
import { createOutboxStore } from '../storage/stores/outbox/outbox.ts'
import { moveCircuit } from '../webhooks/sender/circuit.ts'
import type { ChannelStore, OutboxOperations, OutboxStore } from '../webhooks/sender/store.ts'

/** A SQLite file for one process at a time, or a PostgreSQL. */
export type SenderStorageOptions = DatabaseOptions

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
  const database = await openMigrated(options)
  return {
    transact: database.transact,
    onWake: database.onWake,
    channels: createChannelStore(database),
    outbox: createOutboxStore(database, { moveCircuit }),
    operations: createOutboxOperations(database),
    close: database.close,
  }
}

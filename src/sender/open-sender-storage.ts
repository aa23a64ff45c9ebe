// The stores of the sender on a database of the seller's choice: a SQLite file for one process, or a PostgreSQL
// schema that can also contain the seller's own tables.

import type { OnWake, Transact } from '../lib/transaction.ts'
import { type DatabaseOptions, openMigrated } from '../storage/open-database.ts'
import { SENDER_OWNERS } from '../storage/sql/migrations.ts'
import { createChannelStore } from '../storage/stores/outbox/channels.ts'
import { createOutboxOperations } from '../storage/stores/outbox/operations.ts'
import { createOutboxStore } from '../storage/stores/outbox/outbox.ts'
import { moveCircuit } from '../webhooks/sender/circuit.ts'
import type { ChannelStore, OutboxOperations, OutboxStore } from '../webhooks/sender/store.ts'

/** A SQLite file for one process at a time, or a PostgreSQL database. */
export type SenderStorageOptions = DatabaseOptions

export interface SenderStorage {
  transact: Transact
  onWake: OnWake
  channels: ChannelStore
  outbox: OutboxStore
  /** What an operator inspects, and does manually. */
  operations: OutboxOperations
  /** Whether the database is accessed over a network, as is usual for PostgreSQL. */
  isRemote: boolean
  close(): Promise<void>
}

/** Opens the database and migrates the sender's tables; it creates no other tables. */
export async function openSenderStorage(options: SenderStorageOptions): Promise<SenderStorage> {
  const database = await openMigrated(options, SENDER_OWNERS)
  return {
    transact: database.transact,
    onWake: database.onWake,
    channels: createChannelStore(database),
    outbox: createOutboxStore(database, { moveCircuit }),
    operations: createOutboxOperations(database),
    isRemote: database.dialect === 'postgres',
    close: database.close,
  }
}

// The embedded store: one file in the data folder, one connection that writes and one that reads. WAL lets readers
// and other processes (the administrative commands) work alongside the writer. The writer flushes the log itself,
// after each commit and off this thread; synchronous=NORMAL leaves that to it, and keeps checkpoints in order.

import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite'
import type { Clock } from '../../lib/clock.ts'
import { steadyClock } from '../../lib/steady-clock.ts'
import type { Database, Queryable, SqlValue } from '../sql/database.ts'
import { spelled } from '../sql/spelling.ts'
import { createWriteHealth } from '../sql/write-health.ts'
import { databaseFile } from './database-file.ts'
import { sqliteError } from './errors.ts'
import { probeFolder } from './probe-folder.ts'
import { turnSnapshot } from './turn-snapshot.ts'
import { wakeBoard } from './wake-board.ts'
import { createWriter } from './writer.ts'

export interface SqliteOptions {
  /** Folder of the database file, created if missing. Only the owner can access the file. */
  dataDir: string
  /** Default: the system clock, without its jumps. */
  clock?: Clock
  /** Only for tests: called instead of flushing the log. */
  flush?: () => Promise<void>
}

const flushed = promisify(fdatasync)

export function openSqlite({ dataDir, clock = steadyClock, flush }: SqliteOptions): Database {
  const path = databaseFile(dataDir)
  const writing = connect(path)
  // While another process writes, the writer waits between attempts and not inside one.
  writing.exec('PRAGMA busy_timeout = 5')
  const reading = connect(path)
  reading.exec('PRAGMA query_only = ON')
  let changedRows = 0
  const health = createWriteHealth({
    probes: [() => probeFolder(dataDir), () => probeFile(writer.transact)],
  })
  const watch = {
    failed: health.failed,
    changed: (rows: number) => {
      changedRows += rows
    },
  }
  const snapshot = turnSnapshot(reading, queryable(reading, watch))
  // Queried on the connection that writes here, it changes only when another process has written.
  const foreignVersion = writing.prepare('PRAGMA data_version')
  const board = wakeBoard()
  // The log exists as long as a connection does, and SQLite holds no locks on it.
  const log = openSync(`${path}-wal`, 'r+')
  const writer = createWriter({
    connection: writing,
    queryable: queryable(writing, watch),
    now: clock.now,
    wake: board.wake,
    flush: flush ?? (() => flushed(log)),
    onCommit: snapshot.end,
    changedRows: () => changedRows,
    health,
  })
  return {
    dialect: 'sqlite',
    schema: undefined,
    read: snapshot.read,
    transact: writer.transact,
    onWake: board.onWake,
    foreignVersion: () => {
      // A read after a change was noticed must not use an older snapshot.
      snapshot.end()
      return Number(foreignVersion.get()?.data_version)
    },
    faults: health.faults,
    close: async () => {
      await writer.close()
      snapshot.end()
      reading.close()
      writing.close()
      closeSync(log)
    },
  }
}

/** Writes a page, whether or not tables exist yet. */
async function probeFile(transact: Database['transact']): Promise<void> {
  await transact(async (tx) => {
    const row = await tx.get<{ user_version: number }>('PRAGMA user_version')
    await tx.run(row?.user_version === 1 ? 'PRAGMA user_version = 2' : 'PRAGMA user_version = 1')
  })
}

function connect(path: string): DatabaseSyncInstance {
  try {
    return connected(path)
  } catch (error) {
    throw sqliteError(error)
  }
}

function connected(path: string): DatabaseSyncInstance {
  const connection = new DatabaseSync(path, { timeout: 0 })
  connection.exec(`PRAGMA busy_timeout = 2000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -65536;
    PRAGMA wal_autocheckpoint = 40000;
    PRAGMA busy_timeout = 100`)
  return connection
}

const MAX_STATEMENTS = 500

interface Watch {
  /** Receives every error. */
  failed(error: unknown): void
  /** Receives the number of rows that a statement has changed. */
  changed(rows: number): void
}

function queryable(connection: DatabaseSyncInstance, { failed, changed }: Watch): Queryable {
  const statements = new Map<string, StatementSyncInstance>()
  const prepare = (sql: string): StatementSyncInstance => {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    const statement = connection.prepare(spelled('sqlite', sql).replace(/\$(\d+)/g, '?$1'))
    statements.set(sql, statement)
    return statement
  }
  const guarded = <T>(work: () => T): Promise<T> => {
    try {
      return Promise.resolve(work())
    } catch (error) {
      const fault = sqliteError(error)
      failed(fault)
      return Promise.reject(fault)
    }
  }
  const change = (statement: StatementSyncInstance, params: readonly SqlValue[]) => {
    const rows = Number(statement.run(...params).changes)
    if (rows > 0) changed(rows)
    return rows
  }
  return {
    all: <Row>(sql: string, params: readonly SqlValue[] = []) =>
      guarded(() => prepare(sql).all(...params) as Row[]),
    get: <Row>(sql: string, params: readonly SqlValue[] = []) =>
      guarded(() => prepare(sql).get(...params) as Row | undefined),
    run: (sql, params = []) => guarded(() => change(prepare(sql), params)),
    runEach: (sql, rows) =>
      guarded(() => {
        const statement = prepare(sql)
        return rows.map((params) => change(statement, params))
      }),
  }
}

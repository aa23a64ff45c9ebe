// What the stores are written against: one small SQL surface that SQLite and PostgreSQL both serve.
// Statements use `$1` placeholders and the SQL both understand; times are integers in milliseconds,
// JSON is text, truth is 0 or 1. Where the dialects differ, a store asks `dialect`.

import type { OnWake, Transaction } from '../../lib/transaction.ts'

export type SqlValue = string | number | null | Uint8Array

export interface Queryable {
  all<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>
  get<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row | undefined>
  /** Returns how many rows were inserted, changed or deleted. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>
  /** Runs one statement for many rows in turn; answers what `run` would for each. */
  runEach(sql: string, rows: readonly (readonly SqlValue[])[]): Promise<number[]>
}

export interface SqlTransaction extends Queryable, Transaction {
  /**
   * The same transaction for statements that are not Adwire's own: on PostgreSQL their tables are looked up in the
   * search path of the connection, and not in the schema of Adwire.
   */
  readonly unqualified: Queryable
  /**
   * Waits until no other transaction on the same schema holds a lock of this name, and holds it to the end of this one.
   * What does not exist yet has no row to lock; a name for it has. SQLite has one writer, so there it does nothing.
   */
  lock(name: string): Promise<void>
  /** Runs after the commit, before the code that began the transaction is notified of it. */
  afterCommit(listener: () => void): void
}

export interface TransactOptions {
  /**
   * Whether the promise waits for the disk. Where it does not, the machine's death may undo the
   * transaction, though never when one that was committed later survives; the process's own death
   * undoes nothing. Default true.
   */
  isFlushed?: boolean
}

export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  /** The schema of PostgreSQL that has all tables of Adwire; undefined on SQLite, where they have a file of their own. */
  readonly schema: string | undefined
  /** Reads of what has been committed, outside any transaction. */
  readonly read: Queryable
  /** Changes when another process has committed; absent where it cannot be determined cheaply. */
  readonly foreignVersion?: () => number
  transact<T>(work: (tx: SqlTransaction) => Promise<T>, options?: TransactOptions): Promise<T>
  readonly onWake: OnWake
  /** What keeps the database from being used, each as a readable message; empty when nothing does. */
  faults(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The transaction a store was handed, as what it really is. */
export function sqlOf(tx: Transaction): SqlTransaction {
  return tx as SqlTransaction
}

/** `($1,$2),($3,$4)` for `rows` rows of `columns` columns, numbered from `first`. */
export function placeholders(rows: number, columns: number, first = 1): string {
  let next = first
  const groups: string[] = []
  for (let row = 0; row < rows; row++) {
    const group: string[] = []
    for (let column = 0; column < columns; column++) group.push(`$${next++}`)
    groups.push(`(${group.join(',')})`)
  }
  return groups.join(',')
}

// The interface that the stores are written against: a small SQL API that both SQLite and PostgreSQL implement.
// Statements use `$1` placeholders and the SQL that both support; times are integers in milliseconds, JSON is text,
// booleans are 0 or 1. What they spell differently is a
// marker (`spelling.ts`); only where they work differently does a store check `dialect`.

import type { OnWake, Transaction } from '../../lib/transaction.ts'

export type SqlValue = string | number | null | Uint8Array

export interface Queryable {
  all<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>
  get<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row | undefined>
  /** Returns how many rows were inserted, changed or deleted. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>
  /** Runs one statement for many rows, one after the other; returns what `run` would for each. */
  runEach(sql: string, rows: readonly (readonly SqlValue[])[]): Promise<number[]>
}

export interface SqlTransaction extends Queryable, Transaction {
  /**
   * The same transaction for statements that are not Adwire's own: on PostgreSQL their tables are looked up through
   * the connection's search path, not in Adwire's schema.
   */
  readonly unqualified: Queryable
  /**
   * Waits until no other transaction on the same schema holds a lock with this name, and holds it until this one
   * ends. For a row that does not exist yet, a name can be locked instead. SQLite has one writer, so there it does
   * nothing.
   */
  lock(name: string): Promise<void>
  /** What `lock` calls this name on the whole server, for a statement that locks what it finds. */
  lockName(name: string): string
  /**
   * Makes PostgreSQL use indexes for the rest of the transaction. It plans a prepared statement once, perhaps while the
   * tables are empty, and would continue with sequential scans. On SQLite it does nothing.
   */
  useIndexes(): Promise<void>
  /** Whether no other transaction can write at the same time, so rows need not be spread to avoid waiting. */
  readonly hasOneWriter: boolean
  /** Runs after the commit, before the code that began the transaction is notified of it. */
  afterCommit(listener: () => void): void
}

export interface TransactOptions {
  /**
   * Whether the promise waits for the disk. If it does not, a crash of the machine may undo the transaction, though
   * never while one committed later survives; a crash of the process undoes nothing. Default true.
   */
  isFlushed?: boolean
}

export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  /** The PostgreSQL schema with all tables of Adwire; undefined on SQLite, where they have their own file. */
  readonly schema: string | undefined
  /** Reads committed data, outside any transaction. */
  readonly read: Queryable
  /** Changes when another process has committed; absent if it cannot be determined cheaply. */
  readonly foreignVersion?: () => number
  transact<T>(work: (tx: SqlTransaction) => Promise<T>, options?: TransactOptions): Promise<T>
  readonly onWake: OnWake
  /** What prevents the database from being used, each as a readable message; empty if nothing does. */
  faults(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The actual type of the transaction passed to a store. */
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

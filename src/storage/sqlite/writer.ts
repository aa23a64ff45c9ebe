// The only writer of a SQLite file: runs transactions in turn and commits those that wait together as one, each
// behind its own savepoint, so that a failure undoes only its own work. The commit is then flushed to the disk on
// another thread, while the process continues; a transaction's promise resolves after the flush that contains it,
// never before. Transactions that arrive in the meantime share the next one.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { StorageUnavailable } from '../../lib/transaction.ts'
import type { Queryable, SqlTransaction, TransactOptions } from '../sql/database.ts'
import type { WriteHealth } from '../sql/write-health.ts'
import { isBusy, sqliteError } from './errors.ts'
import { createFlusher } from './flusher.ts'

export interface Writer {
  transact<T>(work: (tx: SqlTransaction) => Promise<T>, options?: TransactOptions): Promise<T>
  /** Waits for transactions already submitted, then refuses more. */
  close(): Promise<void>
}

export interface WriterOptions {
  connection: DatabaseSyncInstance
  queryable: Queryable
  now: () => number
  wake: (topic: string) => void
  /** Resolves when everything committed is on the disk. */
  flush: () => Promise<void>
  /** Called after each commit, before anyone is notified of it. */
  onCommit: () => void
  /** The number of rows that this connection has changed so far. */
  changedRows: () => number
  /** Receives commits that were flushed, and those that failed. */
  health: Pick<WriteHealth, 'wrote' | 'failed'>
}

interface Job {
  isFlushed: boolean
  since: number
  work(tx: SqlTransaction): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** What a job has returned, and the caller to notify once it is stored. */
interface Done {
  job: Job
  value: unknown
  topics: readonly string[]
  listeners: readonly (() => void)[]
}

/** Maximum number of transactions that share a commit: limits how long the first of them waits. */
const MAX_GROUP = 128
/**
 * How long to wait for another process (an administrative command) that holds the file: less than the ten seconds
 * after which the sender of a webhook no longer receives the response that it was not accepted.
 */
const BUSY_DEADLINE_MS = 8_000

export function createWriter(options: WriterOptions): Writer {
  const { connection, changedRows, health } = options
  const queue: Job[] = []
  const flusher = createFlusher(options.flush)
  let draining: Promise<void> | undefined
  let closed = false

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      // Jobs that have to wait for the disk anyway are collected while it is busy.
      if (queue.every(({ isFlushed }) => isFlushed)) await flusher.idle()
      await commitGroup()
    }
    draining = undefined
  }

  async function commitGroup(): Promise<void> {
    const taken: Job[] = []
    const done: Done[] = []
    const changedBefore = changedRows()
    try {
      flusher.check()
      await begin(connection, (queue[0] as Job).since)
      while (queue.length > 0 && taken.length < MAX_GROUP) {
        const job = queue.shift() as Job
        taken.push(job)
        const outcome = await runJob(options, job, done.length === 0)
        if (outcome) done.push(outcome)
        else if (done.length === 0) return
      }
      connection.exec('COMMIT')
    } catch (error) {
      rollBack(connection)
      const cause = sqliteError(error)
      health.failed(cause)
      // Nothing of the group was committed; if BEGIN failed too, the jobs that have waited long enough receive the
      // error. A job that failed on its own has already received its error, and receives no second one.
      const failed = taken.length > 0 ? taken : queue.splice(0, waitedLong(queue))
      for (const job of failed) job.reject(cause)
      return
    }
    const flushed = done.filter(({ job }) => job.isFlushed)
    finish(
      options,
      done.filter(({ job }) => !job.isFlushed),
    )
    if (flushed.length === 0) return
    flusher.add(afterFlush(options, flushed, changedRows() > changedBefore))
  }

  return {
    transact: <T>(
      work: (tx: SqlTransaction) => Promise<T>,
      { isFlushed = true }: TransactOptions = {},
    ) =>
      new Promise<T>((resolve, reject) => {
        if (closed) {
          reject(new StorageUnavailable('the database is closed'))
          return
        }
        const reported = { resolve: resolve as (value: unknown) => void, reject }
        queue.push({ isFlushed, since: performance.now(), work, ...reported })
        // Started a microtask later, so that callers of the same tick share the first commit.
        draining ??= Promise.resolve().then(drain)
      }),
    close: async () => {
      closed = true
      await draining
      await flusher.idle()
    },
  }
}

/** What follows when the jobs of a group are on the disk, or could not be written there. */
function afterFlush(options: WriterOptions, flushed: readonly Done[], hasChanged: boolean) {
  const { health } = options
  return {
    finish: () => {
      if (hasChanged) health.wrote()
      finish(options, flushed)
    },
    fail: (error: unknown) => {
      health.failed(error)
      for (const { job } of flushed) job.reject(error)
    },
  }
}

/** Notifies everyone of what has been committed. */
function finish(
  { onCommit, wake }: Pick<WriterOptions, 'onCommit' | 'wake'>,
  done: readonly Done[],
): void {
  if (done.length === 0) return
  onCommit()
  for (const { listeners } of done) for (const listener of listeners) listener()
  for (const { job, value } of done) job.resolve(value)
  for (const topic of new Set(done.flatMap(({ topics }) => topics))) wake(topic)
}

/** The first of a group needs no savepoint: if it fails there is nothing else to preserve. */
async function runJob(
  { connection, queryable, now }: Pick<WriterOptions, 'connection' | 'queryable' | 'now'>,
  job: Job,
  isFirst: boolean,
): Promise<Done | undefined> {
  const topics: string[] = []
  const listeners: (() => void)[] = []
  const tx: SqlTransaction = {
    ...queryable,
    now: async () => now(),
    wake: async (topic) => {
      topics.push(topic)
    },
    // There is one writer, and this is it.
    lock: async () => {},
    lockName: (name) => name,
    useIndexes: async () => {},
    hasOneWriter: true,
    unqualified: queryable,
    afterCommit: (listener) => {
      listeners.push(listener)
    },
  }
  if (!isFirst) connection.exec('SAVEPOINT job')
  try {
    const value = await job.work(tx)
    if (!isFirst) connection.exec('RELEASE job')
    return { job, value, topics, listeners }
  } catch (error) {
    // A full disk may already have rolled back the whole transaction; then the group fails as a whole.
    if (!connection.isTransaction) {
      job.reject(error)
      throw error
    }
    if (isFirst) connection.exec('ROLLBACK')
    else connection.exec('ROLLBACK TO job; RELEASE job')
    job.reject(error)
    return undefined
  }
}

/** How many jobs, from the first on, have reached the maximum wait; at least one. */
function waitedLong(queue: readonly Job[]): number {
  const before = performance.now() - BUSY_DEADLINE_MS
  const fresh = queue.findIndex(({ since }) => since > before)
  return Math.max(1, fresh < 0 ? queue.length : fresh)
}

async function begin(connection: DatabaseSyncInstance, since: number): Promise<void> {
  const deadline = since + BUSY_DEADLINE_MS
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    try {
      connection.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** If even this fails, the next BEGIN fails too, and the waiting jobs receive that error. */
function rollBack(connection: DatabaseSyncInstance): void {
  try {
    if (connection.isTransaction) connection.exec('ROLLBACK')
  } catch {}
}
